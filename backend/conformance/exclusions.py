"""Exclusions from analyses, with their reasons: the single definition for snapshots, staleness and funnels."""

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
    """`(session, reason)` for every exclusion: the name of a rule, or incomplete, unjudged or beyond_quota.

    For all sessions of the study, or only for `sessions`.
    """
    of_study = (rows.filter(of_fielding__in=_fieldings([study_sha256])) for rows in _rows())
    selected = of_study if sessions is None else (rows.filter(of_session__in=sessions) for rows in of_study)
    return [(session, str(reason)) for rows in selected for _, session, reason in rows]


def exclusion_counts(studies: Collection[str]) -> Counter[str]:
    """Number of exclusions in each of these studies; a study without exclusions is not listed."""
    counts: Counter[str] = Counter()
    study_of = _fieldings(studies)
    for rows in _rows():
        counted = rows.filter(of_fielding__in=study_of).order_by().values_list("of_fielding").annotate(Count("pk"))
        for fielding, count in counted:
            counts[study_of[fielding]] += count
    return counts


def exclusion_count(study_sha256: str) -> int:
    return exclusion_counts([study_sha256])[study_sha256]


def _fieldings(studies: Collection[str]) -> dict[int, str]:
    """The study of each fielding of these studies; with their keys, PostgreSQL can estimate which are large."""
    return dict(Fielding.objects.filter(study__in=studies).values_list("pk", "study"))


def _rows() -> Iterator[Rows]:
    """`(fielding, session, reason)`, as disjoint queries: rules, sessions without a verdict, sessions over quota."""
    columns = ("of_fielding", "of_session", "reason")
    ruled = Exclusion.objects.annotate(of_fielding=F("session__fielding"), of_session=F("session"))
    yield ruled.annotate(reason=F("rule")).values_list(*columns)
    unjudged = Case(When(state=SessionState.COMPLETED, then=Value(UNJUDGED)), default=Value(INCOMPLETE))
    for sessions, reason in ((without_verdict(), unjudged), (beyond_quota(), Value(BEYOND_QUOTA))):
        excluded = sessions.annotate(of_fielding=F("fielding"), of_session=F("pk"), reason=reason)
        yield excluded.values_list(*columns)
