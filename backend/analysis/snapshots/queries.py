"""Reads a study's votes, plays, sessions and exclusions from the database in one consistent transaction."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Count, Exists, OuterRef
from psycopg import sql

from analysis.models import AnalysisState
from analysis.snapshots.columns import PARTS, VOTES
from analysis.snapshots.parts import Written, parts_of
from analysis.snapshots.verdicts import verdict_rows
from conformance.exclusions import exclusions_of
from conformance.models import Verdict
from ratings.models import ControlAnswer, Session, Trial, TrialRole, Vote

Row = tuple[Any, ...]
# must be the first statements of a transaction
ISOLATE = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
# the queries run side by side, and compiling or dividing one costs more processor time than it saves
PLAIN = "SET LOCAL jit = off; SET LOCAL max_parallel_workers_per_gather = 0"
# of a session, in the order of `columns.SESSIONS`
OF_SESSION = (
    *("language", "screen_width_px", "screen_height_px", "device_pixel_ratio", "started_at", "person__answers"),
    *("fielding__group", "origin", "completed_at"),
)


@dataclass(frozen=True)
class Rows:
    """Rows with the columns of `columns`, sorted, so that the same votes give the same rows."""

    parts: list[Written]
    sessions: list[Row]
    exclusions: list[Row]
    verdicts: list[Row]
    # numbers of verdicts and of erasures in the study so far
    verdicts_given: int
    erasures: int

    @property
    def votes(self) -> int:
        return sum(part.rows for part in self.parts if part.kind == VOTES)


def read(study_sha256: str, scratch: Path) -> Rows:
    """Read all data for an analysis of the study as of one moment, by read-only transactions side by side.

    Parts that are not stored yet are written into `scratch`.
    """
    with _one_moment(), _parts_beside(study_sha256, scratch) as parts_read:
        sessions = sorted(_sessions(study_sha256))
        excluded = exclusions_of(study_sha256)
        exclusions = sorted((str(session), reason) for session, reason in excluded)
        reasons: defaultdict[UUID, list[str]] = defaultdict(list)
        for session, reason in excluded:
            reasons[session].append(reason)
        voted = {UUID(session) for session, *_ in sessions}
        verdicts = sorted(verdict_rows(study_sha256, reasons, voted), key=str)
        verdicts_given = Verdict.objects.filter(session__fielding__study=study_sha256).count()
        state = AnalysisState.objects.filter(study=study_sha256).first()
        parts = parts_read()
    return Rows(
        parts=parts,
        sessions=sessions,
        exclusions=exclusions,
        verdicts=verdicts,
        verdicts_given=verdicts_given,
        erasures=state.erasures if state else 0,
    )


@contextmanager
def _one_moment() -> Iterator[None]:
    """A transaction that sees the database as of its first query."""
    # durable: not within another transaction, whose isolation level could no longer be set
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute(ISOLATE)
        cursor.execute(PLAIN)
        yield


@contextmanager
def _parts_beside(study_sha256: str, scratch: Path) -> Iterator[Callable[[], list[Written]]]:
    """Reads the parts as of this transaction while the block runs; yields a function that waits for them."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_export_snapshot()")
        moment: str = cursor.fetchone()[0]
    with ThreadPoolExecutor(len(PARTS)) as threads:
        reading = [threads.submit(_parts_at, moment, study_sha256, kind, scratch) for kind in PARTS]
        yield lambda: [part for result in reading for part in result.result()]


def _parts_at(moment: str, study_sha256: str, kind: str, scratch: Path) -> list[Written]:
    """`parts_of` as of an exported moment; for a thread, which has its own connection."""
    try:
        with _one_moment(), connection.cursor() as cursor:
            cursor.execute(sql.SQL("SET TRANSACTION SNAPSHOT {}").format(moment))
            return parts_of(study_sha256, kind, scratch)
    finally:
        connection.close()


def _sessions(study_sha256: str) -> Iterator[Row]:
    """Yields the rows of the sessions with a vote."""
    of_study = {"session__fielding__study": study_sha256}
    skipped = Trial.objects.filter(**of_study, role=TrialRole.CONTROL, skipped=True)
    skipped_of = dict(skipped.order_by().values_list("session").annotate(Count("pk")))
    chosen: defaultdict[Any, dict[str | None, str | None]] = defaultdict(dict)
    for session, key, choice in ControlAnswer.objects.filter(**of_study).values_list("session", "key", "choice"):
        chosen[session][key] = choice
    voted = Exists(Vote.objects.filter(session=OuterRef("pk")))
    rows = Session.objects.filter(voted, fielding__study=study_sha256).values_list("pk", *OF_SESSION)
    for session, *rest in rows.iterator():
        values = dict(zip(OF_SESSION, rest, strict=True))
        values["person__answers"] = None if values["person__answers"] is None else _json(values["person__answers"])
        choices = _json(chosen[session]) if session in chosen else None
        yield str(session), *values.values(), choices, skipped_of.get(session, 0)


def _json(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)
