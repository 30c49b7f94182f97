"""Looks: openings of results by stack while votes come in."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('audit', '0002_append_only'),
    ]

    operations = [
        migrations.AlterField(
            model_name='auditentry',
            name='what',
            field=models.CharField(choices=[('publish', 'Publish'), ('open', 'Open'), ('pause', 'Pause'), ('close', 'Close'), ('export', 'Export'), ('unblind', 'Unblind'), ('look', 'Look'), ('erase', 'Erase'), ('account', 'Account'), ('role', 'Role'), ('share', 'Share'), ('token', 'Token')], max_length=16),
        ),
    ]
