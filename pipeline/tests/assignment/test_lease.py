"""An assignment is kept by clips that can have been watched, never by calls alone."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from eyelevel_core.assignment.lease import Lease, first_lease, is_due, lease_after_answers, lease_by_progress
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


def lease_until(until: float, yields: float) -> Lease:
    return Lease(after(until), after(yields))


def test_the_first_lease_is_short_and_yields_sooner_where_somebody_waits() -> None:
    assert first_lease(START) == Lease(after(5), after(2))


def test_answers_about_the_person_gain_as_much_once() -> None:
    assert lease_after_answers(START, after(1)) == Lease(after(6), after(3))
    assert lease_after_answers(START, after(4)) == Lease(after(9), after(4))
    assert lease_after_answers(START, after(60)) == Lease(after(10), after(4))


def test_a_clip_that_can_have_been_watched_gives_the_studys_lease() -> None:
    assert by_progress(2, watched(1, sent=0.5, received=2)) == lease_until(32, yields=7)


def test_what_cannot_have_been_watched_gives_nothing() -> None:
    assert by_progress(2) is None
    # never sent, sent just now, and three minutes of clips in two minutes
    assert by_progress(2, watched(1, sent=None, received=2)) is None
    assert by_progress(2, watched(1, sent=1.5, received=2)) is None
    assert by_progress(2, *(watched(number, sent=0, received=2) for number in (1, 2, 3))) is None


def test_a_participant_who_was_offline_and_sends_all_at_once_keeps_the_assignment() -> None:
    offline = [watched(number, sent=number, received=20) for number in range(1, 11)]
    assert by_progress(20, *offline) == lease_until(50, yields=50)


def test_the_longest_time_grows_with_the_trials_and_ends() -> None:
    first = watched(1, sent=1, received=3)
    assert by_progress(20, first) == lease_until(33, yields=25)
    assert by_progress(32, first) == lease_until(33, yields=33)
    assert by_progress(60, first) == lease_until(33, yields=33)
    assert by_progress(32, first, watched(2, sent=20, received=32)) == lease_until(36, yields=36)


def test_few_votes_of_a_session_at_study_pace_write_the_lease_again() -> None:
    lease, written = first_lease(START), []
    for position in range(1, 21):
        now = after(0.5 * position)
        done = [watched(number, sent=0.5 * number - 1, received=0.5 * number) for number in range(1, position + 1)]
        if is_due(lease, now, HALF_HOUR, position):
            found = lease_by_progress(START, now, HALF_HOUR, [replace(trial, duration_ms=10_000.0) for trial in done])
            assert found is not None
            lease = found
            written.append(position)
        # nobody at this pace is ever close to losing the assignment
        assert lease.yields_at > now + timedelta(minutes=3)
    assert written == [1, 3, 6, 13, 20]


def test_how_long_calls_hold_an_assignment_that_others_want() -> None:
    """The table in docs/explanation/no-vote-lost.md.

    Over all ways to use so many calls, each just before the assignment is lost.
    Begin, the answers about the person, a new clip with its play (2 calls), or another play of a clip (1 call).
    """
    held: dict[int, float] = {}
    for calls, minutes in _ways(trials=[], minutes=2, calls=1, said_all=False):
        held[calls] = max(minutes, held.get(calls, 0))
    assert [held[calls] for calls in range(1, 9)] == [2, 4, 7, 12, 17, 23, 31, 37]
    assert (held[13], held[21]) == (48, 60)
    # and the fewest calls a minute that hold 200 assignments
    rates = {calls: round(200 * calls / minutes) for calls, minutes in held.items()}
    assert [rates[calls] for calls in (1, 2, 3, 4, 8, 13, 21)] == [100, 100, 86, 67, 43, 54, 70]
    assert min(rates.values()) == rates[8]


def _ways(trials: list[Answered], minutes: float, calls: int, *, said_all: bool) -> Iterator[tuple[int, float]]:
    """`(calls, minutes)`: how long an assignment is held by so many calls; `said_all`: the person is described."""
    yield calls, minutes
    new = replace(watched(len(trials) + 1, sent=minutes - 1, received=minutes), duration_ms=10_000.0)
    ways = [(by_progress(minutes, *trials, new), [*trials, new], calls + 2)]
    ways += [(by_progress(minutes, *trials), trials, calls + 1)]
    ways += [] if said_all or trials else [(lease_after_answers(START, after(minutes)), trials, calls + 1)]
    for lease, done, cost in ways:
        longer = (lease.yields_at - START).total_seconds() / 60 if lease else 0
        if longer > minutes and cost <= 21:
            yield from _ways(done, longer, cost, said_all=said_all or not done)
