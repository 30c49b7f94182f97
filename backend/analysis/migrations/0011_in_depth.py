"""Tables in depth of a result, computed once the study is closed."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('analysis', '0010_origin'),
    ]

    operations = [
        migrations.CreateModel(
            name='InDepthResult',
            fields=[
                ('result', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='in_depth', serialize=False, to='analysis.result')),
                ('state', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed')], default='queued', max_length=8)),
                ('part', models.CharField(blank=True, default='', max_length=100)),
                ('parts_done', models.PositiveIntegerField(default=0)),
                ('parts', models.PositiveIntegerField(default=0)),
                ('tables', models.JSONField(default=dict)),
                ('hypotheses', models.JSONField(default=list)),
                ('error', models.TextField(blank=True, default='')),
                ('claim_id', models.UUIDField(blank=True, null=True)),
                ('moved_at', models.DateTimeField()),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
            ],
        ),
    ]
