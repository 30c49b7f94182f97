"""Tables of the analysis of 2019."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from eyelevel.compare.report.tables.shared import (
    METRIC,
    METRIC_VIEW,
    NETWORK,
    NETWORK_VIEW,
    SITE,
    SITE_VIEW,
    STACKS,
    STACKS_VIEW,
    plain,
)
from eyelevel.report import words
from eyelevel.report.table import Column, Table, View
from eyelevel_core.model.metrics import LABELS, MAIN
from eyelevel_papers.wolsing2019.beside import BesideRow
from eyelevel_papers.wolsing2019.gains import AverageRow, GainRow, OneTripRow
from eyelevel_papers.wolsing2019.published import (
    ANOVA_DSL,
    DIFFERENCE_MS,
    GAIN,
    ONE_TRIP_MS,
    ONE_TRIP_SITES,
    REFERENCE_INFERRED,
)

INTERVAL = "Welch; paired runs: Student over blocks"
VERDICTS = {"new": "new", "reference": "reference", "undecided": "–", None: "untested"}


def gain_table(rows: Sequence[GainRow]) -> Table:
    own = plain(
        {
            "runs_new": "observed runs of the new stack",
            "runs_reference": "observed runs of the reference",
            "left_out_new": "runs of the new stack that are censored or unknown, left out here",
            "left_out_reference": "the same of the reference",
            "mean_new_ms": "arithmetic mean of the new stack",
            "mean_reference_ms": "arithmetic mean of the reference",
            "difference_ms": "mean_new_ms - mean_reference_ms",
            "difference_ci_low_ms": f"lower end of the difference's 95 % interval ({INTERVAL})",
            "difference_ci_high_ms": f"upper end of the difference's 95 % interval ({INTERVAL})",
            "gain": "difference_ms / mean_reference_ms; a fraction, below 0: new is faster",
            "anova_f": "F of a one-way ANOVA of the two stacks' runs",
            "anova_p_value": "its p",
            "verdict": "the lower mean where p < 0.01, else undecided; empty where F is not defined",
        }
    )
    views = [
        SITE_VIEW,
        METRIC_VIEW,
        View("runs", lambda row: f"{row.runs_new} + {row.runs_reference}"),
        View("left out", lambda row: f"{row.left_out_new} + {row.left_out_reference}"),
        View("new, ms", lambda row: words.ms(row.mean_new_ms)),
        View("reference, ms", lambda row: words.ms(row.mean_reference_ms)),
        View("difference, ms", lambda row: words.signed_ms(row.difference_ms)),
        View("gain", lambda row: words.percent(row.gain)),
        View("ANOVA p", lambda row: words.p_value(row.anova_p_value)),
        View("faster, p < 0.01", lambda row: VERDICTS[row.verdict], text=True),
    ]
    return Table("gains-2019", "Performance gain per site", [SITE, NETWORK, *STACKS, METRIC, *own], views, rows)


def average_table(rows: Sequence[AverageRow]) -> Table:
    own = plain(
        {
            "sites": "sites with a gain",
            "mean_gain": "mean over sites of the performance gain; a fraction, below 0: new is faster",
            "median_gain": "median over sites of the same; a fraction",
            "mean_difference_ms": "mean over sites of the difference of means, new - reference",
        }
    )
    columns = [
        NETWORK,
        *STACKS,
        METRIC,
        *own,
        Column("paper_2019_mean_gain", "what the paper printed for its 38 sites; a fraction", _paper_gain),
        Column(
            "paper_2019_reference",
            "stated: the paper names the reference of this gain; inferred: it does not, and the likely one is taken",
            _paper_reference,
        ),
        Column(
            "paper_2019_mean_difference_ms",
            "the mean difference that the paper printed for its 38 sites",
            _paper_difference,
        ),
    ]
    views = [
        STACKS_VIEW,
        NETWORK_VIEW,
        METRIC_VIEW,
        View("sites", lambda row: str(row.sites)),
        View("mean gain", lambda row: words.percent(row.mean_gain)),
        View("median gain", lambda row: words.percent(row.median_gain)),
        View("mean difference, ms", lambda row: words.signed_ms(row.mean_difference_ms)),
        View("paper 2019, gain", _paper_gain_view),
        View("paper 2019, ms", lambda row: words.signed_ms(_paper_difference(row))),
    ]
    return Table(
        "average-gains-2019",
        "Average gain over sites",
        columns,
        views,
        rows,
        note="The paper's column is for 38 other sites in versions of 2018 and 2019, on other servers: signs may be "
        "held against it, sizes hardly. ? marks a gain whose reference the paper does not print.",
    )


def _place(row: AverageRow | OneTripRow) -> tuple[str, str, str, str]:
    return (row.network, row.new, row.reference, row.metric)


def _paper_gain(row: AverageRow) -> float | None:
    return GAIN.get(_place(row))


def _paper_reference(row: AverageRow) -> str | None:
    if _place(row) not in GAIN:
        return None
    return "inferred" if _place(row) in REFERENCE_INFERRED else "stated"


def _paper_gain_view(row: AverageRow) -> str:
    return words.percent(_paper_gain(row)) + ("?" if _paper_reference(row) == "inferred" else "")


def _paper_difference(row: AverageRow) -> float | None:
    return DIFFERENCE_MS.get(_place(row))


@dataclass(frozen=True)
class AnovaLine:
    """One line of the slides' table: on how many sites `faster` was significantly faster, by metric."""

    network: str
    new: str
    reference: str
    faster: str
    counts: dict[str, int]
    paper: tuple[int, ...] | None


