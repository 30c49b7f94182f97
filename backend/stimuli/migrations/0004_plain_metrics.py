from django.db import migrations, models


class Migration(migrations.Migration):
    """Metrics of the plain film, beside those of the film on which motion is frozen."""

    dependencies = [
        ("stimuli", "0003_refusals"),
    ]

    operations = [
        migrations.AddField(model_name="take", name=f"{metric}_plain_ms", field=models.FloatField(null=True))
        for metric in ("fvc", "si", "vc85", "lvc")
    ]
