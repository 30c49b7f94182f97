"""Votes by layout of the answers: in a row or in a column. Results pool both; this table compares them."""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from eyelevel_stats.opinion import opinions
from eyelevel_stats.rows.study import LayoutRow

Answer = str | float


class Laid(NamedTuple):
    """One vote of a main trial, with its layout: row or column."""

    participant: str
    kind: str
    layout: str
    answer: Answer


def layout_rows(votes: Iterable[Laid]) -> tuple[LayoutRow, ...]:
    """Computes a row per kind and layout, in their order."""
    groups: defaultdict[tuple[str, str], list[Laid]] = defaultdict(list)
    for vote in votes:
        groups[vote.kind, vote.layout].append(vote)
    return tuple(_row(kind, layout, groups[kind, layout]) for kind, layout in sorted(groups))


def _row(kind: str, layout: str, votes: list[Laid]) -> LayoutRow:
    numbers = sorted((vote.participant, vote.answer) for vote in votes if not isinstance(vote.answer, str))
    opinion_of = opinions([kind] * len(numbers), [person for person, _ in numbers], [answer for _, answer in numbers])
    opinion = opinion_of.get(kind)
    return LayoutRow(
        kind=kind,
        layout=layout,
        n=len({vote.participant for vote in votes}),
        votes=len(votes),
        mean=None if opinion is None else opinion.mos,
        sd=None if opinion is None else opinion.sd,
    )
