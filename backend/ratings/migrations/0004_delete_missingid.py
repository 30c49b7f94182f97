from django.db import migrations

# visits that were counted before there were counts per day get the day of the upgrade
MOVE = """
INSERT INTO ratings_problemshown (fielding_id, code, day, times)
SELECT missing.fielding_id, 'recruit_missing', current_date, missing.visits - COALESCE(SUM(shown.times), 0)
FROM ratings_missingid AS missing
LEFT JOIN ratings_problemshown AS shown ON shown.fielding_id = missing.fielding_id AND shown.code = 'recruit_missing'
GROUP BY missing.fielding_id, missing.visits
HAVING missing.visits > COALESCE(SUM(shown.times), 0)
ON CONFLICT (fielding_id, code, day) DO UPDATE SET times = ratings_problemshown.times + excluded.times
"""


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0003_problemshown'),
    ]

    operations = [
        migrations.RunSQL(MOVE, migrations.RunSQL.noop),
        migrations.DeleteModel(
            name='MissingId',
        ),
    ]
