"""Simulated sessions give their quota slots back, and are numbered apart from those of people."""

from django.db import migrations, models

HELD = """
    SELECT trial.slot_id FROM ratings_trial trial JOIN ratings_session session ON session.id = trial.session_id
    WHERE session.origin = 'simulated' AND trial.slot_id IS NOT NULL
"""
OPEN_SLOTS = f"UPDATE studies_slot SET state = 'open' WHERE id IN ({HELD})"
FREE_ASSIGNMENTS = f"""
    UPDATE studies_assignment assignment SET is_free = true
    WHERE EXISTS (
        SELECT 1 FROM studies_slot slot WHERE slot.id IN ({HELD})
        AND slot.fielding_id = assignment.fielding_id AND slot.assignment = assignment.number
    ) AND NOT EXISTS (
        SELECT 1 FROM studies_slot slot WHERE slot.state <> 'open'
        AND slot.fielding_id = assignment.fielding_id AND slot.assignment = assignment.number
    )
"""
TAKE_FROM_TRIALS = """
    UPDATE ratings_trial trial SET slot_id = NULL FROM ratings_session session
    WHERE session.id = trial.session_id AND session.origin = 'simulated' AND trial.slot_id IS NOT NULL
"""
# the numbers of later simulated sessions are higher than the count
COUNT = """
    UPDATE studies_fielding fielding SET sessions_simulated = (
        SELECT coalesce(max(session.number), 0) FROM ratings_session session
        WHERE session.fielding_id = fielding.id AND session.origin = 'simulated'
    )
"""


class Migration(migrations.Migration):
    dependencies = [("ratings", "0016_missing_ids"), ("studies", "0010_sessions_simulated")]

    operations = [
        *(
            migrations.RunSQL(statement, migrations.RunSQL.noop)
            for statement in (OPEN_SLOTS, FREE_ASSIGNMENTS, TAKE_FROM_TRIALS, COUNT)
        ),
        migrations.RemoveConstraint(model_name="session", name="one_session_per_number"),
        migrations.AddConstraint(
            model_name="session",
            constraint=models.UniqueConstraint(
                fields=("fielding", "origin", "number"), name="one_session_per_origin_and_number"
            ),
        ),
    ]
