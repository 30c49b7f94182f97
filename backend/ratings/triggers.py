"""SQL of the triggers that protect participants' rows, for migrations.

Two kinds of table have rows about participants: append-only ones (votes, plays, ...), and mutable ones (sessions,
trials, ...). In both, a row becomes a tombstone only in a transaction with `SET LOCAL eyelevel.erasure = 'on'`, only
completely, and permanently. Rows are deleted only with their study, in a transaction with
`SET LOCAL eyelevel.study_deletion = DIGEST`, and only rows of that study.
"""

from collections.abc import Sequence

from django.db import migrations

FUNCTIONS = migrations.RunSQL(
    """
CREATE FUNCTION eyelevel_is_tombstone_of(old_row jsonb, new_row jsonb, kept text[]) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
  SELECT old_row->>'erased_at' IS NULL
     AND new_row->>'erased_at' IS NOT NULL
     AND jsonb_strip_nulls(new_row - kept - 'erased_at'::text) = '{}'::jsonb
     AND (SELECT coalesce(bool_and(old_row->name IS NOT DISTINCT FROM new_row->name), true) FROM unnest(kept) AS name)
$$;

CREATE FUNCTION eyelevel_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND current_setting('eyelevel.erasure', true) = 'on'
     AND eyelevel_is_tombstone_of(to_jsonb(OLD), to_jsonb(NEW), TG_ARGV::text[]) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION '% is append-only; % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END;
$$;

CREATE FUNCTION eyelevel_tombstone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF to_jsonb(OLD)->>'erased_at' IS NOT NULL THEN
    RAISE EXCEPTION 'a row of % is a tombstone; % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
  END IF;
  IF TG_OP = 'DELETE' THEN
    RETURN OLD;
  END IF;
  IF to_jsonb(NEW)->>'erased_at' IS NOT NULL AND NOT (
    coalesce(current_setting('eyelevel.erasure', true), '') = 'on'
    AND eyelevel_is_tombstone_of(to_jsonb(OLD), to_jsonb(NEW), TG_ARGV::text[])
  ) THEN
    RAISE EXCEPTION 'a row of % is erased whole or not at all; % refused', TG_TABLE_NAME, TG_OP
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END;
$$;

CREATE FUNCTION eyelevel_of_the_living() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  erased timestamptz;
BEGIN
  -- waits for an erasure that is at work on the parent
  EXECUTE format('SELECT erased_at FROM %I WHERE id = %L FOR SHARE', TG_ARGV[0], to_jsonb(NEW)->>TG_ARGV[1])
    INTO erased;
  IF erased IS NOT NULL THEN
    RAISE EXCEPTION '% belongs to an erased row of %; % refused', TG_TABLE_NAME, TG_ARGV[0], TG_OP
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END;
$$;
""",
    """
DROP FUNCTION eyelevel_of_the_living(), eyelevel_tombstone(), eyelevel_append_only(),
  eyelevel_is_tombstone_of(jsonb, jsonb, text[]);
""",
)

STUDY_DELETION = migrations.RunSQL(
    """
-- fails closed: a row of a table without a way to a session is never one of a study
CREATE FUNCTION eyelevel_is_of_deleted_study(table_name text, gone jsonb) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
DECLARE
  study text := nullif(current_setting('eyelevel.study_deletion', true), '');
  session_key uuid;
BEGIN
  IF study IS NULL THEN
    RETURN false;
  END IF;
  IF table_name = 'ratings_participant' THEN
    RETURN EXISTS (
      SELECT FROM ratings_session s JOIN studies_fielding f ON f.id = s.fielding_id
      WHERE s.participant_id = (gone->>'id')::uuid AND f.study_id = study
    );
  ELSIF table_name = 'ratings_session' THEN
    session_key := (gone->>'id')::uuid;
  ELSIF gone->>'session_id' IS NOT NULL THEN
    session_key := (gone->>'session_id')::uuid;
  ELSE
    SELECT session_id INTO session_key FROM ratings_trial WHERE id = (gone->>'trial_id')::bigint;
  END IF;
  RETURN EXISTS (
    SELECT FROM ratings_session s JOIN studies_fielding f ON f.id = s.fielding_id
    WHERE s.id = session_key AND f.study_id = study
  );
END;
$$;

CREATE OR REPLACE FUNCTION eyelevel_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND current_setting('eyelevel.erasure', true) = 'on'
     AND eyelevel_is_tombstone_of(to_jsonb(OLD), to_jsonb(NEW), TG_ARGV::text[]) THEN
    RETURN NEW;
  END IF;
  IF TG_OP = 'DELETE' AND eyelevel_is_of_deleted_study(TG_TABLE_NAME, to_jsonb(OLD)) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION '% is append-only; % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END;
$$;

CREATE OR REPLACE FUNCTION eyelevel_tombstone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND eyelevel_is_of_deleted_study(TG_TABLE_NAME, to_jsonb(OLD)) THEN
    RETURN OLD;
  END IF;
  IF to_jsonb(OLD)->>'erased_at' IS NOT NULL THEN
    RAISE EXCEPTION 'a row of % is a tombstone; % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
  END IF;
  IF TG_OP = 'DELETE' THEN
    RETURN OLD;
  END IF;
  IF to_jsonb(NEW)->>'erased_at' IS NOT NULL AND NOT (
    coalesce(current_setting('eyelevel.erasure', true), '') = 'on'
    AND eyelevel_is_tombstone_of(to_jsonb(OLD), to_jsonb(NEW), TG_ARGV::text[])
  ) THEN
    RAISE EXCEPTION 'a row of % is erased whole or not at all; % refused', TG_TABLE_NAME, TG_OP
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END;
$$;
""",
    migrations.RunSQL.noop,
)


def append_only(table: str, kept: Sequence[str]) -> migrations.RunSQL:
    """A trigger for append-only rows, which may only become tombstones that keep the columns `kept`."""
    return _trigger(table, "append_only", "BEFORE UPDATE OR DELETE", "eyelevel_append_only", kept)


def erasable(table: str, kept: Sequence[str]) -> migrations.RunSQL:
    """A trigger for mutable rows, which may become tombstones that keep the columns `kept` and never change."""
    return _trigger(table, "tombstone", "BEFORE UPDATE OR DELETE", "eyelevel_tombstone", kept)


def of_the_living(table: str, parent: str, column: str) -> migrations.RunSQL:
    """A trigger that rejects new rows whose `column` refers to a tombstone of `parent`."""
    return _trigger(table, "of_the_living", "BEFORE INSERT", "eyelevel_of_the_living", (parent, column))


def _trigger(table: str, name: str, when: str, function: str, arguments: Sequence[str]) -> migrations.RunSQL:
    listed = ", ".join(f"'{argument}'" for argument in arguments)
    return migrations.RunSQL(
        f"CREATE TRIGGER {name} {when} ON {table} FOR EACH ROW EXECUTE FUNCTION {function}({listed})",
        f"DROP TRIGGER {name} ON {table}",
    )
