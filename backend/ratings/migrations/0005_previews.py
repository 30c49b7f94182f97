from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ratings", "0004_restarted_sessions")]

    operations = [
        migrations.AlterField("session", "claim", models.PositiveIntegerField(null=True)),
        migrations.AddField("session", "preview", models.JSONField(blank=True, null=True)),
        migrations.AddConstraint(
            "session",
            models.CheckConstraint(
                condition=models.Q(
                    models.Q(("claim__isnull", True), ("origin", "preview"), ("preview__isnull", False)),
                    models.Q(
                        models.Q(("origin", "preview"), _negated=True),
                        models.Q(("claim__isnull", False), ("preview__isnull", True)),
                    ),
                    _connector="OR",
                ),
                name="previews_have_no_claim",
            ),
        ),
    ]
