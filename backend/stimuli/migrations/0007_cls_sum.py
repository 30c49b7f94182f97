from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("stimuli", "0006_clip_metrics")]

    operations: ClassVar = [migrations.AddField("take", "cls_sum", models.FloatField(null=True))]
