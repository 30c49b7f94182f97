import django.db.models.deletion
import django.utils.timezone
import studies.models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('stimuli', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Study',
            fields=[
                ('sha256', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=64)),
                ('parent_sha256', models.CharField(blank=True, max_length=64, null=True)),
                ('frozen_text', models.TextField()),
                ('published_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('batch', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='studies', to='stimuli.batch')),
                ('published_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'studies',
            },
        ),
        migrations.CreateModel(
            name='Stimulus',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('block', models.PositiveIntegerField()),
                ('kind', models.CharField(max_length=32)),
                ('role', models.CharField(choices=[('main', 'Main'), ('identical', 'Identical'), ('control', 'Control'), ('training', 'Training')], default='main', max_length=16)),
                ('context', models.CharField(max_length=32)),
                ('clip', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='stimuli', to='stimuli.clip')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='stimuli', to='studies.study')),
            ],
            options={
                'verbose_name_plural': 'stimuli',
            },
        ),
        migrations.CreateModel(
            name='Fielding',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.CharField(default=studies.models.new_slug, max_length=32, unique=True)),
                ('group', models.CharField(default='volunteer', max_length=32)),
                ('state', models.CharField(choices=[('open', 'Open'), ('paused', 'Paused'), ('closed', 'Closed')], default='open', max_length=8)),
                ('quota_sessions', models.PositiveIntegerField()),
                ('lease_minutes', models.PositiveIntegerField(default=30)),
                ('sessions_without_assignment', models.PositiveIntegerField(default=0)),
                ('sessions_simulated', models.PositiveIntegerField(default=0)),
                ('opened_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='fieldings', to='studies.study')),
            ],
        ),
        migrations.CreateModel(
            name='StudyShare',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('level', models.CharField(choices=[('read', 'Read'), ('edit', 'Edit')], max_length=8)),
                ('shared_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='shares', to='studies.study')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='shares', to=settings.AUTH_USER_MODEL)),
            ],
        ),
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
        migrations.CreateModel(
            name='Slot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('assignment', models.PositiveIntegerField(blank=True, null=True)),
                ('state', models.CharField(choices=[('open', 'Open'), ('assigned', 'Assigned')], default='open', max_length=8)),
                ('fielding', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='slots', to='studies.fielding')),
                ('stimulus', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='slots', to='studies.stimulus')),
            ],
            options={
                'indexes': [models.Index(fields=['fielding', 'stimulus', 'state'], name='studies_slo_fieldin_7772fd_idx'), models.Index(fields=['fielding', 'state', 'assignment'], name='studies_slo_fieldin_9c74bb_idx')],
            },
        ),
        migrations.CreateModel(
            name='StoredCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=32)),
                ('value', models.JSONField()),
                ('counted_at', models.DateTimeField()),
                ('took_s', models.FloatField()),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='studies.study')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('study', 'name'), name='one_count_per_name')],
            },
        ),
        migrations.AddConstraint(
            model_name='stimulus',
            constraint=models.UniqueConstraint(fields=('study', 'number'), name='one_stimulus_per_number'),
        ),
        migrations.AddConstraint(
            model_name='stimulus',
            constraint=models.UniqueConstraint(fields=('study', 'block', 'context', 'clip', 'role'), name='one_stimulus_per_cell'),
        ),
        migrations.AddConstraint(
            model_name='studyshare',
            constraint=models.UniqueConstraint(fields=('study', 'user'), name='one_share_per_user'),
        ),
    ]
