"""Raters of a whole session: careful people with ordinary mishaps, and programs. All draws come from `draw`.

A session has 24 trials of 3 to 20 s and four control pairs among them. The mishaps of careful people are assumptions:
they are listed as constants, and docs/explanation/conformance.md repeats them.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from math import log
from random import Random

from eyelevel_stats.conformance import Evidence, Play, Question, Spell, Trial

from .people import NOON, play, question, trial

TRIALS, CONTROLS = 24, 4
SHORTEST_S, LONGEST_S = 3.0, 20.0
DELAY_MS = 6000.0
# of plays; how long such a stall is, at the median
STALLED_SHARE, STALL_MEDIAN_MS, STALL_SIGMA = 0.02, 120.0, 0.4
# of trials: somebody looks elsewhere for some seconds
AWAY_SHARE, AWAY_MEDIAN_MS, AWAY_SIGMA = 0.05, 1500.0, 0.5
# of answers to control videos and questions
WRONG_VIDEO, WRONG_QUESTION = 0.02, 0.002
REPLAY_SHARE = 0.1
# of plays: the page is hidden for so long at most; who missed more than half of the video plays it again
HIDDEN_SHARE, HIDDEN_S = 0.03, 4.0
# of sessions: all answers arrive at the end
OFFLINE_SHARE = 0.05
RIGHT, WRONG = "left", ("right", "none")

Rater = Callable[[Random], Evidence]


def careful(draw: Random) -> Evidence:
    """Somebody who watches everything, and answers a few seconds later."""
    offline = draw.random() < OFFLINE_SHARE
    now, trials = 30.0, []
    for number in range(1, TRIALS + 1):
        length = draw.uniform(SHORTEST_S, LONGEST_S)
        sent, plays = now, []
        for _ in range(1 + (draw.random() < REPLAY_SHARE)):
            stalls = _spells(draw, STALLED_SHARE, STALL_MEDIAN_MS, STALL_SIGMA)
            now += length + sum(stall.ms for stall in stalls) / 1000
            plays.append(_play(now, length, stalls=stalls))
            if draw.random() < HIDDEN_SHARE:
                missed = min(1.0, draw.uniform(0, HIDDEN_S) / length)
                unseen = (Spell(0, 1000 * length * missed),)
                plays[-1] = replace(plays[-1], away=unseen, hidden=unseen)
                if missed > 0.5:
                    now += length
                    plays.append(_play(now, length))
        now += draw.lognormvariate(log(3), 0.5)
        away = _spells(draw, AWAY_SHARE, AWAY_MEDIAN_MS, AWAY_SIGMA)
        now += sum(spell.ms for spell in away) / 1000
        is_right = draw.random() >= WRONG_VIDEO
        trials.append(
            _trial(number, length, sent, now, plays, choice=RIGHT if is_right else draw.choice(WRONG), away=away)
        )
    if offline:
        trials = [replace(answered, received_at=_at(now + 5)) for answered in trials]
    return _session(now + 10, trials, right=draw.random() >= WRONG_QUESTION)


def clicks_at_once(draw: Random) -> Evidence:
    """Sends forged whole plays and any answer, as fast as the server takes them."""
    now, trials = 1.0, []
    for number in range(1, TRIALS + 1):
        length, sent = draw.uniform(SHORTEST_S, LONGEST_S), now
        now += draw.uniform(0.05, 0.3)
        trials.append(_trial(number, length, sent, now, [_play(now, length)], choice=_any(draw)))
    return _session(now, trials, right=draw.random() < 0.5)


def waits(draw: Random) -> Evidence:
    """Waits for the length of each video without asking for it, and sends forged whole plays."""
    now, trials = 20.0, []
    for number in range(1, TRIALS + 1):
        length = draw.uniform(SHORTEST_S, LONGEST_S)
        now += length + draw.uniform(0.5, 3)
        trials.append(_trial(number, length, None, now, [_play(now - 0.2, length)], choice=_any(draw)))
    return _session(now + 2, trials, right=draw.random() < 0.5)


def asks_and_waits(draw: Random) -> Evidence:
    """Asks for the first byte of each video, waits for its length, and forges a whole play that nothing disturbed."""
    return _paced(draw, _any)


def skips(draw: Random) -> Evidence:
    """Answers two videos, and reports that all others did not play."""
    whole = _paced(draw, _any)
    shown = whole.trials[:2]
    return replace(whole, trials=shown, planned=TRIALS, unplayable=TRIALS - len(shown))


def plays_hidden(draw: Random) -> Evidence:
    """Plays each video in a page that nobody sees, for as long as the video lasts."""
    now, trials = 20.0, []
    for number in range(1, TRIALS + 1):
        length, sent = draw.uniform(SHORTEST_S, LONGEST_S), now
        now += length
        # it comes back within the last part of the video
        unseen = (Spell(0, 1000 * length * draw.uniform(0.8, 1)),)
        plays = [replace(_play(now, length), away=unseen, hidden=unseen)]
        now += draw.uniform(0.5, 3)
        trials.append(_trial(number, length, sent, now, plays, choice=_any(draw)))
    return _session(now + 2, trials, right=draw.random() < 0.5)


def guesses(draw: Random) -> Evidence:
    """Plays every video at human pace, and answers at random; reads the control question like everybody."""
    return _paced(draw, _any)


def looks_at_screenshots(draw: Random) -> Evidence:
    """Plays every video at human pace, compares screenshots, and answers as a careful person would."""
    return _paced(draw, lambda _draw: RIGHT)


def _paced(draw: Random, choose: Callable[[Random], str]) -> Evidence:
    now, trials = 20.0, []
    for number in range(1, TRIALS + 1):
        length, sent = draw.uniform(SHORTEST_S, LONGEST_S), now
        plays = [_play(now + length, length)]
        now += length + draw.lognormvariate(log(3), 0.5)
        trials.append(_trial(number, length, sent, now, plays, choice=choose(draw)))
    return _session(now + 10, trials, right=True)


def _any(draw: Random) -> str:
    return draw.choice((RIGHT, *WRONG))


def _trial(
    number: int,
    length_s: float,
    sent: float | None,
    answered: float,
    plays: list[Play],
    *,
    choice: str,
    away: tuple[Spell, ...] = (),
) -> Trial:
    """A comparison; the right side of a control was held back. `sent` and `answered` are seconds since noon."""
    is_control = number % (TRIALS // CONTROLS) == 0
    return trial(
        number,
        role="control" if is_control else "main",
        kind="compare",
        data={"choice": choice, "sureness": 3},
        answered_at=_at(answered),
        received_at=_at(answered + 0.1),
        media_ms=1000 * length_s,
        away=away,
        first_changes_ms=(1400.0, 1400.0 + (DELAY_MS if is_control else 0)),
        delays_ms=(0.0, DELAY_MS) if is_control else (),
        duration_ms=1000 * length_s,
        clip_sent_at=None if sent is None else _at(sent),
        plays=tuple(plays),
    )


def _play(ended: float, length_s: float, stalls: tuple[Spell, ...] = ()) -> Play:
    return play(ended_at=_at(ended), received_at=_at(ended + 0.1), media_ms=1000 * length_s, stalls=stalls)


def _session(ended: float, trials: list[Trial], *, right: bool) -> Evidence:
    asked: tuple[Question, ...] = (question("red" if right else "blue"),)
    return Evidence(started_at=NOON, completed_at=_at(ended), trials=tuple(trials), questions=asked)


def _spells(draw: Random, share: float, median_ms: float, sigma: float) -> tuple[Spell, ...]:
    return (Spell(500.0, draw.lognormvariate(log(median_ms), sigma)),) if draw.random() < share else ()


def _at(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)
