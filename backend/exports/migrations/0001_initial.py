"""Exports are recorded; those of before as far as their snapshots tell."""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models

# who exported is not known, nor whose answers they hold: such an export counts as holding everybody's
KNOWN = """
INSERT INTO exports_export (id, study_id, snapshot_sha256, votes, sessions, session_ids, exported_by_id, exported_at)
SELECT gen_random_uuid(), study_id, sha256, votes, sessions, NULL, NULL, exported_at
FROM analysis_snapshot WHERE exported_at IS NOT NULL;
"""


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('analysis', '0004_whose_answers'),
        ('studies', '0002_groups_and_roles'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Export',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, primary_key=True, serialize=False)),
                ('snapshot_sha256', models.CharField(max_length=64)),
                ('votes', models.PositiveIntegerField()),
                ('sessions', models.PositiveIntegerField()),
                ('session_ids', django.contrib.postgres.fields.ArrayField(base_field=models.UUIDField(), null=True, size=None)),
                ('exported_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('exported_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='exports', to='studies.study')),
            ],
            options={
                'ordering': ['-exported_at'],
            },
        ),
        migrations.RunSQL(KNOWN, migrations.RunSQL.noop),
    ]
