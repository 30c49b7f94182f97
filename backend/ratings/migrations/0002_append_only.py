"""Votes, plays and exclusions are only ever added: the database refuses the rest, whoever asks.

Erasure on a participant's demand is the one exception: it deletes, in a transaction that has said
`SET LOCAL eyelevel.erasure = 'on'`.
"""

from django.db import migrations

TABLES = ["ratings_vote", "ratings_play", "ratings_exclusion"]

FUNCTION = """
CREATE FUNCTION eyelevel_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('eyelevel.erasure', true) = 'on' THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION '% is append-only; % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END;
$$;
"""


def trigger(table: str) -> str:
    return (
        f"CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON {table} "
        "FOR EACH ROW EXECUTE FUNCTION eyelevel_append_only();"
    )


class Migration(migrations.Migration):
    dependencies = [("ratings", "0001_initial")]

    operations = [
        migrations.RunSQL(FUNCTION, "DROP FUNCTION eyelevel_append_only();"),
        *(migrations.RunSQL(trigger(table), f"DROP TRIGGER append_only ON {table};") for table in TABLES),
    ]
