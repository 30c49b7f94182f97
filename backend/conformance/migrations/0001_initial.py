import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models
from ratings.triggers import append_only, of_the_living


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('ratings', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Verdict',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('erased_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('version', models.PositiveIntegerField(null=True)),
                ('accepted', models.BooleanField(null=True)),
                ('used', models.BooleanField(null=True)),
                ('findings', models.JSONField(null=True)),
                ('plays', models.PositiveIntegerField(null=True)),
                ('judged_at', models.DateTimeField(default=django.utils.timezone.now, null=True)),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='verdicts', to='ratings.session')),
            ],
            options={
                'ordering': ['session', 'id'],
            },
        ),
        append_only("conformance_verdict", ["id", "session_id"]),
        of_the_living("conformance_verdict", "ratings_session", "session_id"),
    ]
