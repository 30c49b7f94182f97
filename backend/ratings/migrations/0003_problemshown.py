import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0002_study_deletion'),
        ('studies', '0002_study_archived_at'),
    ]

    operations = [
        migrations.AlterField(
            model_name='playfailure',
            name='fault',
            field=models.CharField(choices=[('undecodable', 'Undecodable'), ('damaged', 'Damaged'), ('gone', 'Gone'), ('incomplete', 'Incomplete')], max_length=16),
        ),
        migrations.AddField(
            model_name='trial',
            name='unplayable',
            field=models.BooleanField(default=False, null=True),
        ),
        migrations.CreateModel(
            name='ProblemShown',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=32)),
                ('day', models.DateField()),
                ('times', models.PositiveIntegerField(default=0)),
                ('fielding', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='studies.fielding')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('fielding', 'code', 'day'), name='one_count_per_link_code_and_day')],
            },
        ),
    ]
