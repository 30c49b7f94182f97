"""The audit log, which is append-only without exception: erasure cannot change it either."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


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

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='AuditEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('actor_name', models.CharField(blank=True, max_length=150)),
                ('what', models.CharField(choices=[('publish', 'Publish'), ('open', 'Open'), ('pause', 'Pause'), ('close', 'Close'), ('export', 'Export'), ('unblind', 'Unblind'), ('look', 'Look'), ('erase', 'Erase'), ('account', 'Account'), ('role', 'Role'), ('share', 'Share'), ('token', 'Token')], max_length=16)),
                ('kind', models.CharField(choices=[('study', 'Study'), ('fielding', 'Fielding'), ('account', 'Account'), ('other', 'Other')], max_length=16)),
                ('target', models.CharField(max_length=200)),
                ('study_sha256', models.CharField(max_length=64, null=True)),
                ('details', models.JSONField(default=dict)),
                ('actor', models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'audit entries',
                'indexes': [models.Index(fields=['study_sha256', 'at'], name='audit_audit_study_s_c2f4fe_idx'), models.Index(fields=['at'], name='audit_audit_at_bd7d43_idx')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('what', 'unblind')), fields=('actor', 'study_sha256'), name='unblinded_once')],
            },
        ),
        migrations.RunSQL(FUNCTION, "DROP FUNCTION eyelevel_audit_append_only();"),
        migrations.RunSQL(TRIGGER, "DROP TRIGGER append_only ON audit_auditentry;"),
    ]
