import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('studies', '0002_study_archived_at'),
    ]

    operations = [
        migrations.CreateModel(
            name='RaisedAlert',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=32)),
                ('subject', models.CharField(max_length=160)),
                ('raised_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('mailed_at', models.DateTimeField(blank=True, null=True)),
                ('posted_at', models.DateTimeField(blank=True, null=True)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='studies.study')),
            ],
            options={
                'ordering': ['-raised_at'],
                'constraints': [models.UniqueConstraint(fields=('study', 'code', 'subject'), name='one_alert_per_study_code_and_subject')],
            },
        ),
    ]
