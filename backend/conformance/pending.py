"""Completed sessions that are not analysed yet: verdict pending, or over quota."""

from django.db.models import Exists, OuterRef, QuerySet

from conformance.models import Verdict
from ratings.models import Origin, Session, SessionState, Trial, Vote

# reasons for excluding such a session, beside the names of rules
INCOMPLETE, UNJUDGED, BEYOND_QUOTA = "incomplete", "unjudged", "beyond_quota"
HAS_VOTES = Exists(Vote.objects.filter(session=OuterRef("pk")))
IS_JUDGED = Exists(Verdict.objects.filter(session=OuterRef("pk")))


def without_verdict() -> QuerySet[Session]:
    """Sessions with votes that have no verdict: still running, abandoned, or just completed."""
    return Session.objects.filter(HAS_VOTES, ~IS_JUDGED)


def beyond_quota() -> QuerySet[Session]:
    """Sessions over quota: no rule excludes them, but they have no quota slots, because another session got theirs.

    A session that gets slots later, because another session loses them, is no longer over quota. Simulated sessions
    never have slots or a quota.
    """
    has_slots = Exists(Trial.objects.filter(session=OuterRef("pk"), slot__isnull=False))
    done = Session.objects.filter(state=SessionState.COMPLETED, origin=Origin.PERSON, exclusions=None)
    return done.filter(HAS_VOTES, IS_JUDGED, ~has_slots)


def to_judge() -> QuerySet[Session]:
    """Completed sessions without a verdict, or with plays that their newest verdict has not considered.

    `finish` and late plays set `to_judge_since` in their transaction, so no other table is read. Sessions whose
    judging failed are due after all others.
    """
    return Session.objects.filter(to_judge_since__isnull=False).order_by("to_judge_since")
