"""Sessions that are in no analysis though no rule leaves them out: nobody has judged them, or they hold no seat."""

from datetime import timedelta

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from conformance.models import Verdict
from ratings.models import Origin, Play, Session, SessionState, Trial, Vote

# so long after its end a play of a session may still come from a browser that was offline
LATE = timedelta(days=7)
# why such a session is left out, beside the names of rules
INCOMPLETE, UNJUDGED, BEYOND_QUOTA = "incomplete", "unjudged", "beyond_quota"
HAS_VOTES = Exists(Vote.objects.filter(session=OuterRef("pk")))
IS_JUDGED = Exists(Verdict.objects.filter(session=OuterRef("pk")))


def without_verdict() -> QuerySet[Session]:
    """Sessions with votes that are not judged: still under way, given up, or just completed."""
    return Session.objects.filter(HAS_VOTES, ~IS_JUDGED)


def why_left_out(session: Session) -> str:
    """Of a session without a verdict."""
    return UNJUDGED if session.state == SessionState.COMPLETED else INCOMPLETE


def beyond_quota() -> QuerySet[Session]:
    """Sessions that every rule keeps, but whose seat another one has: who comes too late adds no votes to a cell.

    One that gets a seat after all, since somebody gives theirs up, is no longer among them.
    """
    has_seat = Exists(Trial.objects.filter(session=OuterRef("pk"), slot__isnull=False))
    return Session.objects.filter(HAS_VOTES, IS_JUDGED, ~has_seat, state=SessionState.COMPLETED, exclusions=None)


def to_judge() -> QuerySet[Session]:
    """Completed sessions without a verdict, or with other plays than their newest one looked at.

    Plays are counted, as their times do not tell which were stored by then: a play is dated before it is stored.
    """
    own = Verdict.objects.filter(session=OuterRef("pk"))
    plays = Play.objects.filter(trial__session=OuterRef("pk"), trial__vote__isnull=False)
    counted = plays.order_by().values("trial__session").values(count=Count("pk"))
    completed = Session.objects.filter(state=SessionState.COMPLETED).exclude(origin=Origin.PREVIEW)
    looked_at = own.order_by("-id").values("plays")[:1]
    known = completed.annotate(stored=Coalesce(counted, 0), judged=Coalesce(looked_at, -1))
    late = Q(completed_at__gt=timezone.now() - LATE) & ~Q(judged=F("stored"))
    return known.filter(~Exists(own) | late).order_by("completed_at")