def anova_lines(rows: Sequence[AverageRow]) -> list[AnovaLine]:
    """Three lines per pair and network, in the slides' order: new, reference, undecided; untested where there are."""
    groups: dict[tuple[str, str, str], dict[str, AverageRow]] = {}
    for row in rows:
        groups.setdefault((row.network, row.new, row.reference), {})[row.metric] = row
    lines = []
    for (network, new, reference), own in groups.items():
        paper = ANOVA_DSL.get((new, reference)) if network == "DSL" else None
        for place, (words_, field) in enumerate(
            ((new, "faster"), (reference, "slower"), ("undecided", "undecided"), ("untested", "untested"))
        ):
            counts = {metric: int(getattr(row, field)) for metric, row in own.items()}
            if place < 3 or any(counts.values()):
                lines.append(
                    AnovaLine(network, new, reference, words_, counts, paper[place] if paper and place < 3 else None)
                )
    return lines


def anova_table(rows: Sequence[AverageRow]) -> Table:
    def column(metric: str) -> Column:
        meaning = f"sites on which it was significantly faster by {LABELS[metric]} (ANOVA, p < 0.01)"
        return Column(f"{metric}_sites", meaning, lambda row: row.counts.get(metric))

    def paper_column(place: int, metric: str) -> Column:
        meaning = "the same of 38 sites in the slides of 2019 (DSL only)"
        return Column(f"paper_2019_{metric}_sites", meaning, lambda row: row.paper[place] if row.paper else None)

    def view(metric: str) -> View:
        return View(LABELS[metric], lambda row: words.count(row.counts.get(metric)))

    lines = anova_lines(rows)
    views = [
        STACKS_VIEW,
        NETWORK_VIEW,
        View("faster", lambda row: row.faster, text=True),
        *(view(metric) for metric in MAIN),
    ]
    if any(row.paper for row in lines):
        views.append(View("2019, of 38", lambda row: " ".join(map(str, row.paper)) if row.paper else "–"))
    return Table(
        "anova-2019",
        "Sites on which a stack is significantly faster: one-way ANOVA, p < 0.01",
        [
            NETWORK,
            *STACKS,
            Column(
                "faster", "the stack that was faster, undecided, or untested (too few runs)", lambda row: row.faster
            ),
            *(column(metric) for metric in MAIN),
            *(paper_column(place, metric) for place, metric in enumerate(MAIN)),
        ],
        views,
        lines,
        note="Laid out as in the slides of 2019. As there, nothing is corrected for the number of tests.",
    )


def one_trip_table(rows: Sequence[OneTripRow]) -> Table:
    own = plain(
        {
            "left_out": "runs of both stacks that are censored or unknown, left out here",
            "rtt_ms": "round trip of the network, without queueing",
            "difference_ms": "mean(new) - mean(reference)",
            "corrected_ms": "mean(new) - (mean(reference) - rtt_ms); below 0: faster beyond the shorter handshake",
            "corrected_ci_low_ms": f"lower end of its 95 % interval ({INTERVAL})",
            "corrected_ci_high_ms": f"upper end of its 95 % interval ({INTERVAL})",
            "corrected_rtts": "corrected_ms in round trips of the network",
        }
    )
    paper = [
        Column(f"paper_2019_{site.replace('.', '_')}_ms", f"table 3 of the paper: the same of {site}", _table_3(place))
        for place, site in enumerate(ONE_TRIP_SITES)
    ]
    views = [
        SITE_VIEW,
        NETWORK_VIEW,
        STACKS_VIEW,
        METRIC_VIEW,
        View("left out", lambda row: str(row.left_out)),
        View("RTT, ms", lambda row: words.ms(row.rtt_ms)),
        View("difference, ms", lambda row: words.signed_ms(row.difference_ms)),
        View("one RTT taken off, ms", lambda row: words.signed_ms(row.corrected_ms)),
        View("95 % interval", _corrected_interval),
        View("in round trips", lambda row: words.decimal(row.corrected_rtts)),
        *(View(f"2019: {site}, ms", _table_3_view(place)) for place, site in enumerate(ONE_TRIP_SITES)),
    ]
    return Table(
        "one-rtt-2019",
        "Sites with a single server: what is left once a round trip is taken off",
        [SITE, NETWORK, *STACKS, METRIC, *own, *paper],
        views,
        rows,
        note="Beside it table 3 of the paper, for its two sites with a single server.",
    )


