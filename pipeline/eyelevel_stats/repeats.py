"""Test-retest agreement: answers of participants to repeated questions."""

from collections import defaultdict
from collections.abc import Iterable
from statistics import fmean
from typing import NamedTuple

from eyelevel_stats.intervals import wilson
from eyelevel_stats.rows.study import RepeatRow

Answer = str | float


class Repeat(NamedTuple):
    """The first and the second answer of one participant to one question about one clip."""

    participant: str
    kind: str
    first: Answer
    second: Answer


def repeat_rows(repeats: Iterable[Repeat]) -> tuple[RepeatRow, ...]:
    """Computes a row per kind of trial, in their order."""
    kinds: defaultdict[str, list[Repeat]] = defaultdict(list)
    for repeat in repeats:
        kinds[repeat.kind].append(repeat)
    return tuple(_row(kind, kinds[kind]) for kind in sorted(kinds))


def _row(kind: str, repeats: list[Repeat]) -> RepeatRow:
    differences = sorted(
        abs(repeat.second - repeat.first)
        for repeat in repeats
        if not isinstance(repeat.first, str) and not isinstance(repeat.second, str)
    )
    return row_of(
        kind,
        n=len(repeats),
        participants=len({repeat.participant for repeat in repeats}),
        equal=sum(repeat.first == repeat.second for repeat in repeats),
        # sorted before, so that the same repeats give the same float
        mean_difference=fmean(differences) if differences else None,
    )


def row_of(kind: str, *, n: int, participants: int, equal: int, mean_difference: float | None) -> RepeatRow:
    """Builds the row from counts of repeats, of participants and of equal answers.

    The Wilson interval counts people, as in `preferences`: one participant's answers are not independent.
    """
    interval = wilson(equal / n, participants)
    assert interval is not None  # noqa: S101 - a kind is listed because somebody answered
    return RepeatRow(
        kind=kind,
        n=n,
        participants=participants,
        equal=equal,
        share_equal=equal / n,
        ci_low=interval.low,
        ci_high=interval.high,
        mean_difference=mean_difference,
    )
