from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("analysis", "0004_whose_answers"),
    ]

    operations = [
        migrations.AddField(
            model_name="analysisstate",
            name="verdicts_read",
            field=models.PositiveBigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="snapshot",
            name="verdicts",
            field=models.PositiveIntegerField(default=0),
        ),
    ]
