"""Every snapshot lists its sessions; one that does not gets all of its study's, so that an erasure finds it."""

import django.contrib.postgres.fields
from django.db import migrations, models

FILL = """
UPDATE analysis_snapshot SET session_ids = ARRAY(
  SELECT session.id FROM ratings_session session JOIN studies_fielding fielding ON fielding.id = session.fielding_id
  WHERE fielding.study_id = analysis_snapshot.study_id
) WHERE session_ids IS NULL;
"""


class Migration(migrations.Migration):
    # the table is changed after it was updated, which PostgreSQL refuses within one transaction
    atomic = False

    dependencies = [
        ("analysis", "0006_plays"),
        ("ratings", "0008_participants_of_one_study"),
    ]

    operations = [
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
        migrations.AlterField(
            model_name="snapshot",
            name="session_ids",
            field=django.contrib.postgres.fields.ArrayField(base_field=models.UUIDField(), size=None),
        ),
    ]
