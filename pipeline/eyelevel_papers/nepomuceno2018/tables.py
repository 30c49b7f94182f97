"""Table III in its forms, and the difference of each page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from eyelevel.compare.columns import NEW, REFERENCE
from eyelevel.report.table import Filled
from eyelevel_core.tables import Column, Table, columns, derived
from eyelevel_papers.nepomuceno2018.columns import Of, OfCell
from eyelevel_papers.nepomuceno2018.pages import Cell, PageRow
from eyelevel_papers.nepomuceno2018.published import CACHES, CONFIGURATIONS, EVENTS, published_cell
from eyelevel_papers.nepomuceno2018.summary import SummaryRow

CELLS = [(metric, cache) for metric in EVENTS for cache in CACHES]


def _start(metric: str, cache: str, source: str) -> str:
    return f"{EVENTS[metric].lower()}_{cache}{source}"


def _columns(metric: str, cache: str, source: str) -> list[Column]:
    """Returns the columns percent, pages faster over QUIC, and pages: of the batch, or of the paper."""
    start, paper = _start(metric, cache, source), bool(source)
    owner = "the paper's " if paper else ""
    what = f"{owner}pages whose mean {EVENTS[metric]} over QUIC is smaller, {CACHES[cache]}"
    head = "paper, %" if paper else f"{EVENTS[metric]}, {CACHES[cache]}, %"
    return [
        Column(
            f"{start}_percent",
            "number",
            None,
            f"{what}: percentage, truncated to two decimals",
            head=head,
            format="decimal",
        ),
        Column(f"{start}_better", "integer", None, f"{what}: number of pages", head="pages", format="count"),
        Column(f"{start}_pages", "integer", None, f"{what}: total number of pages compared", head="of", format="count"),
    ]


@dataclass(frozen=True)
class TableThreeLine(Of):
    """One line of table III, as the paper lays it out: the cells of a configuration by event and cache."""

    new_stack: ClassVar[str] = derived("of.pair.new", NEW)
    reference_stack: ClassVar[str] = derived("of.pair.reference", REFERENCE)
    configuration: ClassVar[str] = derived(
        "of.configuration.name", "configuration C01 to C12, numbered as in the paper"
    )
    rtt_ms: ClassVar[float] = derived(
        "of.configuration.rtt_ms", "round-trip time of the configuration", head="RTT, ms", shown="ms"
    )
    loss: ClassVar[float] = derived("of.configuration.loss", "packet loss of the configuration, 0 to 1", shown="share")
    shares: Mapping[str, float | None] = columns(
        *(column for cell in CELLS for source in ("", "_paper") for column in _columns(*cell, source))
    )


@dataclass(frozen=True)
class CellLine(OfCell):
    """A cell of table III."""

    pages: ClassVar[int] = derived("of.pages", "number of pages with a run with a value in both stacks")
    better: ClassVar[int] = derived(
        "of.better", "number of these pages whose mean over the new stack is smaller", head="faster over QUIC"
    )
    ties: ClassVar[int] = derived("of.ties", "number of pages with equal means")
    undecided: ClassVar[int] = derived(
        "of.undecided",
        "number of pages without a significant difference (Welch's test at 5 %, Holm's correction over the pages "
        "of the cell)",
        head="not significant",
    )
    untested: ClassVar[int] = derived(
        "of.untested", "number of pages without a test, because a stack has only one run or the values do not vary"
    )
    excluded: ClassVar[int] = derived(
        "of.excluded",
        "number of pages without a run with a value in at least one of the stacks",
        head="without a value",
    )
    low: ClassVar[float | None] = derived(
        "of.low",
        "lower end of the 95 % interval of better / pages (Wilson), 0 to 1",
        head="95 % interval",
        shown="share",
        until="high",
    )
    high: ClassVar[float | None] = derived(
        "of.high", "upper end of the 95 % interval of better / pages (Wilson), 0 to 1"
    )


@dataclass(frozen=True)
class PageLine(OfCell):
    """A page of a cell."""

    rank: ClassVar[int] = derived(
        "of.rank", "rank of the page in its cell by the difference, as drawn in figure 3", shown="hidden"
    )
    site: ClassVar[str] = derived("of.site", "site of the campaign", head="page")
    runs_new: ClassVar[int] = derived("of.runs_new", "number of observed runs of the new stack", shown="hidden")
    runs_reference: ClassVar[int] = derived(
        "of.runs_reference", "number of observed runs of the reference", shown="hidden"
    )
    left_out: ClassVar[int] = derived(
        "of.left_out", "number of runs of both stacks that are censored or unknown", shown="hidden"
    )
    mean_new_ms: ClassVar[float] = derived(
        "of.mean_new_ms", "mean over the observed runs of the new stack", head="new, ms", shown="ms"
    )
    mean_reference_ms: ClassVar[float] = derived(
        "of.mean_reference_ms", "mean over the observed runs of the reference", head="reference, ms", shown="ms"
    )
    difference_ms: ClassVar[float] = derived(
        "of.difference_ms", "mean_new_ms - mean_reference_ms; below 0, the new stack is faster", shown="signed_ms"
    )
    p_value: ClassVar[float | None] = derived(
        "of.p_value", "p-value of Welch's test of the two means; empty without a test", shown="hidden"
    )
    adjusted_p: ClassVar[float | None] = derived(
        "of.adjusted_p",
        "p_value with Holm's correction over the pages of the cell",
        head="corrected p",
        shown="p",
    )


def table_three(cells: Sequence[Cell]) -> Filled:
    """Returns table III with both values in each column, and 12 lines per pair."""
    rows = [
        TableThreeLine(of_configuration[0], _shares(of_configuration))
        for pair in dict.fromkeys(cell.pair for cell in cells)
        for configuration in CONFIGURATIONS
        if (of_configuration := [cell for cell in cells if (cell.pair, cell.configuration) == (pair, configuration)])
    ]
    note = (
        "Percentage of pages whose mean over QUIC is smaller, truncated to two decimals as in the paper, and number of "
        "pages. The paper’s counts are derived from its percentages."
    )
    return Filled(Table("table-3", "Table III: pages that load faster over QUIC", "", TableThreeLine), rows, note)


def _shares(cells: Sequence[Cell]) -> dict[str, float | None]:
    """Returns the values by column, of the cells of one configuration; empty where no page was captured."""
    columns: dict[str, float | None] = {}
    values = {
        (captured.metric, captured.cache, ""): (captured.percent, captured.better, captured.pages) for captured in cells
    }
    for cell in CELLS:
        values[(*cell, "_paper")] = published_cell(*cell, cells[0].configuration)
    for key, parts in values.items():
        columns |= dict(zip((f"{_start(*key)}_{name}" for name in ("percent", "better", "pages")), parts, strict=True))
    return columns


def cell_table(cells: Sequence[Cell]) -> Filled:
    note = "Significant: Welch’s test of the two means of a page at 5 %, Holm’s correction over the pages of the cell."
    table = Table("table-3-cells", "Every cell of table III: intervals and tests", "", CellLine)
    return Filled(table, list(map(CellLine, cells)), note)


def page_table(rows: Sequence[PageRow]) -> Filled:
    return Filled(Table("differences", "Difference per page (figure 3)", "", PageLine), list(map(PageLine, rows)))


def summary_table(rows: Sequence[SummaryRow]) -> Filled:
    note = "The text of the paper says 5.37 % and at least 60 %; its table has 4.30 % and 59.37 %."
    return Filled(Table("summary", "What table III says", "", SummaryRow), rows, note)
