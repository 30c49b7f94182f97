"""All tables of a result in one field; results are computed again, with more tables than they had."""

from typing import Any

from django.db import migrations, models


def compute_again(apps: Any, schema_editor: Any) -> None:
    apps.get_model("analysis", "AnalysisState").objects.filter(result__isnull=False).update(
        result=None, wanted=models.F("wanted") + 1
    )
    apps.get_model("analysis", "Result").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("analysis", "0008_layouts")]

    operations = [
        migrations.RunPython(compute_again, migrations.RunPython.noop),
        migrations.RemoveField(model_name="result", name="comparisons"),
        migrations.RemoveField(model_name="result", name="correlations"),
        migrations.RemoveField(model_name="result", name="identical"),
        migrations.RemoveField(model_name="result", name="layouts"),
        migrations.RemoveField(model_name="result", name="mos"),
        migrations.RemoveField(model_name="result", name="points"),
        migrations.RemoveField(model_name="result", name="repeats"),
        migrations.RemoveField(model_name="result", name="values"),
        migrations.AddField(model_name="result", name="tables", field=models.JSONField(default=dict)),
        migrations.AddField(model_name="result", name="votes", field=models.PositiveIntegerField(default=0)),
        migrations.AddField(model_name="result", name="sessions", field=models.PositiveIntegerField(default=0)),
    ]
