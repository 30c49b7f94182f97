"""Retention of participants' rows: deletes previews, and plans of sessions in which nothing was played or answered."""

from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from lib import retention
from ratings.models import Origin, Participant, Play, Session, SessionState, Trial, Vote


def provide() -> None:
    retention.provide("previews", sweep_previews)
    retention.provide("unbegun", sweep_unbegun)


def sweep_previews(now: datetime, delete: bool) -> int:
    old = Session.objects.filter(origin=Origin.PREVIEW, started_at__lt=now - retention.period_of("previews"))
    if not delete:
        return old.count()
    with transaction.atomic():
        keys = list(old.values_list("pk", flat=True))
        people = list(old.values_list("participant", flat=True))
        Trial.objects.filter(session__in=keys).delete()
        Session.objects.filter(pk__in=keys).delete()
        Participant.objects.filter(pk__in=people, sessions=None).delete()
    return len(keys)


def sweep_unbegun(now: datetime, delete: bool) -> int:
    """Delete plans; returns the number of sessions, whose rows are kept because all started sessions are counted."""
    due = unbegun(now)
    if not delete:
        return due.count()
    with transaction.atomic():
        # a session for which a vote or play is being stored is locked, and skipped
        keys = list(due.select_for_update(of=("self",), skip_locked=True).values_list("pk", flat=True))
        Trial.objects.filter(session__in=keys).delete()
    return len(keys)


def unbegun(now: datetime) -> QuerySet[Session]:
    """Unfinished sessions with a plan in which nothing was played or answered, and that nobody can resume.

    Nobody can resume a session without a token: `privacy.retention` deletes tokens once the study no longer permits
    resuming.
    """
    trials = Trial.objects.filter(session=OuterRef("pk"))
    not_resumable = Session.objects.but_previews().filter(
        state__in=(SessionState.STARTED, SessionState.RESTARTED),
        token_sha256=None,
        other_token_sha256=None,
        started_at__lt=now - retention.period_of("unbegun"),
    )
    return not_resumable.filter(
        Exists(trials),
        ~Exists(trials.filter(slot__isnull=False)),
        ~Exists(Play.objects.filter(trial__session=OuterRef("pk"))),
        ~Exists(Vote.objects.filter(session=OuterRef("pk"))),
    )