def _table_3(place: int) -> Callable[[OneTripRow], float | None]:
    def value(row: OneTripRow) -> float | None:
        printed = ONE_TRIP_MS.get(_place(row))
        return None if printed is None else printed[place]

    return value


def _table_3_view(place: int) -> Callable[[OneTripRow], str]:
    return lambda row: words.signed_ms(_table_3(place)(row))


def _corrected_interval(row: OneTripRow) -> str:
    if row.corrected_ci_low_ms is None or row.corrected_ci_high_ms is None:
        return "–"
    return f"{words.signed_ms(row.corrected_ci_low_ms)} to {words.signed_ms(row.corrected_ci_high_ms)}"


def beside_table(rows: Sequence[BesideRow]) -> Table:
    columns = [
        Column("agreement", "; ".join(f"{key}: {meaning}" for key, meaning in AGREEMENT.items()), _agreement),
        Column("figure", "what was printed", lambda row: row.figure),
        Column("paper_site", "the site that it is about; empty: the mean over 38 sites", lambda row: row.paper_site),
        NETWORK,
        *STACKS,
        METRIC,
        Column("unit", "ms, or fraction: a gain, below 0: new is faster", lambda row: row.unit),
        Column("paper_2019", "what the paper printed", lambda row: row.paper),
        *plain(
            {
                "sites": "our sites behind our figure",
                "left_out": "runs of both stacks that are censored or unknown, left out here",
                "ours": "our figure: mean over sites, of arithmetic means over observed runs",
                "ci_low": f"lower end of its 95 % interval for these very sites ({INTERVAL}; gains: linearised)",
                "ci_high": "upper end of it",
                "like_ci_low": "lower end of the 95 % interval for sites like these (t over sites)",
                "like_ci_high": "upper end of it",
                "paper_inside": "whether an interval contains the printed figure: of a mean that for sites like these, "
                "of one of the paper's sites that for this very site",
            }
        ),
    ]
    views = [
        View("sign", _agreement, text=True),
        View("figure", lambda row: f"{row.figure}, {row.paper_site or '38 sites'}", text=True),
        View("metric", lambda row: f"{LABELS[row.metric]} on {row.network}", text=True),
        STACKS_VIEW,
        View("2019", lambda row: _beside(row, row.paper)),
        View("sites here", _sites_here),
        View("here", lambda row: _beside(row, row.ours)),
        View("95 %, these sites", lambda row: _ends(row, row.ci_low, row.ci_high)),
        View("95 %, sites like these", lambda row: _ends(row, row.like_ci_low, row.like_ci_high)),
        View("2019 inside", lambda row: INSIDE[row.paper_inside], text=True),
    ]
    return Table(
        "beside-2019",
        "Printed figures of the paper beside ours",
        columns,
        views,
        rows,
        note="Rows that contradict the paper come first. Only signs are compared: sites, versions and servers differ.",
    )


def _sites_here(row: BesideRow) -> str:
    return str(row.sites) if row.left_out == 0 else f"{row.sites}, {words.plural(row.left_out, 'run')} left out"


def _ends(row: BesideRow, low: float | None, high: float | None) -> str:
    if row.unit == "fraction" or low is None or high is None:
        return words.interval(low, high)
    return f"{words.signed_ms(low)} to {_beside(row, high)}"


INSIDE = {True: "yes", False: "no", None: "–"}
AGREEMENT = {
    "opposite": "our interval is wholly on the other side of 0",
    "open": "our interval includes 0 or is unknown, or our figure is within the films' detection floor",
    "same": "our interval is wholly on the paper's side of 0",
}


def _agreement(row: BesideRow) -> str:
    return row.agreement


def _beside(row: BesideRow, value: float | None) -> str:
    if row.unit == "fraction" or value is None:
        return words.percent(value)
    return f"{words.signed_ms(value)}{words.NBSP}ms"
