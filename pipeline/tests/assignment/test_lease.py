"""An assignment is kept by clips that can have been watched, never by calls alone."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from eyelevel_core.assignment.lease import Lease, first_lease, is_due, lease_by_progress, lease_when_told
from eyelevel_core.assignment.server_clock import Answered

START = datetime(2026, 1, 1, 12, tzinfo=UTC)
HALF_HOUR = timedelta(minutes=30)


def after(minutes: float) -> datetime:
    return START + timedelta(minutes=minutes)


def watched(position: int, *, sent: float | None, received: float) -> Answered:
    """A trial with a clip of one minute; times in minutes after the start."""
    return Answered(position, 60_000.0, None if sent is None else after(sent), after(received), whole_play=True)


def by_progress(now: float, *trials: Answered) -> Lease | None:
    return lease_by_progress(START, after(now), HALF_HOUR, trials)


def kept(until: float, yields: float) -> Lease:
    return Lease(after(until), after(yields))


def test_the_first_lease_is_short_and_yields_sooner_where_somebody_waits() -> None:
    assert first_lease(START) == Lease(after(5), after(2))


def test_answers_about_the_person_gain_as_much_once() -> None:
    assert lease_when_told(START, after(1)) == Lease(after(6), after(3))
    assert lease_when_told(START, after(4)) == Lease(after(9), after(4))
    assert lease_when_told(START, after(60)) == Lease(after(10), after(4))


def test_a_clip_that_can_have_been_watched_gives_the_studys_lease() -> None:
    assert by_progress(2, watched(1, sent=0.5, received=2)) == kept(32, yields=7)


def test_what_cannot_have_been_watched_gives_nothing() -> None:
    assert by_progress(2) is None
    # never sent, sent just now, and three minutes of clips in two minutes
    assert by_progress(2, watched(1, sent=None, received=2)) is None
    assert by_progress(2, watched(1, sent=1.5, received=2)) is None
    assert by_progress(2, *(watched(number, sent=0, received=2) for number in (1, 2, 3))) is None


def test_whoever_was_offline_and_sends_all_at_once_keeps_the_assignment() -> None:
    offline = [watched(number, sent=number, received=20) for number in range(1, 11)]
    assert by_progress(20, *offline) == kept(50, yields=50)


def test_the_longest_time_grows_with_the_trials_and_ends() -> None:
    one = watched(1, sent=1, received=3)
    assert by_progress(20, one) == kept(33, yields=25)
    assert by_progress(32, one) == kept(33, yields=33)
    assert by_progress(60, one) == kept(33, yields=33)
    assert by_progress(32, one, watched(2, sent=20, received=32)) == kept(36, yields=36)


def test_few_votes_of_a_session_at_study_pace_write_the_lease_again() -> None:
    lease, written = first_lease(START), []
    for position in range(1, 21):
        now = after(0.5 * position)
        done = [watched(number, sent=0.5 * number - 1, received=0.5 * number) for number in range(1, position + 1)]
        if is_due(lease, now, HALF_HOUR, position):
            found = lease_by_progress(START, now, HALF_HOUR, [replace(one, duration_ms=10_000.0) for one in done])
            assert found is not None
            lease = found
            written.append(position)
        # nobody at this pace is ever close to losing the assignment
        assert lease.yields_at > now + timedelta(minutes=3)
    assert written == [1, 3, 6, 13, 20]


def test_holding_an_assignment_that_others_want_needs_many_calls() -> None:
    """The figure in docs/no-vote-lost.md, over all ways to renew in time: a new clip (2 calls) or a replay (1 call)."""
    cheapest = min(_rates(trials=[], kept_until=2, calls=1))
    # 43 calls a minute for 200 assignments
    assert round(200 * cheapest) == 43


def _rates(trials: list[Answered], kept_until: float, calls: int) -> Iterator[float]:
    yield calls / kept_until
    if calls >= 14:
        return
    new = watched(len(trials) + 1, sent=kept_until - 1, received=kept_until)
    for more, cost in (([new], 2), ([], 1)):
        found = by_progress(kept_until, *trials, *more)
        minutes = (found.yields_at - START).total_seconds() / 60 if found else 0
        if minutes > kept_until:
            yield from _rates([*trials, *more], minutes, calls + cost)
