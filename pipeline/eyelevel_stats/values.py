"""Mean values of trial kinds that answer with a number on a scale of their own, such as `slider`."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from eyelevel_stats.opinion import opinions


class Placed(NamedTuple):
    """One vote of such a kind."""

    participant: str
    kind: str
    site: str
    network: str
    stack: str
    context: str
    value: float


@dataclass(frozen=True)
class ValueRow:
    """The mean of one kind's values about one condition; n, sd and interval (95 %) as in a row of MOS."""

    kind: str
    site: str
    network: str
    stack: str
    context: str
    n: int
    mean: float
    ci_low: float | None
    ci_high: float | None
    sd: float | None


def value_rows(votes: Iterable[Placed]) -> tuple[ValueRow, ...]:
    """A row per kind and condition, in their order; a participant's own values are averaged first."""
    # the same votes give the same floats, in whatever order they come
    placed = sorted(votes)
    found = opinions(
        [(vote.kind, vote.site, vote.network, vote.stack, vote.context) for vote in placed],
        [vote.participant for vote in placed],
        [vote.value for vote in placed],
    )
    return tuple(
        ValueRow(*key, n=own.n, mean=own.mos, ci_low=own.ci_low, ci_high=own.ci_high, sd=own.sd)
        for key, own in sorted(found.items(), key=lambda item: item[0])
    )
