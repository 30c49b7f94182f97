"""All figures of a study in reading order: answers first, then the results behind them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from eyelevel_core.model.metrics import METRICS
from eyelevel_figures import (
    distributions,
    effects,
    funnel,
    groups,
    heat_map,
    leaderboard,
    mos,
    multiverse,
    pairs,
    scatter,
)
from eyelevel_figures.encoding import encoding_of
from eyelevel_figures.figure import Figure, Look
from eyelevel_stats.conformance.funnel import GroupFunnel
from eyelevel_stats.rows.study import ComparisonRow
from eyelevel_stats.rows.words import ALL

Rows = Mapping[str, Sequence[Any]]


@dataclass(frozen=True)
class Screening:
    """Funnels by group; `asked` has the rules that apply to the study, `excludes` whether each excludes.

    `stall_ms` is the longest stall that R2 allows. `source` names the source of the sessions, if it is not the snapshot
    of the other figures.
    """

    funnels: Sequence[GroupFunnel] = ()
    asked: Collection[str] = ()
    excludes: Mapping[str, bool] = field(default_factory=dict)
    source: str = ""
    stall_ms: float | None = None


def study_figures(
    tables: Rows,
    look: Look,
    *,
    scores: Mapping[int, int],
    screening: Screening = Screening(),
    groups_named: Mapping[str, str] | None = None,
) -> Iterator[Figure]:
    """Yields every figure that has rows.

    `tables` has the rows of the results and of the tables in depth by their names. `scores` has the number of all
    ratings by score, `groups_named` the study's names of its groups.
    """
    names = groups_named or {}
    yield from _answers(tables, look)
    yield from _opinions(tables, look)
    if scores:
        yield distributions.draw_all(scores, look)
    yield from _comparisons(tables.get("comparisons", ()), look)
    yield from _metrics(tables, look)
    yield from screening_figures(screening, look, names)
    if tables.get("group-mos"):
        yield groups.draw(tables["group-mos"], tables.get("group-offsets", ()), look, names=names)
    for summary in tables.get("multiverse-summary", ()):
        key = (summary.hypothesis, summary.network)
        of_effect = [row for row in tables["multiverse"] if (row.hypothesis, row.network) == key]
        yield multiverse.draw(of_effect, summary, look)


def screening_figures(screening: Screening, look: Look, names: Mapping[str, str]) -> Iterator[Figure]:
    """Yields the funnel of each group."""
    sourced = replace(look, source=screening.source or look.source)
    for of_group in screening.funnels:
        name = names.get(of_group.group, of_group.group)
        yield funnel.draw(
            of_group,
            sourced,
            name=name,
            asked=screening.asked,
            excludes=screening.excludes,
            stall_ms=screening.stall_ms,
        )


def _answers(tables: Rows, look: Look) -> Iterator[Figure]:
    rows = tables.get("effects", ())
    kinds: tuple[effects.Kind, ...] = ("rate", "compare")
    for kind in kinds:
        if any(row.kind == kind for row in rows):
            yield effects.draw(rows, kind, look)


def _opinions(tables: Rows, look: Look) -> Iterator[Figure]:
    rows, shares = tables.get("mos", ()), tables.get("good-or-better", ())
    if not rows:
        return
    encoding = encoding_of(rows)
    yield heat_map.draw(rows, look, encoding=encoding, shares=shares)
    for network in encoding.networks:
        yield mos.draw(rows, network, look, encoding=encoding, shares=shares)
    if tables.get("scores"):
        yield distributions.draw_each(tables["scores"], look, encoding=encoding)


def _comparisons(rows: Sequence[ComparisonRow], look: Look) -> Iterator[Figure]:
    def key(row: ComparisonRow) -> tuple[str, str, str]:
        return row.network, row.stack_a, row.stack_b

    for _, of_pair in groupby(sorted(rows, key=key), key=key):
        yield pairs.draw(list(of_pair), look)


def _metrics(tables: Rows, look: Look) -> Iterator[Figure]:
    leaders = [row for row in tables.get("leaderboard", ()) if row.network == ALL]
    if any(row.spearman is not None for row in leaders):
        best = [row for row in tables.get("best-metrics", ()) if row.network == ALL]
        yield leaderboard.draw(leaders, best, look, resampled="noise-ceilings" in tables)
    points = tables.get("points", ())
    encoding = encoding_of(points)
    for metric in METRICS:
        if any(row.metrics[metric.field] is not None for row in points):
            yield scatter.draw(metric, points, look, encoding=encoding, mappings=tables.get("mappings", ()))
