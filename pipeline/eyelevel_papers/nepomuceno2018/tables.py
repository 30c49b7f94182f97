"""Table III in its forms, and the difference of each page."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from eyelevel.compare.model import Pair
from eyelevel.report import words
from eyelevel.report.table import Column, Table, View
from eyelevel_papers.nepomuceno2018.columns import (
    CACHE,
    CACHE_VIEW,
    CONFIGURATION,
    EVENT,
    EVENT_VIEW,
    PAIR_VIEW,
    PLACE,
)
from eyelevel_papers.nepomuceno2018.pages import Cell, PageRow
from eyelevel_papers.nepomuceno2018.published import CACHES, CONFIGURATIONS, EVENTS, Configuration, published_cell
from eyelevel_papers.nepomuceno2018.summary import SummaryRow
from eyelevel_papers.shared import PAIR, plain


@dataclass(frozen=True)
class TableThreeRow:
    """One line of table III, as the paper lays it out: the cells of a configuration by event and cache."""

    pair: Pair
    configuration: Configuration
    cells: Mapping[tuple[str, str], Cell]


def table_three(cells: Sequence[Cell]) -> Table:
    """Ours beside the paper's in each column; a pair's 12 lines after another's."""
    rows = [
        TableThreeRow(pair, one, {(cell.metric, cell.cache): cell for cell in own})
        for pair in dict.fromkeys(cell.pair for cell in cells)
        for one in CONFIGURATIONS
        if (own := [cell for cell in cells if (cell.pair, cell.configuration) == (pair, one)])
    ]
    columns, views = [*PAIR, *CONFIGURATION], [PLACE, PAIR_VIEW]
    for key in ((metric, cache) for metric in EVENTS for cache in CACHES):
        metric, cache = key
        what = f"pages whose mean {EVENTS[metric]} over QUIC is smaller, {CACHES[cache]}"
        for source, values in (("", _ours(key)), ("_paper", _theirs(key))):
            start = f"{EVENTS[metric].lower()}_{cache}{source}"
            whose = f"the paper's {what}" if source else what
            columns += [
                Column(f"{start}_percent", f"{whose}: percent, cut after two decimals", _item(values, 0)),
                Column(f"{start}_better", f"{whose}: their number", _item(values, 1)),
                Column(f"{start}_pages", f"{whose}: of so many pages", _item(values, 2)),
            ]
        views += [
            View(f"{EVENTS[metric]}, {CACHES[cache]}, %", _shown(_ours(key))),
            View("paper, %", _shown(_theirs(key))),
        ]
    note = (
        "Percent of pages whose mean over QUIC is smaller, cut after two decimals as in the paper, and the pages. The "
        "paper’s counts follow from its percentages."
    )
    return Table("table-3", "Table III: pages that load faster over QUIC", columns, views, rows, note)


# percent, pages faster over QUIC, pages; None where no page was taken
Shares = tuple[float | None, int | None, int | None]


def _ours(key: tuple[str, str]) -> Callable[[TableThreeRow], Shares]:
    def values(row: TableThreeRow) -> Shares:
        cell = row.cells.get(key)
        return (None, None, None) if cell is None else (cell.percent, cell.better, cell.pages)

    return values


def _theirs(key: tuple[str, str]) -> Callable[[TableThreeRow], Shares]:
    return lambda row: published_cell(*key, row.configuration)


def _item(values: Callable[[TableThreeRow], Shares], place: int) -> Callable[[TableThreeRow], float | None]:
    return lambda row: values(row)[place]


def _shown(values: Callable[[TableThreeRow], Shares]) -> Callable[[TableThreeRow], str]:
    def show(row: TableThreeRow) -> str:
        percent, better, pages = values(row)
        return "–" if percent is None else f"{percent:.2f} ({better}/{pages})"

    return show


def cell_table(cells: Sequence[Cell]) -> Table:
    own = plain(
        {
            "pages": "pages with a run with a value in both stacks",
            "better": "of these, pages whose mean over the new stack is smaller",
            "ties": "pages with equal means",
            "undecided": "pages without a significant difference: Welch's test, Holm over the pages of the cell, 5 %",
            "untested": "pages without a test: one run in an arm, or nothing varies",
            "excluded": "pages that lack a run with a value in one of the stacks",
            "low": "low end of Wilson's 95 % interval of better / pages, 0 to 1",
            "high": "its high end",
        }
    )
    views = [
        PLACE,
        PAIR_VIEW,
        EVENT_VIEW,
        CACHE_VIEW,
        View("faster over QUIC", lambda row: f"{row.better} of {row.pages}"),
        View("95 % interval", lambda row: f"{words.share(row.low)} to {words.share(row.high)}"),
        View("ties", lambda row: words.count(row.ties)),
        View("not significant", lambda row: words.count(row.undecided)),
        View("untested", lambda row: words.count(row.untested)),
        View("without a value", lambda row: words.count(row.excluded)),
    ]
    return Table(
        "table-3-cells",
        "Every cell of table III: intervals and tests",
        [*PAIR, *CONFIGURATION, EVENT, CACHE, *own],
        views,
        cells,
        "Significant: Welch’s test of the two means of a page, Holm over the pages of the cell, 5 %.",
    )


def page_table(rows: Sequence[PageRow]) -> Table:
    own = plain(
        {
            "rank": "place of the page in its cell, by the difference; figure 3 draws these",
            "site": "the page",
            "runs_new": "observed runs of the new stack",
            "runs_reference": "observed runs of the reference",
            "left_out": "runs of both that are censored or unknown",
            "mean_new_ms": "mean over the observed runs of the new stack",
            "mean_reference_ms": "mean over those of the reference",
            "difference_ms": "mean_new_ms - mean_reference_ms: below 0, the new stack is faster",
            "p_value": "Welch's test of the two means; empty without a test",
            "adjusted_p": "the same after Holm's correction for the pages of the cell",
        }
    )
    views = [
        View("page", lambda row: row.site, text=True),
        PLACE,
        PAIR_VIEW,
        EVENT_VIEW,
        CACHE_VIEW,
        View("new, ms", lambda row: words.ms(row.mean_new_ms)),
        View("reference, ms", lambda row: words.ms(row.mean_reference_ms)),
        View("difference, ms", lambda row: words.signed_ms(row.difference_ms)),
        View("corrected p", lambda row: words.p_value(row.adjusted_p)),
    ]
    return Table(
        "differences", "Difference per page (figure 3)", [*PAIR, *CONFIGURATION, EVENT, CACHE, *own], views, rows
    )


def summary_table(rows: Sequence[SummaryRow]) -> Table:
    own = plain({"statement": "what is stated", "ours": "of this batch", "paper": "of the paper's table"})
    views = [
        View("statement", lambda row: words.sentence_case(row.statement), text=True),
        PAIR_VIEW,
        View("ours", lambda row: words.text(row.ours), text=True),
        View("paper", lambda row: row.paper, text=True),
    ]
    note = "The paper’s prose says 5.37 % and at least 60 % where its table has 4.30 % and 59.37 %."
    return Table("summary", "What table III says", [*PAIR, *own], views, rows, note)
