"""The digest of the fields of stored results; those without it are computed again."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('analysis', '0012_in_depth_attempts'),
    ]

    operations = [
        migrations.AddField(
            model_name='result',
            name='fields_sha256',
            field=models.CharField(blank=True, default='', max_length=64),
        ),
        migrations.AddField(
            model_name='indepthresult',
            name='fields_sha256',
            field=models.CharField(blank=True, default='', max_length=64),
        ),
    ]
