"""Reads used votes and plays from the files of a snapshot, without those of excluded sessions."""

import json
from collections.abc import Collection, Container, Iterator, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from analysis.models import ResultOrigin, Snapshot
from analysis.origins import statistics_origin
from analysis.snapshots.columns import EXCLUSIONS_FILE, PARTS, PLAYS, SESSIONS_FILE, VOTES
from analysis.snapshots.files import checked_columns, checked_files
from analysis.snapshots.parquet import python_columns, read_batches, read_pieces
from eyelevel_core.study.design import Design
from eyelevel_stats.demographics import DemographicRow, demographics

Pieces = Iterator[dict[str, list[Any]]]


def counted_votes(
    snapshot: Snapshot, origin: ResultOrigin = ResultOrigin.PERSON, *, names: Collection[str] | None = None
) -> dict[str, list[Any]]:
    """Columns of the votes of this origin (all, or only `names`), without votes of excluded sessions."""
    return _joined(VOTES, map(python_columns, counted_batches(snapshot, VOTES, origin, names=names)), names)


def counted_plays(
    snapshot: Snapshot, origin: ResultOrigin = ResultOrigin.PERSON, *, names: Collection[str] | None = None
) -> dict[str, list[Any]]:
    """Columns of the plays of this origin (all, or only `names`), without plays of excluded sessions."""
    return _joined(PLAYS, map(python_columns, counted_batches(snapshot, PLAYS, origin, names=names)), names)


def counted_batches(
    snapshot: Snapshot, kind: str, origin: ResultOrigin, *, names: Collection[str] | None = None
) -> Iterator[pa.RecordBatch]:
    """Yields the counted rows of a kind of part, at most PIECE_ROWS at a time."""
    excluded = pa.array(checked_columns(snapshot, EXCLUSIONS_FILE)["session_id"], pa.string())
    origin_name = statistics_origin(origin)
    wanted = _names(kind, names)
    read = [*dict.fromkeys((*wanted, "session_id", "origin"))]
    with checked_files(snapshot, kind) as paths:
        for path in paths:
            for batch in read_batches(path, names=read):
                counts = pc.invert(pc.is_in(batch.column("session_id").cast(pa.string()), excluded))
                if origin_name != "all":
                    origins = pc.fill_null(batch.column("origin").cast(pa.string()), "person")
                    counts = pc.and_(counts, pc.equal(origins, origin_name))
                yield batch.filter(counts).select(wanted)


def every_vote(snapshot: Snapshot, *, names: Sequence[str] | None = None) -> dict[str, list[Any]]:
    """Columns of all votes, those of excluded sessions included."""
    with checked_files(snapshot, VOTES) as paths:
        return _joined(VOTES, (piece for path in paths for piece in read_pieces(path, names=names)), names)


def demographics_of(snapshot: Snapshot, design: Design, used: Container[str]) -> tuple[DemographicRow, ...]:
    """Counts of the answers about the person in these sessions of the snapshot."""
    columns = checked_columns(snapshot, SESSIONS_FILE, names=("session_id", "group", "answers"))
    rows = zip(*(columns[name] for name in ("session_id", "group", "answers")), strict=True)
    return demographics(
        design.questions, ((group, json.loads(answers or "{}")) for session, group, answers in rows if session in used)
    )


def _joined(kind: str, pieces: Pieces, names: Collection[str] | None) -> dict[str, list[Any]]:
    """Join the columns of all pieces; equal texts share one object, because there are many votes and few sites."""
    columns: dict[str, list[Any]] = {name: [] for name in _names(kind, names)}
    texts: dict[str, str] = {}
    for piece in pieces:
        for name, values in piece.items():
            columns[name] += [texts.setdefault(value, value) if isinstance(value, str) else value for value in values]
    return columns


def _names(kind: str, names: Collection[str] | None) -> list[str]:
    return [column.name for column in PARTS[kind]] if names is None else [*names]
