"""Computes the tables in depth of a result from the Parquet files of its snapshot."""

from analysis.computing import in_depth
from analysis.models import Result, ResultOrigin, Snapshot
from analysis.origins import statistics_origin
from analysis.snapshots.columns import VERDICTS_FILE
from analysis.snapshots.counted import counted_plays, counted_votes, every_vote
from analysis.snapshots.files import checked_columns
from eyelevel_core.study.design import Design
from eyelevel_stats.descriptive.careless import Plays, plays_by_session
from eyelevel_stats.in_depth.compute import Completed, InDepth, completed
from eyelevel_stats.in_depth.compute import in_depth as compute
from lib.leases import Clock, Lease


def computed(result: Result, lease: Lease, now: Clock) -> InDepth:
    """Compute the tables and the answers about metrics; stores the progress under the lease."""
    snapshot, origin = result.snapshot, ResultOrigin(result.origin)
    design = snapshot.study.design

    def advance(part: str, done: int, parts: int) -> None:
        in_depth.progress(lease, part=part, parts_done=done, parts=parts, now=now())

    return compute(
        counted_votes(snapshot, origin),
        design.plan,
        plays=plays_of(snapshot, origin),
        completed=completed_of(snapshot, origin, design),
        advance=advance,
    )


def plays_of(snapshot: Snapshot, origin: ResultOrigin) -> dict[str, Plays]:
    """Number of each session's plays whose speed is known, and of those that were off speed."""
    return plays_by_session(counted_plays(snapshot, origin, names=("session_id", "off_speed")))


def completed_of(snapshot: Snapshot, origin: ResultOrigin, design: Design) -> Completed:
    """The votes of judged sessions that at most rules exclude, with the rules that each session breaks."""
    return completed(every_vote(snapshot), checked_columns(snapshot, VERDICTS_FILE), design, statistics_origin(origin))
