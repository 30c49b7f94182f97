"""The log of erasures, which is append-only, and failed guesses of completion codes."""

import django.contrib.postgres.fields
import django.utils.timezone
import uuid
from django.db import migrations, models
from ratings.triggers import append_only


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        # for the triggers' functions
        ('ratings', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Erasure',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, primary_key=True, serialize=False)),
                ('participant', models.UUIDField(unique=True)),
                ('erased_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('by', models.CharField(choices=[('participant', 'Participant'), ('admin', 'Admin')], max_length=16)),
                ('rows', models.JSONField()),
                ('votes', models.PositiveIntegerField()),
                ('studies', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=64), size=None)),
                ('snapshots', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=64), size=None)),
                ('exports', django.contrib.postgres.fields.ArrayField(base_field=models.UUIDField(), size=None)),
            ],
            options={
                'ordering': ['-erased_at'],
            },
        ),
        migrations.CreateModel(
            name='FailedCode',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('failed_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
            ],
        ),
        append_only("privacy_erasure", []),
    ]
