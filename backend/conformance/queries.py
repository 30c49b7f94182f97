"""Sessions of a study with their verdicts, for the funnel, the researcher's list and snapshots."""

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, QuerySet

from conformance.exclusions import exclusions_of
from conformance.models import Verdict
from conformance.pending import INCOMPLETE, UNJUDGED
from ratings.models import Origin, Session, SessionState, Trial, Vote
from studies.models import Fielding

# number of sessions that queries over all sessions of a study read at a time
AT_ONCE = 1000


@dataclass(frozen=True)
class Judged:
    """A started session and its current state; previews are not included.

    `verdict` is the newest one. `left_out_by`: every rule that excludes the session from analyses, and BEYOND_QUOTA.
    """

    session_id: UUID
    group: str
    origin: str
    state: str
    # null if the session was erased
    started_at: datetime | None
    completed_at: datetime | None
    has_votes: bool
    verdict: Verdict | None
    # trials skipped for a narrow window, or because their clip did not play; known once the session is complete
    skipped: int
    left_out_by: tuple[str, ...]

    @property
    def completed(self) -> bool:
        return self.state == SessionState.COMPLETED

    @property
    def findings(self) -> list[dict[str, Any]]:
        return [] if self.verdict is None or self.verdict.findings is None else self.verdict.findings


def judged_sessions(study_sha256: str) -> Iterator[Judged]:
    """Yields every session of the study, ordered by start; keeps only AT_ONCE of them in memory."""
    keys = list(_in_order(study_sha256))
    for first in range(0, len(keys), AT_ONCE):
        yield from _judged(study_sha256, keys[first : first + AT_ONCE])


def page_of_sessions(
    study_sha256: str, *, first: int, count: int, simulated_too: bool = False
) -> tuple[list[Judged], int]:
    """`count` sessions in the same order from number `first` (from 0) on, and the total number of sessions.

    Only people's sessions, unless `simulated_too`.
    """
    keys = _in_order(study_sha256)
    if not simulated_too:
        keys = keys.filter(origin=Origin.PERSON)
    return list(_judged(study_sha256, list(keys[first : first + count]))), keys.count()


def _in_order(study_sha256: str) -> QuerySet[Session, UUID]:
    """Ids of the started sessions by start; read from the index `sessions_by_start` alone."""
    fieldings = list(Fielding.objects.filter(study=study_sha256).values_list("pk", flat=True))
    started = Session.objects.but_previews().filter(fielding__in=fieldings)
    return started.order_by("started_at", "id").values_list("id", flat=True)


def _judged(study_sha256: str, keys: Collection[UUID]) -> Iterator[Judged]:
    """Yields these sessions of the study; reads no rows of others."""
    excluded: dict[UUID, list[str]] = defaultdict(list)
    for session_id, reason in exclusions_of(study_sha256, sessions=keys):
        # that there is no verdict yet is visible in `verdict`
        if reason not in (INCOMPLETE, UNJUDGED):
            excluded[session_id].append(reason)
    given = Verdict.objects.filter(session__in=keys)
    # the newest per session: late plays lead to a further verdict, and none is deleted
    newest = given.order_by("session_id", "-id").distinct("session_id")
    verdicts = {verdict.session_id: verdict for verdict in newest}
    voted = set(Vote.objects.filter(session__in=keys).values_list("session_id", flat=True).distinct())
    left_out = Trial.objects.filter(session__in=keys, skipped=True).order_by().values_list("session_id")
    skipped = dict(left_out.annotate(trials=Count("id")))
    for session in Session.objects.filter(pk__in=keys).select_related("fielding").order_by("started_at", "id"):
        yield Judged(
            session_id=session.id,
            group=session.fielding.group,
            origin=session.origin,
            state=session.state,
            started_at=session.started_at,
            completed_at=session.completed_at,
            has_votes=session.id in voted,
            verdict=verdicts.get(session.id),
            skipped=skipped.get(session.id, 0),
            left_out_by=tuple(sorted(excluded[session.id])),
        )
