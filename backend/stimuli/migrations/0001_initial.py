import django.contrib.postgres.fields
import django.db.models.deletion
import django.utils.timezone
import stimuli.fields
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Blob',
            fields=[
                ('sha256', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('bytes', models.BigIntegerField()),
                ('probe', models.JSONField(blank=True, null=True)),
                ('stored_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.CreateModel(
            name='Refusal',
            fields=[
                ('sha256', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('status', models.PositiveIntegerField()),
                ('code', models.CharField(max_length=32)),
                ('message', models.TextField()),
                ('details', models.JSONField(default=dict)),
                ('refused_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.CreateModel(
            name='Batch',
            fields=[
                ('sha256', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('state', models.CharField(choices=[('receiving', 'Receiving'), ('committing', 'Committing'), ('visible', 'Visible')], default='receiving', max_length=16)),
                ('campaign', models.CharField(db_index=True, max_length=64)),
                ('manifest_text', models.TextField()),
                ('takes_listed', models.PositiveIntegerField(default=0)),
                ('takes_checked', models.PositiveIntegerField(default=0)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('received_at', models.DateTimeField(blank=True, null=True)),
                ('received_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Take',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(max_length=64)),
                ('path', models.CharField(max_length=300)),
                ('site', models.CharField(max_length=64)),
                ('network', models.CharField(max_length=64)),
                ('stack', models.CharField(max_length=64)),
                ('run', models.PositiveIntegerField()),
                ('outcome', models.CharField(max_length=16)),
                ('metrics', stimuli.fields.MetricsField()),
                ('batch', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='takes', to='stimuli.batch')),
            ],
        ),
        migrations.CreateModel(
            name='Clip',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('sha256', models.CharField(db_index=True, max_length=64)),
                ('kind', models.CharField(choices=[('single', 'Single'), ('pair', 'Pair')], max_length=8)),
                ('site', models.CharField(max_length=64)),
                ('network', models.CharField(max_length=64)),
                ('run', models.PositiveIntegerField()),
                ('bytes', models.BigIntegerField()),
                ('device', models.CharField(default='desktop', max_length=64)),
                ('width_px', models.PositiveIntegerField()),
                ('height_px', models.PositiveIntegerField()),
                ('duration_ms', models.FloatField()),
                ('frame_rate', models.FloatField()),
                ('purpose', models.CharField(choices=[('study', 'Study'), ('identical', 'Identical'), ('control', 'Control')], default='study', max_length=16)),
                ('role', models.CharField(blank=True, max_length=8, null=True)),
                ('start_ms', models.FloatField(default=0)),
                ('delays_ms', django.contrib.postgres.fields.ArrayField(base_field=models.FloatField(), blank=True, default=list, size=None)),
                ('cut', models.BooleanField(null=True)),
                ('moving', models.BooleanField(null=True)),
                ('metrics', models.JSONField(blank=True, default=list)),
                ('batch', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='clips', to='stimuli.batch')),
                ('right_take', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='stimuli.take')),
                ('take', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='stimuli.take')),
            ],
        ),
        migrations.CreateModel(
            name='BatchFile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('path', models.CharField(max_length=300)),
                ('sha256', models.CharField(db_index=True, max_length=64)),
                ('bytes', models.BigIntegerField()),
                ('batch', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='files', to='stimuli.batch')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('batch', 'path'), name='one_file_per_path')],
            },
        ),
        migrations.AddConstraint(
            model_name='take',
            constraint=models.UniqueConstraint(fields=('batch', 'digest'), name='one_take_per_digest'),
        ),
        migrations.AddConstraint(
            model_name='clip',
            constraint=models.UniqueConstraint(fields=('batch', 'sha256'), name='one_clip_per_digest'),
        ),
        migrations.AddConstraint(
            model_name='clip',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'single'), ('right_take', None)), models.Q(('kind', 'pair'), ('right_take__isnull', False)), _connector='OR'), name='clip_has_takes_of_its_kind'),
        ),
    ]
