"""The server's clock breaks what cannot have happened in time, and never what is only unknown, late or offline."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from eyelevel_core.assignment.server_clock import Answered, TooEarly, server_clock

CONSENT = datetime(2026, 1, 1, 12, tzinfo=UTC)


def after(seconds: float) -> datetime:
    return CONSENT + timedelta(seconds=seconds)


def answered(position: int, *, sent: float, received: float) -> Answered:
    """A vote on a clip of 10 s, given after it was played to its end."""
    return Answered(position, 10_000.0, after(sent), after(received), whole_play=True)


WATCHED = [answered(1, sent=0, received=12), answered(2, sent=5, received=25), answered(3, sent=13, received=40)]


def test_a_participant_who_watches_every_clip_keeps_the_rule() -> None:
    found = server_clock(CONSENT, after(45), WATCHED)
    assert (found.broken, found.too_short, found.too_early, found.unknown) == (False, False, (), 0)
    assert (found.passed_ms, found.needed_ms) == (45_000.0, 28_500.0)


@pytest.mark.parametrize(("seconds", "broken"), [(28.499, True), (28.5, False)])
def test_a_session_lasts_at_least_as_long_as_its_clips_but_for_a_twentieth(seconds: float, *, broken: bool) -> None:
    offline = [answered(number, sent=0, received=seconds) for number in (1, 2, 3)]
    found = server_clock(CONSENT, after(seconds), offline)
    assert (found.too_short, found.too_early, found.broken) == (broken, (), broken)


@pytest.mark.parametrize(("seconds", "broken"), [(9.499, True), (9.5, False)])
def test_a_vote_arrives_after_its_clip_can_have_been_watched(seconds: float, *, broken: bool) -> None:
    votes = [*WATCHED[:2], answered(3, sent=30, received=30 + seconds)]
    found = server_clock(CONSENT, after(60), votes)
    early = (TooEarly(3, seconds * 1000, 9_500.0),) if broken else ()
    assert (found.too_early, found.too_short, found.broken) == (early, False, broken)


def test_what_is_delivered_at_once_after_a_time_offline_keeps_the_rule() -> None:
    votes = [answered(number, sent=10 * number, received=120) for number in range(1, 11)]
    assert not server_clock(CONSENT, after(121), votes).broken


@pytest.mark.parametrize("unknown", [{"clip_sent_at": None, "whole_play": False}, {"duration_ms": None}])
def test_what_is_unknown_breaks_nothing_and_is_counted(unknown: dict[str, Any]) -> None:
    early = answered(3, sent=40, received=40)
    assert server_clock(CONSENT, after(45), [*WATCHED[:2], early]).broken
    found = server_clock(CONSENT, after(45), [*WATCHED[:2], replace(early, **unknown)])
    assert (found.broken, found.unknown) == (False, 1)


def test_nobody_can_have_played_a_clip_that_was_never_sent() -> None:
    forged = replace(answered(3, sent=30, received=45), clip_sent_at=None)
    found = server_clock(CONSENT, after(60), [*WATCHED[:2], forged])
    assert (found.too_early, found.unknown) == ((TooEarly(3, None, 9_500.0),), 0)


def test_only_a_vote_after_a_whole_play_can_be_too_early() -> None:
    # answered while the clip played, which a block may allow
    during = replace(answered(3, sent=40, received=42), whole_play=False)
    found = server_clock(CONSENT, after(60), [*WATCHED[:2], during])
    assert (found.broken, found.unknown) == (False, 0)


def test_a_session_without_votes_keeps_the_rule() -> None:
    assert not server_clock(CONSENT, CONSENT, []).broken
