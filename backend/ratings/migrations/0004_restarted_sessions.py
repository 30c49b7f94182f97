from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0003_roles_and_evidence'),
    ]

    operations = [
        migrations.AlterField(
            model_name='session',
            name='state',
            field=models.CharField(choices=[('started', 'Started'), ('completed', 'Completed'), ('restarted', 'Restarted')], default='started', max_length=16),
        ),
    ]
