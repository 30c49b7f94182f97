"""Mean values of trial kinds whose answers are numbers on another scale, such as `slider`."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from eyelevel_kinds import KINDS
from eyelevel_stats.opinion import opinions
from eyelevel_stats.rows.study import ValueRow


class Placed(NamedTuple):
    """One vote of such a kind."""

    participant: str
    kind: str
    site: str
    network: str
    stack: str
    context: str
    value: float


def value_rows(votes: Iterable[Placed]) -> tuple[ValueRow, ...]:
    """Computes a row per kind and condition, in their order; values of a participant are averaged first."""
    by_kind: defaultdict[str, list[Placed]] = defaultdict(list)
    # the same votes give the same floats, in whatever order they come
    for vote in sorted(votes):
        by_kind[vote.kind].append(vote)
    return tuple(row for kind in sorted(by_kind) for row in _rows(kind, by_kind[kind]))


def _rows(kind: str, votes: Sequence[Placed]) -> list[ValueRow]:
    opinion_of = opinions(
        [(vote.site, vote.network, vote.stack, vote.context) for vote in votes],
        [vote.participant for vote in votes],
        [vote.value for vote in votes],
        scale=KINDS[kind].scale,
    )
    return [
        ValueRow(
            kind, *key, n=opinion.n, mean=opinion.mos, ci_low=opinion.ci_low, ci_high=opinion.ci_high, sd=opinion.sd
        )
        for key, opinion in sorted(opinion_of.items(), key=lambda item: item[0])
    ]
