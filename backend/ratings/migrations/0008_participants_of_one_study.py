"""A participant is one person in one study; and a session may go on in a second browser."""

import uuid

import django.db.models.deletion
from django.db import migrations, models


def part(apps, schema_editor):
    """Give whoever took part in several studies a participant for each; the first study keeps the old one.

    The new ids follow from the old ones, so that an older dump that is put back gives the same, and the ledger of
    erasures finds them.
    """
    Session, Participant, Recruitment = (
        apps.get_model("ratings", name) for name in ("Session", "Participant", "Recruitment")
    )
    for recruitment in Recruitment.objects.select_related("participant"):
        own = Session.objects.filter(participant=recruitment.participant_id).order_by("started_at", "id")
        studies = list(dict.fromkeys(own.values_list("fielding__study_id", flat=True)))
        if not studies:
            recruitment.delete()
            continue
        recruitment.study_id = studies[0]
        recruitment.save()
        for study in studies[1:]:
            known = recruitment.participant
            participant = Participant.objects.create(id=uuid.uuid5(known.id, study), created_at=known.created_at)
            own.filter(fielding__study=study).update(participant=participant)
            Recruitment.objects.create(
                participant=participant,
                study_id=study,
                recruiter=recruitment.recruiter,
                recruiter_id=recruitment.recruiter_id,
            )


class Migration(migrations.Migration):

    dependencies = [
        ("ratings", "0007_tombstones"),
        ("studies", "0004_seats"),
    ]

    operations = [
        migrations.AddField(
            model_name="session",
            name="other_token_sha256",
            field=models.CharField(max_length=64, null=True, unique=True),
        ),
        migrations.AddField(
            model_name="recruitment",
            name="study",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="studies.study"
            ),
        ),
        migrations.RemoveConstraint(model_name="recruitment", name="one_participant_per_recruit"),
        migrations.RunPython(part, migrations.RunPython.noop),
        # what is written and what changes the table cannot wait for one another
        migrations.RunSQL("SET CONSTRAINTS ALL IMMEDIATE", migrations.RunSQL.noop),
        migrations.AlterField(
            model_name="recruitment",
            name="study",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="studies.study"
            ),
        ),
        migrations.AddConstraint(
            model_name="recruitment",
            constraint=models.UniqueConstraint(
                fields=["study", "recruiter", "recruiter_id"], name="one_participant_per_recruit_and_study"
            ),
        ),
    ]
