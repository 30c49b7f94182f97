"""Erasure on a participant's demand: the one exception from append-only."""

from django.db import connection, transaction

from ratings.models import Exclusion, Participant, PersonAnswers, Play, Recruitment, Session, Trial, Vote
from studies.models import Slot, SlotState


def erase(participant: Participant) -> int:
    """Delete all that this participant left, and want their votes anew; returns how many votes are gone.

    Results and exports made before keep their snapshots; the next analysis reads without them.
    """
    sessions = Session.objects.filter(participant=participant)
    votes = Vote.objects.filter(session__in=sessions)
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL eyelevel.erasure = 'on'")
        slots = list(Trial.objects.filter(session__in=sessions, slot__isnull=False).values_list("slot_id", flat=True))
        count = votes.count()
        votes.delete()
        Play.objects.filter(trial__session__in=sessions).delete()
        Exclusion.objects.filter(session__in=sessions).delete()
        Trial.objects.filter(session__in=sessions).delete()
        PersonAnswers.objects.filter(session__in=sessions).delete()
        sessions.delete()
        Recruitment.objects.filter(participant=participant).delete()
        participant.delete()
        Slot.objects.filter(pk__in=slots).update(state=SlotState.OPEN)
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL eyelevel.erasure = 'off'")
    return count
