"""One result per snapshot, method, fields and origin: a published one with other fields stays until its successor."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("analysis", "0013_fields")]

    operations = [
        migrations.RemoveConstraint(model_name="result", name="one_result_per_snapshot_method_and_origin"),
        migrations.AddConstraint(
            model_name="result",
            constraint=models.UniqueConstraint(
                fields=("snapshot", "method_version", "fields_sha256", "origin"),
                name="one_result_per_snapshot_method_fields_and_origin",
            ),
        ),
    ]
