"""One run of the analysis under a lease: snapshot, compute, publish; then ask for the tables in depth."""

from collections.abc import Callable
from datetime import datetime
from functools import partial

from analysis import in_depth, leases
from analysis.heartbeat import kept_alive
from analysis.results import compute
from analysis.snapshots import forget_superseded, take_snapshot

Clock = Callable[[], datetime]


def run_if_due(study_sha256: str, now: Clock) -> bool:
    """Analyse the study if it is our turn; False where there was nothing to do, or another worker is at it.

    Any error frees the turn before it is raised. The result stays unpublished if the lease was lost on the way.
    """
    lease = leases.claim(study_sha256, now())
    if lease is None:
        return False
    try:
        with kept_alive(study_sha256, partial(leases.keep, lease), now):
            snapshot = take_snapshot(study_sha256)
            # no computation in vain
            leases.keep(lease, now())
            result = compute(snapshot)
        leases.finish(lease, result, now())
        forget_superseded(snapshot)
    except leases.LostLeaseError:
        raise
    except Exception:
        leases.give_up(lease, now())
        raise
    in_depth.ask(snapshot.study, now())
    return True
