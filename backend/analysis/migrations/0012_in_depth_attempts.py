"""Attempts at tables in depth, of which a failed one is repeated after a pause."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('analysis', '0011_in_depth'),
    ]

    operations = [
        migrations.AddField(
            model_name='indepthresult',
            name='attempts',
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='indepthresult',
            name='not_before',
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
