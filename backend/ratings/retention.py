"""What is deleted of participants' rows in time: previews, and plans of sessions in which nothing happened."""

from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from lib import retention
from ratings.models import Origin, Participant, Play, Session, SessionState, Trial, Vote


def provide() -> None:
    retention.provide("previews", sweep_previews)
    retention.provide("unbegun", sweep_unbegun)


def sweep_previews(now: datetime, delete: bool) -> int:
    old = Session.objects.filter(origin=Origin.PREVIEW, started_at__lt=now - retention.kept("previews"))
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
    """Returns the number of sessions; their rows stay, because all sessions that began are counted."""
    found = unbegun(now)
    if not delete:
        return found.count()
    with transaction.atomic():
        # a trial that a vote or play is just being stored for is locked with its session
        keys = list(found.select_for_update(of=("self",), skip_locked=True).values_list("pk", flat=True))
        Trial.objects.filter(session__in=keys).delete()
    return len(keys)


def unbegun(now: datetime) -> QuerySet[Session]:
    """Unfinished sessions with a plan in which nothing was played or answered, and that nobody can continue.

    Without a cookie's token on the server nobody can: `privacy.retention` removes both once the study no longer lets
    the person resume.
    """
    own = Trial.objects.filter(session=OuterRef("pk"))
    nobody = Session.objects.but_previews().filter(
        state__in=(SessionState.STARTED, SessionState.RESTARTED),
        token_sha256=None,
        other_token_sha256=None,
        started_at__lt=now - retention.kept("unbegun"),
    )
    return nobody.filter(
        Exists(own),
        ~Exists(own.filter(slot__isnull=False)),
        ~Exists(Play.objects.filter(trial__session=OuterRef("pk"))),
        ~Exists(Vote.objects.filter(session=OuterRef("pk"))),
    )
