"""Preference shares with confidence intervals, from answers to "which loaded faster?"."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Literal, TypeVar

from eyelevel_stats.intervals import wilson

Preferred = Literal["a", "b", "none"]
T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True)
class Preference:
    """How often a was preferred to b; `n` counts answers, `participants` the people who gave them.

    `share_a` is `prefer_a / n`, where n includes answers of no difference.
    """

    n: int
    participants: int
    prefer_a: int
    prefer_b: int
    no_difference: int
    share_a: float
    ci_low: float
    ci_high: float


def preferences(answers: Iterable[tuple[T, Hashable, Preferred]]) -> dict[T, Preference]:
    """Computes the shares of each group, from (group, participant, answer); groups in the order of their first answer.

    The Wilson interval counts people: where one participant answered several times in a group, their answers are
    not independent, so the interval is that of the same share among as many answers as there are participants.
    """
    counts: defaultdict[T, Counter[Preferred]] = defaultdict(Counter)
    people: defaultdict[T, set[Hashable]] = defaultdict(set)
    for group, participant, answer in answers:
        counts[group][answer] += 1
        people[group].add(participant)
    return {
        group: preference(a=count["a"], b=count["b"], none=count["none"], participants=len(people[group]))
        for group, count in counts.items()
    }


def preference(*, a: int, b: int, none: int, participants: int) -> Preference:
    """Computes the shares of one group from its counts of answers, which are not all 0, and of participants."""
    n = a + b + none
    share = a / n
    interval = wilson(share, participants)
    assert interval is not None  # noqa: S101 - a group exists because somebody answered
    return Preference(
        n=n,
        participants=participants,
        prefer_a=a,
        prefer_b=b,
        no_difference=none,
        share_a=share,
        ci_low=interval.low,
        ci_high=interval.high,
    )
