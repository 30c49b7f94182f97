"""The rules catch programs that never watch, and leave careful people alone (docs/explanation/conformance.md)."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from eyelevel_stats.conformance import judge, rules_of

from . import raters
from .people import design

CAREFUL, PROGRAMS = 2000, 1000
# the recommended rules: the defaults, with one wrong control video allowed
RULES = rules_of(design("R6", wrong_at_most=1))


def caught(rater: raters.Rater, sessions: int) -> tuple[float, Counter[str]]:
    """The share of sessions that are not used, and how many each rule leaves out."""
    rules: Counter[str] = Counter()
    unused = 0
    for number in range(sessions):
        verdict = judge(rater(Random(f"{rater.__name__} {number}")), RULES)
        unused += not verdict.used
        rules.update(verdict.left_out_by)
    return unused / sessions, rules


def test_careful_people_are_left_alone() -> None:
    share, rules = caught(raters.careful, CAREFUL)
    # some are left out: mishaps happen in this model
    assert 0 < share <= 0.01, rules


@pytest.mark.parametrize(
    ("rater", "rule"),
    [
        (raters.clicks_at_once, "R9"),
        (raters.waits, "R9"),
        (raters.plays_hidden, "R3"),
        (raters.skips, "not_shown"),
    ],
)
def test_programs_that_never_watch_are_caught(rater: raters.Rater, rule: str) -> None:
    share, rules = caught(rater, PROGRAMS)
    assert share >= 0.99
    # without a wrong answer: by what they did alone
    assert rules[rule] >= 0.99 * PROGRAMS


@pytest.mark.parametrize("rater", [raters.guesses, raters.asks_and_waits])
def test_most_who_guess_are_caught_by_control_videos(rater: raters.Rater) -> None:
    share, rules = caught(rater, PROGRAMS)
    # at most one wrong of four with a chance of 1/3 each: 1/81 + 4 * 2/81 = 1/9
    assert share == pytest.approx(8 / 9, abs=0.03)
    assert set(rules) == {"R6"}


def test_who_compares_screenshots_is_not_caught() -> None:
    assert caught(raters.looks_at_screenshots, PROGRAMS) == (0, Counter())


def test_a_video_that_played_unseen_once_and_seen_again_counts() -> None:
    session = raters.plays_hidden(Random(1))
    seen = [
        replace(trial, plays=(trial.plays[0], replace(trial.plays[0], away=(), hidden=()))) for trial in session.trials
    ]
    short = [trial for trial in seen if (trial.duration_ms or 0) < 10_000]
    assert "R3" not in judge(replace(session, trials=tuple(short)), RULES).left_out_by
