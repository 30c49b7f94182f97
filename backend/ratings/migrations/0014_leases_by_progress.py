from django.db import migrations, models

# all keep what they were granted; sessions that have ended too, since what they send late looks at it
FILL = "UPDATE ratings_session SET yields_at = lease_until WHERE erased_at IS NULL"


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0013_arrival_parameters'),
        ('studies', '0008_assignment_rows'),
    ]

    operations = [
        migrations.AddField(
            model_name='session',
            name='yields_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddIndex(
            model_name='session',
            index=models.Index(fields=['fielding', 'started_at'], name='sessions_by_start'),
        ),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
    ]
