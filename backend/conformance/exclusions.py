"""Sessions left out of analyses, with the reason: the one definition, which snapshots, staleness and funnels read."""

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any
from uuid import UUID

from django.db.models import Case, Count, F, QuerySet, Value, When

from conformance.pending import BEYOND_QUOTA, INCOMPLETE, UNJUDGED, beyond_quota, without_verdict
from ratings.models import Exclusion, SessionState
from studies.models import Fielding

Rows = QuerySet[Any, Any]


def exclusions_of(study_sha256: str, *, sessions: Collection[UUID] | None = None) -> list[tuple[UUID, str]]:
    """`(session, reason)` for every reason: a rule's name, or that it is incomplete, unjudged or over quota.

    Of all sessions of the study, or of these alone.
    """
    found = (rows.filter(of_fielding__in=_fieldings([study_sha256])) for rows in _rows())
    wanted = found if sessions is None else (rows.filter(of_session__in=sessions) for rows in found)
    return [(session, str(reason)) for rows in wanted for _, session, reason in rows]


def exclusion_counts(studies: Collection[str]) -> Counter[str]:
    """How many exclusions each of these studies has; a study without exclusions is not listed."""
    counts: Counter[str] = Counter()
    study_of = _fieldings(studies)
    for rows in _rows():
        found = rows.filter(of_fielding__in=study_of).order_by().values_list("of_fielding").annotate(Count("pk"))
        for fielding, count in found:
            counts[study_of[fielding]] += count
    return counts


def exclusion_count(study_sha256: str) -> int:
    return exclusion_counts([study_sha256])[study_sha256]


def _fieldings(studies: Collection[str]) -> dict[int, str]:
    """The studies' fieldings, each with its study. Asked by their keys, PostgreSQL knows which of them are large."""
    return dict(Fielding.objects.filter(study__in=studies).values_list("pk", "study"))


def _rows() -> Iterator[Rows]:
    """`(fielding, session, reason)`, as disjoint queries: rules, sessions without a verdict, sessions over quota."""
    columns = ("of_fielding", "of_session", "reason")
    ruled = Exclusion.objects.annotate(of_fielding=F("session__fielding"), of_session=F("session"))
    yield ruled.annotate(reason=F("rule")).values_list(*columns)
    unjudged = Case(When(state=SessionState.COMPLETED, then=Value(UNJUDGED)), default=Value(INCOMPLETE))
    for sessions, reason in ((without_verdict(), unjudged), (beyond_quota(), Value(BEYOND_QUOTA))):
        found = sessions.annotate(of_fielding=F("fielding"), of_session=F("pk"), reason=reason)
        yield found.values_list(*columns)
