"""Events of archiving and deleting."""

from django.db import migrations, models

WHAT = [
    ("publish", "Publish"),
    ("open", "Open"),
    ("pause", "Pause"),
    ("close", "Close"),
    ("export", "Export"),
    ("unblind", "Unblind"),
    ("look", "Look"),
    ("erase", "Erase"),
    ("account", "Account"),
    ("role", "Role"),
    ("share", "Share"),
    ("token", "Token"),
    ("archive", "Archive"),
    ("unarchive", "Unarchive"),
    ("delete", "Delete"),
]
KIND = [
    ("study", "Study"),
    ("fielding", "Fielding"),
    ("account", "Account"),
    ("batch", "Batch"),
    ("other", "Other"),
]


class Migration(migrations.Migration):
    dependencies = [("audit", "0001_initial")]

    operations = [
        migrations.AlterField(
            model_name="auditentry",
            name="what",
            field=models.CharField(choices=WHAT, max_length=16),
        ),
        migrations.AlterField(
            model_name="auditentry",
            name="kind",
            field=models.CharField(choices=KIND, max_length=16),
        ),
    ]
