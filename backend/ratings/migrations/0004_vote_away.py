from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ratings", "0003_roles_and_evidence")]

    operations = [
        migrations.AddField("vote", "away", models.JSONField(null=True)),
        migrations.AlterField("play", "events", models.JSONField(default=list)),
    ]
