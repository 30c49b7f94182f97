"""Parts of a snapshot: one Parquet file per day with votes, and one with plays; parts of past days are reused.

A part is written from the database, in the transaction that reads the other data, and belongs to all snapshots that
name its digest.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from pathlib import Path
from typing import Any
from uuid import UUID

import pyarrow as pa
from django.db import transaction
from django.db.models import Count, QuerySet
from django.db.models.functions import TruncDate

from analysis.models import AnalysisState, Part, Snapshot
from analysis.snapshots import files
from analysis.snapshots.columns import PARTS, PLAYS, VOTES, part_name
from analysis.snapshots.parquet import schema_of, write_groups
from analysis.snapshots.plays import play_batches, plays_of
from analysis.snapshots.votes import Clips, vote_batches, votes_of
from eyelevel_core.contracts import canonical_json, sha256_of_bytes, sha256_of_file
from ratings.models import Session
from stimuli.models import Clip
from studies.models import Stimulus


@dataclass(frozen=True)
class Written:
    """A part; `path` is its file if it is not in the store yet."""

    kind: str
    day: date
    rows: int
    sha256: str
    bytes: int
    session_ids: list[UUID]
    path: Path | None

    @property
    def name(self) -> str:
        return part_name(self.kind, self.day)


# increase it when the same votes or plays get other cells
CELLS_VERSION = 1


@cache
def form_of(kind: str) -> str:
    """Digest of the columns of a kind of part, and of the version of their contents."""
    columns = [(column.name, column.type, column.description) for column in PARTS[kind]]
    return sha256_of_bytes(canonical_json({"cells": CELLS_VERSION, "columns": columns}))


def parts_of(study_sha256: str, kind: str, scratch: Path) -> list[Written]:
    """All parts of a kind as of this transaction; new and changed parts are written into `scratch`."""
    stored = files.parts_stored(study_sha256)
    known = Part.objects.filter(study=study_sha256, kind=kind, form=form_of(kind))
    reusable = {(part.day, part.rows): part for part in known if stored.get(part.sha256) == part.bytes}
    parts = []
    for day, rows in _days(study_sha256, kind):
        part = reusable.get((day, rows))
        if part is not None:
            parts.append(Written(kind, day, rows, part.sha256, part.bytes, part.session_ids, None))
        else:
            parts.append(_written(study_sha256, kind, day, scratch))
    return parts


def drop_unused(study_sha256: str) -> None:
    """Delete the parts that no snapshot of the study names."""
    with transaction.atomic():
        # an analysis that stores its snapshot waits for this row
        AnalysisState.objects.select_for_update().filter(study=study_sha256).first()
        used = {
            facts["sha256"]
            for snapshot in Snapshot.objects.filter(study=study_sha256).defer("session_ids")
            for facts in snapshot.manifest["files"].values()
        }
        unused = list(Part.objects.filter(study=study_sha256).exclude(pk__in=used).values_list("pk", flat=True))
        Part.objects.filter(pk__in=unused).delete()
        # while the row is locked: another analysis may write the same part again
        files.drop_parts(study_sha256, unused)


def drop_erased(study_sha256: str, parts: Iterable[Written]) -> None:
    """Delete new parts with a participant who was erased meanwhile; the hourly sweep deletes other stray files."""
    for part in parts:
        if part.path is not None and Session.objects.filter(pk__in=part.session_ids).count() < len(part.session_ids):
            files.drop_parts(study_sha256, [part.sha256])


def forget(sha256: str) -> None:
    """Delete the row of a part with a missing or damaged file, so that the next analysis writes it again."""
    Part.objects.filter(pk=sha256).delete()


def _days(study_sha256: str, kind: str) -> Iterator[tuple[date, int]]:
    """Yields the days with rows, and their numbers of rows."""
    rows = _rows(study_sha256, kind).annotate(day=TruncDate("received_at", tzinfo=UTC))
    yield from rows.order_by("day").values_list("day").annotate(Count("pk"))


def _rows(study_sha256: str, kind: str) -> QuerySet[Any]:
    return {VOTES: votes_of, PLAYS: plays_of}[kind](study_sha256)


def _written(study_sha256: str, kind: str, day: date, scratch: Path) -> Written:
    first = datetime.combine(day, time(), UTC)
    of_day = _rows(study_sha256, kind).filter(received_at__gte=first, received_at__lt=first + timedelta(days=1))
    sessions: set[str] = set()
    path = scratch / f"{kind}-{day.isoformat()}.parquet"
    batches = vote_batches(of_day, _clips(study_sha256)) if kind == VOTES else play_batches(of_day)
    rows = write_groups(path, schema_of(PARTS[kind]), _noting(batches, sessions))
    digest, size = sha256_of_file(path), path.stat().st_size
    return Written(kind, day, rows, digest, size, [UUID(session) for session in sorted(sessions)], path)


def _clips(study_sha256: str) -> Clips:
    shown = Clip.objects.filter(pk__in=Stimulus.objects.filter(study=study_sha256).values("clip"))
    return Clips(shown.select_related("take", "right_take"))


def _noting(batches: Iterator[pa.RecordBatch], sessions: set[str]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        sessions.update(batch.column("session_id").unique().to_pylist())
        yield batch
