"""Compares two stacks page by page, as the paper does: means over runs, their difference, the smaller one. Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum

from eyelevel.compare.arms import arm
from eyelevel.compare.model import Load, Pair
from eyelevel_papers.nepomuceno2018.published import (
    CACHES,
    CONFIGURATIONS,
    EVENTS,
    Configuration,
    published_cell,
    truncated_percent,
)
from eyelevel_stats.arms import difference, holm
from eyelevel_stats.intervals import wilson

LEVEL = 0.05


@dataclass(frozen=True)
class PageRow:
    """One page of one cell (configuration, event, cache) and pair: means over observed runs, in ms.

    `left_out` counts runs of both stacks without a value. `p_value` is Welch's test of the two means, `adjusted_p`
    corrected (Holm) for the pages of the cell; None where an arm has one run, or nothing varies.
    """

    pair: Pair
    configuration: Configuration
    metric: str
    cache: str
    site: str
    runs_new: int
    runs_reference: int
    left_out: int
    mean_new_ms: float
    mean_reference_ms: float
    p_value: float | None
    adjusted_p: float | None = None
    rank: int = 0

    @property
    def event(self) -> str:
        return EVENTS[self.metric]

    @property
    def difference_ms(self) -> float:
        """The difference of the means (the paper's equation 1); below 0, the new stack is faster on this page."""
        return self.mean_new_ms - self.mean_reference_ms


@dataclass(frozen=True)
class Cell:
    """One cell of table III: the number of pages on which the new stack's mean is smaller, beside the paper's.

    `low` and `high` are Wilson's 95 % interval of the share, 0 to 1. `undecided` pages show no significant difference
    (Welch, Holm, 5 %), `untested` ones have no test, `ties` equal means. `excluded` pages lack a run with a value in
    one of the stacks.
    """

    pair: Pair
    configuration: Configuration
    metric: str
    cache: str
    pages: int
    better: int
    ties: int
    undecided: int
    untested: int
    excluded: int
    low: float | None
    high: float | None

    @property
    def event(self) -> str:
        return EVENTS[self.metric]

    @property
    def percent(self) -> float | None:
        """The percentage as the paper prints it, truncated after two decimals; None without a page."""
        return truncated_percent(self.better, self.pages) if self.pages else None

    @property
    def paper_percent(self) -> float:
        return published_cell(self.metric, self.cache, self.configuration)[0]


# takes by site, of each configuration, cache and stack
Setting = tuple[Configuration, str, str]
Loads = Mapping[Setting, Mapping[str, Sequence[Load]]]


def by_page(loads: Sequence[Load], configured: Mapping[str, Configuration]) -> Loads:
    """Groups the takes over the paper's networks by page; `configured` has the configurations by network name."""
    grouped: dict[Setting, dict[str, list[Load]]] = {}
    for load in loads:
        if load.network in configured:
            setting = configured[load.network], load.cache, load.stack
            grouped.setdefault(setting, {}).setdefault(load.site, []).append(load)
    return grouped


def page_rows(pages: Loads, pair: Pair) -> list[PageRow]:
    """Returns every page of every cell in which both stacks have a run with a value, sorted by difference."""
    rows = []
    for configuration, cache, metric in _cells():
        of_cell = [
            row
            for site in _sites(pages, configuration, cache, pair)
            if (row := _page(pages, pair, (configuration, cache, metric), site)) is not None
        ]
        adjusted = holm([row.p_value for row in of_cell])
        ranked = sorted(
            (replace(row, adjusted_p=p) for row, p in zip(of_cell, adjusted, strict=True)),
            key=lambda row: (row.difference_ms, row.site),
        )
        rows += [replace(row, rank=rank) for rank, row in enumerate(ranked, start=1)]
    return rows


def cells(pages: Loads, pair: Pair, rows: Sequence[PageRow]) -> list[Cell]:
    """Computes table III: every cell with a page that was captured with both stacks."""
    computed = []
    for configuration, cache, metric in _cells():
        sites = _sites(pages, configuration, cache, pair)
        of_cell = [
            row
            for row in rows
            if (row.pair, row.configuration, row.cache, row.metric) == (pair, configuration, cache, metric)
        ]
        if not sites:
            continue

        def many(holds: Callable[[PageRow], bool], of_cell: Sequence[PageRow] = of_cell) -> int:
            return sum(map(holds, of_cell))

        better = many(lambda row: row.difference_ms < 0)
        span = wilson(better / len(of_cell), len(of_cell)) if of_cell else None
        computed.append(
            Cell(
                pair,
                configuration,
                metric,
                cache,
                pages=len(of_cell),
                better=better,
                ties=many(lambda row: row.difference_ms == 0),
                undecided=many(lambda row: row.adjusted_p is not None and row.adjusted_p >= LEVEL),
                untested=many(lambda row: row.adjusted_p is None),
                excluded=len(sites) - len(of_cell),
                low=None if span is None else span.low,
                high=None if span is None else span.high,
            )
        )
    return computed


def _cells() -> list[tuple[Configuration, str, str]]:
    return [(configuration, cache, metric) for configuration in CONFIGURATIONS for metric in EVENTS for cache in CACHES]


def _sites(pages: Loads, configuration: Configuration, cache: str, pair: Pair) -> list[str]:
    """Returns the sites with takes of both stacks."""
    new, reference = (pages.get((configuration, cache, stack), {}).keys() for stack in (pair.new, pair.reference))
    return sorted(new & reference)


def _page(pages: Loads, pair: Pair, cell: tuple[Configuration, str, str], site: str) -> PageRow | None:
    configuration, cache, metric = cell
    new, reference = (arm(pages[configuration, cache, stack][site], metric) for stack in (pair.new, pair.reference))
    if not new.observed or not reference.observed:
        return None
    test = difference([(new.values, reference.values)])
    return PageRow(
        pair,
        configuration,
        metric,
        cache,
        site,
        runs_new=len(new.observed),
        runs_reference=len(reference.observed),
        left_out=new.left_out + reference.left_out,
        mean_new_ms=fsum(new.values) / len(new.values),
        mean_reference_ms=fsum(reference.values) / len(reference.values),
        p_value=None if test is None else test.p_value,
    )
