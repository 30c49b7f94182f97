"""Straight-lining and plays off speed per participant, and MOS without such participants: sensitivity only.

Nobody is excluded by these: a participant who sees no difference gives the same answer to every clip.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from eyelevel_stats.columns import Columns
from eyelevel_stats.intervals import wilson
from eyelevel_stats.observations import Rating
from eyelevel_stats.opinion import Opinion, opinions
from eyelevel_stats.rows.trust import CarelessRow, SensitivityRow, StraightRow
from eyelevel_stats.straight_lining import Answer, is_straight_lining

STRAIGHT, OFF_SPEED = "straight-lining", "plays off speed"


class Plays(NamedTuple):
    """The number of recorded plays of one participant, and the number of them that were off speed."""

    plays: int
    off_speed: int


def plays_by_session(columns: Columns) -> dict[str, Plays]:
    """Counts the plays of each session with known speed; `columns` has session_id, and off_speed as yes, no or None."""
    pairs = zip(columns["session_id"], columns["off_speed"], strict=True)
    known = Counter((session, value) for session, value in pairs if value is not None)
    return {session: Plays(known[session, "yes"] + known[session, "no"], known[session, "yes"]) for session, _ in known}


def careless_rows(answers: Mapping[str, Sequence[Answer]], plays: Mapping[str, Plays]) -> tuple[CarelessRow, ...]:
    """Computes a row per participant, in their order; `answers` are their main answers.

    A participant missing from `plays` has unknown plays.
    """
    return tuple(_participant(name, answers[name], plays.get(name)) for name in sorted(answers))


def straight_row(rows: Sequence[CarelessRow]) -> StraightRow:
    """Computes the share of participants who always give one answer, among those with enough answers."""
    count = Counter(row.straight_lining for row in rows)
    known = count["yes"] + count["no"]
    share = count["yes"] / known if known else None
    interval = None if share is None else wilson(share, known)
    return StraightRow(
        participants=known,
        straight_lining=count["yes"],
        share=share,
        ci_low=None if interval is None else interval.low,
        ci_high=None if interval is None else interval.high,
    )


def sensitivity_rows(
    votes: Sequence[Rating], rows: Sequence[CarelessRow], *, scale: tuple[float, float]
) -> tuple[SensitivityRow, ...]:
    """Computes MOS per network and stack with all and without some participants; `rows` are of `careless_rows`.

    Participants of unknown kind stay.
    """
    kinds: dict[str, Callable[[CarelessRow], bool]] = {
        STRAIGHT: lambda row: row.straight_lining == "yes",
        OFF_SPEED: lambda row: bool(row.off_speed_plays),
    }
    everyone = _mos(votes, scale)
    differences = []
    for without, concerns in kinds.items():
        left_out = {row.participant for row in rows if concerns(row)}
        rest = _mos([vote for vote in votes if vote.participant not in left_out], scale)
        differences += [_sensitivity(without, key, overall, rest.get(key)) for key, overall in everyone.items()]
    return tuple(differences)


def _participant(name: str, answers: Sequence[Answer], plays: Plays | None) -> CarelessRow:
    straight = is_straight_lining(answers)
    return CarelessRow(
        participant=name,
        answers=len(answers),
        straight_lining=None if straight is None else "yes" if straight else "no",
        plays=None if plays is None else plays.plays,
        off_speed_plays=None if plays is None else plays.off_speed,
        off_speed_share=None if plays is None or not plays.plays else plays.off_speed / plays.plays,
    )


def _mos(votes: Sequence[Rating], scale: tuple[float, float]) -> dict[tuple[str, str], Opinion]:
    ordered = sorted(votes)
    opinion_of = opinions(
        [(vote.network, vote.stack) for vote in ordered],
        [vote.participant for vote in ordered],
        [vote.score for vote in ordered],
        scale=scale,
    )
    return dict(sorted(opinion_of.items()))


def _sensitivity(without: str, key: tuple[str, str], overall: Opinion, rest: Opinion | None) -> SensitivityRow:
    return SensitivityRow(
        without,
        *key,
        n=overall.n,
        mos=overall.mos,
        ci_low=overall.ci_low,
        ci_high=overall.ci_high,
        n_without=0 if rest is None else rest.n,
        mos_without=None if rest is None else rest.mos,
        ci_low_without=None if rest is None else rest.ci_low,
        ci_high_without=None if rest is None else rest.ci_high,
    )
