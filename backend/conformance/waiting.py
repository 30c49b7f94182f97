"""Sessions on which there is no verdict. What nobody has judged is in no analysis."""

from datetime import timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from conformance.models import Verdict
from ratings.models import Origin, Play, Session, SessionState, Vote

# so long after its end a play of a session may still come from a browser that was offline
LATE = timedelta(days=7)
# why a session without a verdict is left out, beside the names of rules
INCOMPLETE, UNJUDGED = "incomplete", "unjudged"


def without_verdict() -> QuerySet[Session]:
    """Sessions with votes that are not judged: still under way, given up, or just completed."""
    has_votes = Exists(Vote.objects.filter(session=OuterRef("pk")))
    return Session.objects.filter(has_votes, ~Exists(Verdict.objects.filter(session=OuterRef("pk"))))


def why_left_out(session: Session) -> str:
    """Of a session without a verdict."""
    return UNJUDGED if session.state == SessionState.COMPLETED else INCOMPLETE


def to_judge() -> QuerySet[Session]:
    """Completed sessions without a verdict, or with plays that arrived after their newest one."""
    own = Verdict.objects.filter(session=OuterRef("pk"))
    newest = own.order_by("-id").values("judged_at")[:1]
    lately = Q(completed_at__gt=timezone.now() - LATE)
    late = lately & Exists(Play.objects.filter(trial__session=OuterRef("pk"), received_at__gt=OuterRef("newest")))
    completed = Session.objects.filter(state=SessionState.COMPLETED).exclude(origin=Origin.PREVIEW)
    return completed.annotate(newest=newest).filter(Q(newest=None) | late).order_by("completed_at")
