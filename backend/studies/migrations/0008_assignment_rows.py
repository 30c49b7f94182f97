import django.db.models.deletion
from django.db import migrations, models

# of each fielding: its assignments, those free of which every slot is open; numbers go on above those given so far
FILL = """
UPDATE studies_fielding SET sessions_without_assignment = sessions_without_assignment / (quota_sessions + 1) + 1
WHERE sessions_without_assignment > 0;

INSERT INTO studies_assignment (fielding_id, number, is_free, times_given)
SELECT slot.fielding_id, slot.assignment, bool_and(slot.state = 'open'), fielding.sessions_without_assignment
FROM studies_slot slot JOIN studies_fielding fielding ON fielding.id = slot.fielding_id
WHERE slot.assignment IS NOT NULL
GROUP BY slot.fielding_id, slot.assignment, fielding.sessions_without_assignment;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('studies', '0007_stored_counts'),
    ]

    operations = [
        migrations.RenameField('fielding', 'sessions_numbered', 'sessions_without_assignment'),
        migrations.CreateModel(
            name='Assignment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('is_free', models.BooleanField(default=True)),
                ('times_given', models.PositiveIntegerField(default=0)),
                ('fielding', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='assignments', to='studies.fielding')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('is_free', True)), fields=['fielding', 'number'], name='free_assignments')],
                'constraints': [models.UniqueConstraint(fields=('fielding', 'number'), name='one_assignment_per_number')],
            },
        ),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
    ]
