import django.contrib.postgres.fields
import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('studies', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Result',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('method_version', models.PositiveIntegerField()),
                ('fields_sha256', models.CharField(blank=True, default='', max_length=64)),
                ('origin', models.CharField(choices=[('person', 'Person'), ('all', 'All')], default='person', max_length=8)),
                ('tables', models.JSONField(default=dict)),
                ('identical_all', models.JSONField(null=True)),
                ('votes', models.PositiveIntegerField(default=0)),
                ('sessions', models.PositiveIntegerField(default=0)),
                ('simulated_sessions', models.PositiveIntegerField(default=0)),
                ('counts', models.JSONField(default=list)),
                ('computed_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.CreateModel(
            name='InDepthResult',
            fields=[
                ('result', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='in_depth', serialize=False, to='analysis.result')),
                ('state', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed')], default='queued', max_length=8)),
                ('part', models.CharField(blank=True, default='', max_length=100)),
                ('parts_done', models.PositiveIntegerField(default=0)),
                ('parts', models.PositiveIntegerField(default=0)),
                ('tables', models.JSONField(default=dict)),
                ('fields_sha256', models.CharField(blank=True, default='', max_length=64)),
                ('hypotheses', models.JSONField(default=list)),
                ('error', models.TextField(blank=True, default='')),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('not_before', models.DateTimeField(blank=True, null=True)),
                ('lease_id', models.UUIDField(blank=True, null=True)),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('moved_at', models.DateTimeField()),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name='AnalysisState',
            fields=[
                ('study', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='analysis', serialize=False, to='studies.study')),
                ('wanted', models.PositiveBigIntegerField(default=0)),
                ('done', models.PositiveBigIntegerField(default=0)),
                ('lease_id', models.UUIDField(blank=True, null=True)),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('not_before', models.DateTimeField(blank=True, null=True)),
                ('erasures', models.PositiveBigIntegerField(default=0)),
                ('votes_read', models.PositiveBigIntegerField(default=0)),
                ('exclusions_read', models.PositiveBigIntegerField(default=0)),
                ('verdicts_read', models.PositiveBigIntegerField(default=0)),
                ('result', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='analysis.result')),
            ],
        ),
        migrations.CreateModel(
            name='Snapshot',
            fields=[
                ('sha256', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('manifest_text', models.TextField()),
                ('votes', models.PositiveIntegerField()),
                ('sessions', models.PositiveIntegerField()),
                ('exclusions', models.PositiveIntegerField()),
                ('verdicts', models.PositiveIntegerField(default=0)),
                ('session_ids', django.contrib.postgres.fields.ArrayField(base_field=models.UUIDField(), size=None)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('exported_at', models.DateTimeField(blank=True, null=True)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='snapshots', to='studies.study')),
            ],
        ),
        migrations.AddField(
            model_name='result',
            name='snapshot',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='results', to='analysis.snapshot'),
        ),
        migrations.AddConstraint(
            model_name='result',
            constraint=models.UniqueConstraint(fields=('snapshot', 'method_version', 'fields_sha256', 'origin'), name='one_result_per_snapshot_method_fields_and_origin'),
        ),
    ]
