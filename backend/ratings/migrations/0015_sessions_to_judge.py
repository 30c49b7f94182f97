from django.db import migrations, models

# a verdict that was given before stays, since a study keeps the version of its rules
FILL = (
    "UPDATE ratings_session SET to_judge_since = completed_at"
    " WHERE state = 'completed' AND origin <> 'preview' AND erased_at IS NULL"
    " AND NOT EXISTS (SELECT FROM conformance_verdict WHERE session_id = ratings_session.id)"
)


class Migration(migrations.Migration):
    dependencies = [
        ("ratings", "0014_leases_by_progress"),
        ("studies", "0008_assignment_rows"),
        # for the table that FILL reads
        ("conformance", "0003_plays"),
    ]

    operations = [
        migrations.AddField(
            model_name="session",
            name="to_judge_since",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name="session",
            name="lease_until",
            field=models.DateTimeField(null=True),
        ),
        migrations.RemoveIndex(
            model_name="session",
            name="sessions_by_start",
        ),
        migrations.AddIndex(
            model_name="session",
            index=models.Index(
                fields=["fielding", "started_at", "id"],
                include=("state", "origin", "erased_at"),
                name="sessions_by_start",
            ),
        ),
        migrations.AddIndex(
            model_name="session",
            index=models.Index(
                condition=models.Q(("state", "started")),
                fields=["fielding", "lease_until"],
                name="running_sessions",
            ),
        ),
        migrations.AddIndex(
            model_name="session",
            index=models.Index(
                condition=models.Q(("to_judge_since__isnull", False)),
                fields=["to_judge_since"],
                name="sessions_to_judge",
            ),
        ),
        migrations.AddIndex(
            model_name="session",
            index=models.Index(
                condition=models.Q(("unknown_parameters__isnull", False)),
                fields=["fielding"],
                name="sessions_of_unknown_links",
            ),
        ),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
    ]
