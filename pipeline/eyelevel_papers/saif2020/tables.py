"""Tables of the report."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from eyelevel.report import words
from eyelevel.report.table import Column, Table, View
from eyelevel.report.words import NBSP
from eyelevel_core.model.metrics import LABELS, METRIC_OF
from eyelevel_papers.saif2020.directions import Direction
from eyelevel_papers.saif2020.points import Both, Point, Series
from eyelevel_papers.saif2020.published import BASELINE_SCORE, GAPS
from eyelevel_papers.saif2020.score import FORM_FACTORS, WEIGHTS
from eyelevel_stats.arms import Difference, difference

AGREES = {True: "yes", False: "no", None: "open"}


@dataclass(frozen=True)
class PairRow:
    """A point of both protocols in its series."""

    series: Series
    both: Both


@dataclass(frozen=True)
class MetricRow:
    """A metric at a point of both protocols: means over audits and their difference, HTTP/3 - HTTP/2."""

    series: Series
    both: Both
    metric: str
    found: Difference | None


@dataclass(frozen=True)
class PointRow:
    """An arm at a point of its page and link."""

    site: str
    link: str
    point: Point


def pair_rows(all_series: Sequence[Series]) -> list[PairRow]:
    return [PairRow(series, both) for series in all_series for both in series.points]


def metric_rows(all_series: Sequence[Series]) -> list[MetricRow]:
    return [
        MetricRow(row.series, row.both, key, difference([(row.both.h3.values(key), row.both.h2.values(key))]))
        for row in pair_rows(all_series)
        for key in WEIGHTS
    ]


def point_rows(all_series: Sequence[Series]) -> list[PointRow]:
    """Each arm at each point once, though several pairs have it."""
    found = {
        (one.site, one.link, point.at, point.arm): PointRow(one.site, one.link, point)
        for one in all_series
        for both in one.points
        for point in (both.h2, both.h3)
    }
    return list(found.values())


IN_SERIES = (
    Column("site", "the page", lambda row: row.series.site),
    Column("link", "rates of the link, and its own round trip", lambda row: row.series.link),
    Column("h3", "the arm over HTTP/3: stack, and the cache state if it is not cold", lambda row: row.series.pair.new),
    Column("h2", "the arm over HTTP/2", lambda row: row.series.pair.reference),
)
AT = (
    Column("delay_ms", "delay added towards the client", lambda row: row.both.at.delay_ms),
    Column("loss", "loss of packets towards the client, 0 to 1", lambda row: row.both.at.loss),
)
SERIES_VIEWS = [
    View("page, link", lambda row: f"{row.series.site}, {row.series.link}", text=True),
    View("arms", lambda row: f"{row.series.pair.new}{NBSP}/{NBSP}{row.series.pair.reference}", text=True),
]
AT_VIEW = View("delay, loss", lambda row: row.both.at.words.replace(" ms", f"{NBSP}ms"), text=True)


def score_table(rows: Sequence[PairRow]) -> Table:
    columns: list[Column] = [*IN_SERIES, *AT]
    views = [AT_VIEW, *SERIES_VIEWS]
    for form in FORM_FACTORS:
        columns += [
            Column(f"h2_{form}", f"score over HTTP/2, {form}: metrics averaged, then scored", _score("h2", form)),
            Column(f"h3_{form}", "the same over HTTP/3", _score("h3", form)),
            Column(f"gap_{form}", "HTTP/2's score minus HTTP/3's", _gap(form)),
            Column(f"h2_{form}_mean", f"mean of the audits' own scores over HTTP/2, {form}", _mean("h2", form)),
            Column(f"h3_{form}_mean", "the same over HTTP/3", _mean("h3", form)),
        ]
        views.append(View(f"{form}: H2, H3, gap", _three(form)))
    columns += [
        Column("paper_h2", "the paper's score over HTTP/2, its baseline", lambda row: _paper(row, "h2")),
        Column("paper_h3", "the same over HTTP/3", lambda row: _paper(row, "h3")),
        Column("paper_gap", "the paper's gap", _paper_gap),
    ]
    views += [View("paper: H2, H3, gap", _shown_paper)]
    note = (
        "Metrics of the audits averaged, then scored, as in the paper; the CSV has the mean of the audits’ scores too. "
        "The paper does not state its form factor; Lighthouse’s default is mobile."
    )
    return Table("scores", "Lighthouse’s score by point", columns, views, rows, note)


def _score(arm: str, form: str) -> Callable[[PairRow], int | None]:
    return lambda row: getattr(row.both, arm).scores[form]


def _mean(arm: str, form: str) -> Callable[[PairRow], float | None]:
    return lambda row: getattr(row.both, arm).mean_scores[form]


def _gap(form: str) -> Callable[[PairRow], int | None]:
    return lambda row: row.both.gap(form)


def _three(form: str) -> Callable[[PairRow], str]:
    def show(row: PairRow) -> str:
        values = (row.both.h2.scores[form], row.both.h3.scores[form], row.both.gap(form))
        return ", ".join(_plain(value) for value in values)

    return show


def _plain(value: int | None) -> str:
    return "–" if value is None else str(value).replace("-", "−")


def _paper(row: PairRow, arm: str) -> int | None:
    return BASELINE_SCORE[arm] if (row.both.at.delay_ms, row.both.at.loss) == (0, 0) else None


def _paper_gap(row: PairRow) -> int | None:
    return GAPS.get(row.both.at.delay_ms) if row.both.at.loss == 0 else None


def _shown_paper(row: PairRow) -> str:
    values = (_paper(row, "h2"), _paper(row, "h3"), _paper_gap(row))
    return ", ".join(_plain(value) for value in values) if any(values) else "–"


def metric_table(rows: Sequence[MetricRow]) -> Table:
    columns = [
        *IN_SERIES,
        *AT,
        Column("metric", "metric of the score", lambda row: row.metric),
        Column("mean_h2", "mean over audits over HTTP/2; ms, but cls_sum", lambda row: row.both.h2.mean(row.metric)),
        Column("mean_h3", "the same over HTTP/3", lambda row: row.both.h3.mean(row.metric)),
        Column("difference", "mean_h3 - mean_h2", lambda row: row.found and row.found.difference),
        Column("ci_low", "low end of its 95 % interval (Welch)", lambda row: row.found and row.found.ci_low),
        Column("ci_high", "its high end", lambda row: row.found and row.found.ci_high),
    ]
    views = [
        AT_VIEW,
        *SERIES_VIEWS,
        View("metric", lambda row: LABELS[row.metric], text=True),
        View("HTTP/2", lambda row: words.amount(row.both.h2.mean(row.metric), METRIC_OF[row.metric].unit)),
        View("HTTP/3", lambda row: words.amount(row.both.h3.mean(row.metric), METRIC_OF[row.metric].unit)),
        View("difference", lambda row: _amount(row, "difference")),
        View("95 % interval", lambda row: f"{_amount(row, 'ci_low')} to {_amount(row, 'ci_high')}"),
    ]
    return Table("metrics", "Metrics by point", columns, views, rows)


def _amount(row: MetricRow, end: str) -> str:
    value = None if row.found is None else getattr(row.found, end)
    return words.amount(value, METRIC_OF[row.metric].unit)


def direction_table(rows: Sequence[Direction]) -> Table:
    columns = [
        *IN_SERIES,
        Column("what", "metric or score, and where", lambda row: row.what),
        Column("paper", "what the paper says; bounds in brackets are ours", lambda row: row.paper),
        Column("ours", "what these takes show", lambda row: row.ours),
        Column("agrees", "yes, no, or open where the takes do not decide", lambda row: AGREES[row.agrees]),
    ]
    views = [
        View("what", lambda row: row.what, text=True),
        *SERIES_VIEWS,
        View("paper", lambda row: row.paper, text=True),
        View("ours", lambda row: row.ours, text=True),
        View("same", lambda row: AGREES[row.agrees], text=True),
    ]
    return Table("directions", "The paper’s statements and ours", columns, views, rows)


def point_table(rows: Sequence[PointRow]) -> Table:
    columns = [
        Column("site", "the page", lambda row: row.site),
        Column("link", "rates of the link, and its own round trip", lambda row: row.link),
        Column("delay_ms", "delay added towards the client", lambda row: row.point.at.delay_ms),
        Column("loss", "loss of packets towards the client, 0 to 1", lambda row: row.point.at.loss),
        Column("network", "the network's name", lambda row: row.point.network),
        Column("arm", "stack, and the cache state if it is not cold", lambda row: row.point.arm),
        Column("audits", "takes with every metric of the score", lambda row: len(row.point.audits)),
        Column("failed", "takes that lack one", lambda row: row.point.failed),
        Column("down_packets", "packets sent to the client, lost ones included; mean", _sent("down", "packets")),
        Column("down_bytes", "IP bytes of these; mean", _sent("down", "bytes")),
        Column("up_packets", "packets sent to the servers, lost ones included; mean", _sent("up", "packets")),
        Column("up_bytes", "IP bytes of these; mean", _sent("up", "bytes")),
        Column("h3_share", "median share of responses over HTTP/3, 0 to 1", lambda row: row.point.h3_share),
    ]
    views = [
        View("page, link", lambda row: f"{row.site}, {row.link}", text=True),
        View("arm", lambda row: row.point.arm, text=True),
        View("delay, loss", lambda row: row.point.at.words),
        View("audits", lambda row: words.count(len(row.point.audits))),
        View("failed", lambda row: words.count(row.point.failed)),
        View("packets down", lambda row: words.count(_sent("down", "packets")(row))),
        View("kB down", lambda row: words.kilobytes(_sent("down", "bytes")(row))),
        View("packets up", lambda row: words.count(_sent("up", "packets")(row))),
        View("kB up", lambda row: words.kilobytes(_sent("up", "bytes")(row))),
        View("over HTTP/3", lambda row: words.share(row.point.h3_share)),
    ]
    note = (
        "Packets and IP bytes as given to the emulated link, with those that it then lost. The paper: with loss, "
        "HTTP/3 sent almost twice as many packets, and about as many bytes."
    )
    return Table("points", "Audits, packets and protocols by point", columns, views, rows, note)


def _sent(way: str, what: str) -> Callable[[Any], float | None]:
    return lambda row: getattr(row.point, way)[what]
