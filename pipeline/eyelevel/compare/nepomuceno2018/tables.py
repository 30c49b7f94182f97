"""Tables of the report."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from eyelevel.compare.model import Load, Pair
from eyelevel.compare.nepomuceno2018.effects import Box, EffectRow
from eyelevel.compare.nepomuceno2018.pages import Cell, PageRow
from eyelevel.compare.nepomuceno2018.published import CACHES, CONFIGURATIONS, EVENTS, Configuration, published_cell
from eyelevel.compare.nepomuceno2018.requests import PhaseRow, ProtocolRow
from eyelevel.compare.nepomuceno2018.summary import SummaryRow
from eyelevel.compare.phases import PHASES
from eyelevel.compare.report.tables.shared import PAIR, plain
from eyelevel.report import words
from eyelevel.report.table import Column, Table, View
from eyelevel.report.words import NBSP

EVENT = Column("event", "the paper's name; onLoad is plt_ms, onContentLoaded dcl_ms", lambda row: EVENTS[row.metric])
CACHE = Column("cache", "cache state of the visits: cold is the paper's cache disabled, all enabled", lambda r: r.cache)
STACK = Column("stack", "the stack", lambda row: row.stack)
CONFIGURATION = (
    Column("configuration", "C01 to C12 in the order of the paper", lambda row: _name(row.configuration)),
    Column("rtt_ms", "its round trip", lambda row: row.configuration and row.configuration.rtt_ms),
    Column("loss", "its loss, 0 to 1", lambda row: row.configuration and row.configuration.loss),
)
PAIR_VIEW = View("stacks", lambda row: f"{row.pair.new}{NBSP}/{NBSP}{row.pair.reference}", text=True)
EVENT_VIEW = View("event", lambda row: EVENTS[row.metric], text=True)
CACHE_VIEW = View("cache", lambda row: CACHES[row.cache].removeprefix("cache "), text=True)
STACK_VIEW = View("stack", lambda row: row.stack, text=True)
PLACE = View("network", lambda row: _place(row.configuration), text=True)


def _place(configuration: Configuration | None) -> str:
    return "all" if configuration is None else configuration.words.replace(" ms", f"{NBSP}ms")


def _name(configuration: Configuration | None) -> str | None:
    return None if configuration is None else configuration.name


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


def effect_table(rows: Sequence[EffectRow]) -> Table:
    own = [
        Column("effect", "round trip, or loss: what grows", lambda row: row.effect),
        Column("from_configuration", "configuration with the smaller value", lambda row: row.at.name),
        Column("to_configuration", "configuration with the larger value", lambda row: row.to.name),
        STACK,
        EVENT,
        CACHE,
        *plain(
            {
                "pages": "pages with a mean in both",
                "ratio": "geometric mean over pages of mean(to) / mean(from)",
                "low": "low end of its 95 % interval (Student's t on logarithms)",
                "high": "its high end",
            }
        ),
    ]
    views = [
        View("effect", lambda row: row.effect, text=True),
        View("from", lambda row: row.at.words, text=True),
        View("to", lambda row: row.to.words, text=True),
        STACK_VIEW,
        EVENT_VIEW,
        CACHE_VIEW,
        View("pages", lambda row: words.count(row.pages)),
        View("factor", lambda row: words.decimal(row.ratio)),
        View("95 % interval", lambda row: f"{words.decimal(row.low)} to {words.decimal(row.high)}"),
    ]
    return Table("effects", "Effects of round trip and loss per page", own, views, rows)


def box_table(rows: Sequence[Box]) -> Table:
    own = plain(
        {
            "pages": "pages in the box",
            "low_ms": "end of the low whisker",
            "q1_ms": "first quartile",
            "median_ms": "median",
            "q3_ms": "third quartile",
            "high_ms": "end of the high whisker",
        }
    )
    beyond = Column("outliers", "pages beyond the whiskers", lambda row: len(row.outliers_ms))
    views = [
        PLACE,
        STACK_VIEW,
        View("pages", lambda row: words.count(row.pages)),
        View("first quartile, ms", lambda row: words.ms(row.q1_ms)),
        View("median, ms", lambda row: words.ms(row.median_ms)),
        View("third quartile, ms", lambda row: words.ms(row.q3_ms)),
    ]
    return Table("boxes", "Boxes of figure 4", [*CONFIGURATION, STACK, *own, beyond], views, rows)


def phase_table(rows: Sequence[PhaseRow]) -> Table:
    own = plain(
        {
            "phase": "phase of HAR 1.2; TLS is part of connect, blocked_connect waits for another request's connection",
            "pages": "pages whose phases are known",
            "dominant": "of these, pages of which it is the largest",
            "median_share": "median over pages of its share of the time in phases, 0 to 1",
            "median_ms": "median over pages of its sum over the page's requests",
        }
    )
    views = [
        STACK_VIEW,
        CACHE_VIEW,
        PLACE,
        View("phase", lambda row: row.phase.replace("_", ", "), text=True),
        View("largest on", lambda row: f"{row.dominant} of {row.pages}"),
        View("median share", lambda row: words.share(row.median_share)),
        View("median sum, ms", lambda row: words.ms(row.median_ms)),
    ]
    return Table("phases", "Phases of the requests", [STACK, CACHE, *CONFIGURATION, *own], views, rows)


def protocol_table(rows: Sequence[ProtocolRow]) -> Table:
    own = plain(
        {
            "loads": "loads whose protocols are known",
            "unknown": "loads whose protocols are unknown",
            "median": "median over loads of the share of responses over HTTP/3, 0 to 1",
            "least": "the smallest share",
            "most": "the largest share",
        }
    )
    views = [
        PLACE,
        STACK_VIEW,
        CACHE_VIEW,
        View("loads", lambda row: words.count(row.loads)),
        View("unknown", lambda row: words.count(row.unknown)),
        View("over HTTP/3, median", lambda row: words.share(row.median)),
        View("least", lambda row: words.share(row.least)),
        View("most", lambda row: words.share(row.most)),
    ]
    return Table("protocols", "Responses over HTTP/3 per load", [*CONFIGURATION, STACK, CACHE, *own], views, rows)


def object_table(objects: Mapping[str, float]) -> Table:
    columns = [
        Column("site", "the page", lambda row: row[0]),
        Column("objects", "median over its first visits of the requests that the servers answered", lambda row: row[1]),
    ]
    views = [View("page", lambda row: row[0], text=True), View("objects", lambda row: f"{row[1]:g}")]
    return Table("objects", "Objects per page (figure 1)", columns, views, list(objects.items()))


def load_table(loads: Sequence[Load], configured: Mapping[str, Configuration]) -> Table:
    """Every take that counts, over the paper's networks."""
    rows = [load for load in loads if load.network in configured]
    columns = [
        Column("take", "its folder inside the batch", lambda row: row.path),
        Column("site", "the page", lambda row: row.site),
        Column("configuration", "C01 to C12", lambda row: configured[row.network].name),
        STACK,
        CACHE,
        Column("run", "number of the run", lambda row: row.run),
        Column("onload_ms", "onLoad; empty where it is unknown", lambda row: row.metrics["plt"]),
        Column("oncontentloaded_ms", "onContentLoaded; empty where it is unknown", lambda row: row.metrics["dcl"]),
        Column("h3_share", "share of its responses over HTTP/3, 0 to 1", lambda row: row.traffic.h3_share),
        *(Column(f"{phase}_ms", f"sum of {phase} over its requests (phases.csv)", _phase(phase)) for phase in PHASES),
    ]
    views = [
        View("take", lambda row: row.path, text=True),
        View("onLoad, ms", lambda row: words.ms(row.metrics["plt"])),
        View("onContentLoaded, ms", lambda row: words.ms(row.metrics["dcl"])),
        View("over HTTP/3", lambda row: words.share(row.traffic.h3_share)),
    ]
    return Table("loads", "Every load", columns, views, rows)


def _phase(phase: str) -> Callable[[Load], float | None]:
    return lambda load: None if load.phases_ms is None else load.phases_ms[phase]
