"""A study can be archived."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("studies", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="study",
            name="archived_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
