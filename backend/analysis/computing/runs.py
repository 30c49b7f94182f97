"""One run of the analysis: takes a snapshot, computes, publishes, then requests the tables in depth."""

from datetime import timedelta

from analysis.computing import in_depth, turns
from analysis.computing.results import compute
from analysis.snapshots.files import DamagedSnapshotError
from analysis.snapshots.parts import forget
from analysis.snapshots.store import forget_superseded, take_snapshot
from lib.leases import Clock, LostLeaseError, kept_alive


def run_if_due(study_sha256: str, now: Clock) -> timedelta | None:
    """Analyse the study if an analysis is due; returns the pause until the next run.

    Returns None if there is nothing to do, or another worker does it. Any error frees the turn before it is raised.
    The result stays unpublished if the lease was lost meanwhile.
    """
    turn = turns.claim(study_sha256, now())
    if turn is None:
        return None
    try:
        with kept_alive(turn.lease, now):
            snapshot = take_snapshot(study_sha256)
            # raises before the computation if the lease was lost
            turn.lease.keep(now())
            result = compute(snapshot)
        pause = turns.finish(turn, result, now())
        forget_superseded(snapshot)
    except LostLeaseError:
        raise
    except DamagedSnapshotError as error:
        if error.part is not None:
            forget(error.part)
        turns.give_up(turn, now())
        raise
    except Exception:
        turns.give_up(turn, now())
        raise
    in_depth.ask(snapshot.study, now())
    return pause
