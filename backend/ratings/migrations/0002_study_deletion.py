"""Rows of participants may be deleted with their study."""

from django.db import migrations

from ratings.triggers import STUDY_DELETION


class Migration(migrations.Migration):
    dependencies = [("ratings", "0001_initial")]

    operations = [STUDY_DELETION]
