from django.db import migrations, models

from ratings.triggers import erasable

SESSION = ["id", "participant_id", "fielding_id", "number", "state", "origin"]
SESSION_BEFORE = ["id", "participant_id", "fielding_id", "claim", "state", "origin"]


class Migration(migrations.Migration):
    dependencies = [("ratings", "0009_play_without_events"), ("studies", "0005_assignments")]

    operations = [
        # going back, this comes last: the trigger of before
        migrations.RunSQL(migrations.RunSQL.noop, erasable("ratings_session", SESSION_BEFORE).sql),
        migrations.RemoveConstraint("session", "one_session_per_claim"),
        migrations.RemoveConstraint("session", "previews_have_no_claim"),
        migrations.RenameField("session", "claim", "number"),
        migrations.AddConstraint(
            "session", models.UniqueConstraint(fields=["fielding", "number"], name="one_session_per_number")
        ),
        migrations.AddConstraint(
            "session",
            models.CheckConstraint(
                condition=models.Q(origin="preview", number__isnull=True, preview__isnull=False)
                | ~models.Q(origin="preview") & models.Q(number__isnull=False, preview__isnull=True),
                name="previews_have_no_number",
            ),
        ),
        # it names the columns that a tombstone keeps
        erasable("ratings_session", SESSION),
    ]
