"""Completed sessions that are not analysed yet: verdict pending, or over quota."""

from datetime import timedelta

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from conformance.models import Verdict
from ratings.models import Origin, Play, Session, SessionState, Trial, Vote

# how long after a session's end a browser that was offline may still send a play
LATE = timedelta(days=7)
# reasons for leaving out such a session, beside the names of rules
INCOMPLETE, UNJUDGED, BEYOND_QUOTA = "incomplete", "unjudged", "beyond_quota"
HAS_VOTES = Exists(Vote.objects.filter(session=OuterRef("pk")))
IS_JUDGED = Exists(Verdict.objects.filter(session=OuterRef("pk")))


def without_verdict() -> QuerySet[Session]:
    """Sessions with votes that have no verdict: still running, abandoned, or just completed."""
    return Session.objects.filter(HAS_VOTES, ~IS_JUDGED)


def beyond_quota() -> QuerySet[Session]:
    """Sessions over quota: no rule leaves them out, but they hold no quota slot, since another session got theirs.

    A session that gets slots later, because another session gives them up, is no longer over quota.
    """
    has_slots = Exists(Trial.objects.filter(session=OuterRef("pk"), slot__isnull=False))
    return Session.objects.filter(HAS_VOTES, IS_JUDGED, ~has_slots, state=SessionState.COMPLETED, exclusions=None)


def to_judge() -> QuerySet[Session]:
    """Completed sessions without a verdict, or with plays that their newest verdict has not considered.

    Compares the number of plays, not their times: a play gets its time before it is stored.
    """
    own = Verdict.objects.filter(session=OuterRef("pk"))
    plays = Play.objects.filter(trial__session=OuterRef("pk"), trial__vote__isnull=False)
    counted = plays.order_by().values("trial__session").values(count=Count("pk"))
    completed = Session.objects.filter(state=SessionState.COMPLETED).exclude(origin=Origin.PREVIEW)
    looked_at = own.order_by("-id").values("plays")[:1]
    known = completed.annotate(stored=Coalesce(counted, 0), judged=Coalesce(looked_at, -1))
    late = Q(completed_at__gt=timezone.now() - LATE) & ~Q(judged=F("stored"))
    return known.filter(~Exists(own) | late).order_by("completed_at")
