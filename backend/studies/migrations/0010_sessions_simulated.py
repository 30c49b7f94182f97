"""Counts simulated sessions, which take no assignment."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("studies", "0009_slots_without_filled")]

    operations = [
        migrations.AddField(
            model_name="fielding", name="sessions_simulated", field=models.PositiveIntegerField(default=0)
        ),
    ]
