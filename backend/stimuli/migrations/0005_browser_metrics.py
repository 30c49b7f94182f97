from typing import ClassVar

from django.db import migrations, models

BROWSER = ("fcp_ms", "lcp_ms", "cls", "tbt_ms", "tti_ms", "dcl_ms", "ttfb_ms")


class Migration(migrations.Migration):
    dependencies: ClassVar = [("stimuli", "0004_plain_metrics")]

    operations: ClassVar = [migrations.AddField("take", name, models.FloatField(null=True)) for name in BROWSER]
