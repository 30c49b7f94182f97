import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('exports', '0001_initial'),
        ('studies', '0002_study_archived_at'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ExportJob',
            fields=[
                ('lease_id', models.UUIDField(blank=True, null=True)),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('id', models.UUIDField(default=uuid.uuid4, primary_key=True, serialize=False)),
                ('snapshot_sha256', models.CharField(db_index=True, max_length=64)),
                ('origin', models.CharField(choices=[('person', 'Person'), ('all', 'All')], max_length=8)),
                ('votes', models.PositiveIntegerField()),
                ('state', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('expired', 'Expired')], default='queued', max_length=8)),
                ('step', models.CharField(blank=True, choices=[('tables', 'Tables'), ('packing', 'Packing')], default='', max_length=8)),
                ('done', models.PositiveBigIntegerField(default=0)),
                ('of', models.PositiveBigIntegerField(blank=True, null=True)),
                ('step_at', models.DateTimeField(blank=True, null=True)),
                ('reason', models.CharField(blank=True, choices=[('full', 'Full'), ('store', 'Store'), ('damaged', 'Damaged'), ('replaced', 'Replaced'), ('erased', 'Erased'), ('killed', 'Killed'), ('too_long', 'Too Long'), ('error', 'Error'), ('over', 'Over'), ('missing', 'Missing')], default='', max_length=8)),
                ('message', models.TextField(blank=True, default='')),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('not_before', models.DateTimeField(blank=True, null=True)),
                ('file_sha256', models.CharField(blank=True, db_index=True, default='', max_length=64)),
                ('size_bytes', models.PositiveBigIntegerField(blank=True, null=True)),
                ('asked_at', models.DateTimeField()),
                ('moved_at', models.DateTimeField()),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('expires_at', models.DateTimeField(blank=True, null=True)),
                ('asked_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='export_jobs', to='studies.study')),
            ],
            options={
                'ordering': ['-asked_at'],
            },
        ),
    ]
