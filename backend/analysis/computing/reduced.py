"""Reduces the votes of a snapshot to sums with DuckDB, out of core: memory use is bounded for any number of votes."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb

from analysis.models import ResultOrigin, Snapshot
from analysis.origins import statistics_origin
from analysis.snapshots.columns import EXCLUSIONS_FILE, VOTES
from analysis.snapshots.files import checked_file, checked_files
from eyelevel_stats.parts.reduce import opened, reduce, reduce_clips
from eyelevel_stats.parts.sums import Sums
from eyelevel_stats.rows.study import ClipVotesRow
from lib.room import spare_bytes
from stimuli.blobs import scratch_folder

MEMORY_MB = 500


@dataclass(frozen=True)
class Reduced:
    """Sums over the votes of a snapshot. `votes`: number per session, excluded ones included; `used`: the others."""

    sums: Sums
    clips: dict[str, tuple[ClipVotesRow, ...]]
    votes: dict[str, int]
    used: set[str]
    simulated_sessions: int


def reduced(snapshot: Snapshot, origin: ResultOrigin) -> Reduced:
    """Sums over the votes of this origin, without those of excluded sessions; raises DamagedSnapshotError."""
    with checked_file(snapshot, EXCLUSIONS_FILE) as excluded, checked_files(snapshot, VOTES) as parts:
        if not parts:
            return Reduced(Sums(votes=0, sessions=0), {}, {}, set(), 0)
        with _opened() as connection:
            source, not_excluded = _files(parts), f"session_id NOT IN (SELECT session_id FROM {_files([excluded])})"  # noqa: S608
            name = statistics_origin(origin)
            of_origin = "true" if name == "all" else f"coalesce(origin, 'person') = '{name}'"
            used = f"{not_excluded} AND {of_origin}"
            sessions = f"SELECT DISTINCT session_id FROM {source} WHERE {used}"  # noqa: S608
            simulated = f"SELECT count(DISTINCT session_id) FROM {source} WHERE {not_excluded} AND origin = 'simulated'"  # noqa: S608
            each = f"SELECT session_id, count(*) FROM {source} GROUP BY 1"  # noqa: S608
            return Reduced(
                sums=reduce(connection, source, kept=used),
                clips=reduce_clips(connection, source, kept=used),
                votes=dict(connection.execute(each).fetchall()),
                used={session for (session,) in connection.execute(sessions).fetchall()},
                simulated_sessions=connection.execute(simulated).fetchall()[0][0],
            )


@contextmanager
def _opened() -> Iterator[duckdb.DuckDBPyConnection]:
    # one thread: sums of fractions depend on their order, and the same votes must give the same result
    with (
        scratch_folder() as spill,
        opened(memory_mb=MEMORY_MB, threads=1, spill_to=str(spill), spill_mb=spare_bytes() // 10**6) as connection,
    ):
        yield connection


def _files(paths: list[Path]) -> str:
    listed = ", ".join("'{}'".format(str(path).replace("'", "''")) for path in paths)
    return f"read_parquet([{listed}], union_by_name = true)"
