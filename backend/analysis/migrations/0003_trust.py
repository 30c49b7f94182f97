"""Tables of identical pairs, repeats and other scales; every study is analysed again, as MOS is of main votes now."""

from django.db import migrations, models


def analyse_again(apps, schema_editor):
    state = apps.get_model("analysis", "AnalysisState")
    state.objects.exclude(result=None).update(wanted=models.F("wanted") + 1)


class Migration(migrations.Migration):
    dependencies = [("analysis", "0002_exported_at")]

    operations = [
        migrations.AddField("result", "values", models.JSONField(default=list)),
        migrations.AddField("result", "identical", models.JSONField(default=list)),
        migrations.AddField("result", "repeats", models.JSONField(default=list)),
        migrations.AddField("result", "identical_all", models.JSONField(null=True)),
        migrations.AddField("result", "simulated_sessions", models.PositiveIntegerField(default=0)),
        migrations.RunPython(analyse_again, migrations.RunPython.noop),
    ]
