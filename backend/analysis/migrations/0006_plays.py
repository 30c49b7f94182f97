"""Snapshots have plays from here on: analyse every study anew, so that its next export has them."""

from django.db import migrations
from django.db.models import F


def analyse_anew(apps, schema_editor):
    apps.get_model("analysis", "AnalysisState").objects.update(wanted=F("wanted") + 1)


class Migration(migrations.Migration):
    dependencies = [("analysis", "0005_verdicts_read")]
    operations = [migrations.RunPython(analyse_anew, migrations.RunPython.noop)]
