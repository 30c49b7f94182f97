from django.db import migrations, models


def rename_state(old, new):
    def update(apps, schema_editor):
        apps.get_model("studies", "Slot").objects.filter(state=old).update(state=new)

    return update


class Migration(migrations.Migration):
    dependencies = [("studies", "0004_seats")]

    operations = [
        migrations.RemoveIndex("slot", "studies_slo_fieldin_749a09_idx"),
        migrations.RenameField("slot", "seat", "assignment"),
        migrations.AddIndex(
            "slot",
            models.Index(fields=["fielding", "state", "assignment"], name="studies_slo_fieldin_9c74bb_idx"),
        ),
        migrations.RenameField("fielding", "claims", "sessions_numbered"),
        migrations.AlterField(
            "slot",
            "state",
            models.CharField(
                choices=[("open", "Open"), ("assigned", "Assigned"), ("filled", "Filled")], default="open", max_length=8
            ),
        ),
        migrations.RunPython(rename_state("claimed", "assigned"), rename_state("assigned", "claimed")),
    ]
