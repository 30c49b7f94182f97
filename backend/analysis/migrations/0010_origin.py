"""A result for people's votes, and one for all; results are computed again, since they pooled both."""

from typing import Any

from django.db import migrations, models


def compute_again(apps: Any, schema_editor: Any) -> None:
    apps.get_model("analysis", "AnalysisState").objects.filter(result__isnull=False).update(
        result=None, wanted=models.F("wanted") + 1
    )
    apps.get_model("analysis", "Result").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("analysis", "0009_tables")]

    operations = [
        migrations.RunPython(compute_again, migrations.RunPython.noop),
        migrations.RemoveConstraint(model_name="result", name="one_result_per_snapshot_and_method"),
        migrations.AddField(
            model_name="result",
            name="origin",
            field=models.CharField(choices=[("person", "Person"), ("all", "All")], default="person", max_length=8),
        ),
        migrations.AddField(model_name="result", name="counts", field=models.JSONField(default=list)),
        migrations.AddConstraint(
            model_name="result",
            constraint=models.UniqueConstraint(
                fields=("snapshot", "method_version", "origin"), name="one_result_per_snapshot_method_and_origin"
            ),
        ),
    ]
