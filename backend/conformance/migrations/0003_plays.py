from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("conformance", "0002_tombstones")]

    operations = [
        migrations.AddField("verdict", "plays", models.PositiveIntegerField(null=True)),
    ]
