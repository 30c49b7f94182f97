"""Leases of assignments, extended by plausible progress on the server's clock. Pure: times in, times out.

A request costs an attacker nothing, so a request alone does not extend a lease. What extends it is clips that were sent
to the session and can have been watched since. docs/explanation/no-vote-lost.md has the number of requests that keep a
study full.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from eyelevel_core.assignment.server_clock import Answered, server_clock

# from the start; as long again from the answers about the person, which many studies ask before the first clip
FIRST_LEASE = timedelta(minutes=5)
# as above, where another session needs the assignment and no other is free
GRACE = timedelta(minutes=2)
# what each trial adds to both times: several times as long as most people need for one
PER_TRIAL = timedelta(minutes=3)
# a session without progress yields its assignment this long after its start, at the latest
LONGEST_GRACE = 2 * GRACE
# a lease is written again once this share of it has passed, so that most votes need no write for it
RENEWED_AFTER = 0.1


@dataclass(frozen=True)
class Lease:
    """Times at which a session loses its assignment: `until`, or `yields_at` if another session waits for one."""

    until: datetime
    yields_at: datetime


def first_lease(started_at: datetime) -> Lease:
    return Lease(started_at + FIRST_LEASE, started_at + GRACE)


def lease_after_answers(started_at: datetime, now: datetime) -> Lease:
    """Returns the lease of a session that answers about the person; repeating the answers does not extend it."""
    return Lease(min(now + FIRST_LEASE, started_at + 2 * FIRST_LEASE), min(now + GRACE, started_at + LONGEST_GRACE))


def lease_by_progress(
    started_at: datetime, now: datetime, lease: timedelta, trials: Iterable[Answered]
) -> Lease | None:
    """Returns the lease of a session that has played or answered these trials; None if it cannot have watched any.

    The lease ends `lease` from now, but at most `lease` plus PER_TRIAL for each trial whose clip can have been watched
    after the start. Where another session waits for the assignment, it ends after GRACE plus PER_TRIAL for each such
    trial, so that a pause may be longer the more trials are done. A participant who was offline and sends everything at
    once had the time to watch, and loses nothing.
    """
    done = list(trials)
    clock = server_clock(started_at, now, done)
    early = {answer.position for answer in clock.too_early}
    watched = sum(trial.clip_sent_at is not None and trial.position not in early for trial in done)
    if clock.too_short or not watched:
        return None
    until = min(now + lease, started_at + lease + watched * PER_TRIAL)
    return Lease(until, min(until, now + GRACE + watched * PER_TRIAL))


def is_due(held: Lease, now: datetime, lease: timedelta, position: int) -> bool:
    """Whether to compute the lease again, at a play or vote of the trial at this position of the plan."""
    enough = GRACE + position * PER_TRIAL
    return held.until < now + (1 - RENEWED_AFTER) * lease or held.yields_at < now + min(lease, enough) / 2
