"""A role for guests; every token ends: those that would have lasted for ever get 90 days from now."""

from datetime import timedelta

from django.db import migrations, models
from django.utils import timezone


def end_tokens(apps, schema_editor):
    endless = apps.get_model("accounts", "ApiToken").objects.filter(expires_at=None)
    endless.update(expires_at=timezone.now() + timedelta(days=90))


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0001_initial'),
    ]

    operations = [
        migrations.AlterField(
            model_name='user',
            name='role',
            field=models.CharField(choices=[('guest', 'Guest'), ('researcher', 'Researcher'), ('admin', 'Admin')], default='researcher', max_length=16),
        ),
        migrations.AlterField(
            model_name='apitoken',
            name='scope',
            field=models.CharField(choices=[('batches', 'Batches'), ('studies', 'Studies'), ('results', 'Results')], max_length=16),
        ),
        migrations.AddField(
            model_name='apitoken',
            name='last_used_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.RunPython(end_tokens, migrations.RunPython.noop),
        migrations.AlterField(
            model_name='apitoken',
            name='expires_at',
            field=models.DateTimeField(),
        ),
    ]
