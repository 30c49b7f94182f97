"""The log is only ever added to: the database refuses the rest, whoever asks, erasure included."""

from django.db import migrations

FUNCTION = """
CREATE FUNCTION eyelevel_audit_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only; % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END;
$$;
"""

TRIGGER = """
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON audit_auditentry
FOR EACH ROW EXECUTE FUNCTION eyelevel_audit_append_only();
"""


class Migration(migrations.Migration):
    dependencies = [("audit", "0001_initial")]

    operations = [
        migrations.RunSQL(FUNCTION, "DROP FUNCTION eyelevel_audit_append_only();"),
        migrations.RunSQL(TRIGGER, "DROP TRIGGER append_only ON audit_auditentry;"),
    ]
