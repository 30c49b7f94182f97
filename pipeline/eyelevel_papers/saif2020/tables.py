"""Tables of the report about Saif et al. 2020."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from eyelevel.report.table import Filled
from eyelevel_core.tables import Column, Table, column, columns, derived, part
from eyelevel_papers.saif2020.directions import Direction
from eyelevel_papers.saif2020.points import Both, Point, Series
from eyelevel_papers.saif2020.published import BASELINE_SCORE, GAPS
from eyelevel_papers.saif2020.score import FORM_FACTORS, WEIGHTS
from eyelevel_stats.arms import Difference, difference

AGREES = {True: "yes", False: "no", None: "open"}
PAGE, LINK = "site of the campaign", "rates of the link and its own round-trip time"
DELAY, LOSS = "delay added in the direction of the client", "packet loss in the direction of the client, 0 to 1"


@dataclass(frozen=True)
class InSeries:
    """A row about a series."""

    series: Series = part()
    site: ClassVar[str] = derived("series.site", PAGE)
    link: ClassVar[str] = derived("series.link", LINK)
    h3: ClassVar[str] = derived(
        "series.pair.new", "arm over HTTP/3: the stack, with its cache mode if it is not cold", head="over HTTP/3"
    )
    h2: ClassVar[str] = derived(
        "series.pair.reference", "arm over HTTP/2: the stack, with its cache mode if it is not cold", head="over HTTP/2"
    )


@dataclass(frozen=True)
class PairRow(InSeries):
    """A point of both protocols in its series."""

    both: Both = part()
    delay_ms: ClassVar[float] = derived("both.at.delay_ms", DELAY, shown="ms")
    loss: ClassVar[float] = derived("both.at.loss", LOSS, shown="share")


def _of_form(form: str) -> list[Column]:
    said = {
        f"h2_{form}": f"score over HTTP/2, {form}, from the means of the metrics",
        f"h3_{form}": f"score over HTTP/3, {form}, from the means of the metrics",
        f"gap_{form}": f"h2_{form} - h3_{form}",
    }
    means = {
        f"h2_{form}_mean": f"mean of the scores of single audits over HTTP/2, {form}",
        f"h3_{form}_mean": f"mean of the scores of single audits over HTTP/3, {form}",
    }
    return [
        *(Column(name, "integer", None, meaning, format="count") for name, meaning in said.items()),
        *(Column(name, "number", None, meaning, format="hidden") for name, meaning in means.items()),
    ]


@dataclass(frozen=True)
class ScoreRow(PairRow):
    """The scores at a point, beside the paper's where it has the point."""

    scores: Mapping[str, float | None] = columns(*(declared for form in FORM_FACTORS for declared in _of_form(form)))
    paper_h2: int | None = column("baseline score over HTTP/2 in the paper", default=None)
    paper_h3: int | None = column("baseline score over HTTP/3 in the paper", default=None)
    paper_gap: int | None = column("gap between the scores in the paper", default=None)


@dataclass(frozen=True)
class MetricRow(PairRow):
    """A metric at a point of both protocols: means over audits and their difference, HTTP/3 - HTTP/2."""

    metric: str = column("metric that is part of the score", shown="metric")
    mean_h2: float | None = column(
        "mean over audits over HTTP/2; in ms, except for cls_sum", head="HTTP/2", shown="precise"
    )
    mean_h3: float | None = column(
        "mean over audits over HTTP/3; in ms, except for cls_sum", head="HTTP/3", shown="precise"
    )
    gap: Difference | None = part()
    difference: ClassVar[float | None] = derived("gap.difference", "mean_h3 - mean_h2", shown="precise")
    ci_low: ClassVar[float | None] = derived(
        "gap.ci_low",
        "lower end of the 95 % interval of difference (Welch)",
        head="95 % interval",
        shown="precise",
        until="ci_high",
    )
    ci_high: ClassVar[float | None] = derived("gap.ci_high", "upper end of the 95 % interval of difference (Welch)")


@dataclass(frozen=True)
class DirectionRow(InSeries):
    """A statement of the paper and ours."""

    direction: Direction = part()
    what: ClassVar[str] = derived("direction.what", "metric or score, and the points that the statement refers to")
    paper: ClassVar[str] = derived("direction.paper", "statement of the paper; bounds in brackets are ours")
    ours: ClassVar[str] = derived("direction.ours", "result of these takes")
    agrees: str = column("yes, no, or open if the takes do not decide", head="same")


@dataclass(frozen=True)
class PointRow:
    """An arm at a point of its page and link. Packets and bytes are means."""

    site: str = column(PAGE)
    link: str = column(LINK)
    point: Point = part()
    delay_ms: ClassVar[float] = derived("point.at.delay_ms", DELAY, shown="ms")
    loss: ClassVar[float] = derived("point.at.loss", LOSS, shown="share")
    network: ClassVar[str] = derived("point.network", "name of the network", shown="hidden")
    arm: ClassVar[str] = derived("point.arm", "stack, with its cache mode if it is not cold")
    audits: int = column("number of takes with every metric of the score")
    failed: ClassVar[int] = derived("point.failed", "number of takes without at least one metric of the score")
    down_packets: float | None = column("packets sent to the client, including lost packets; mean", shown="count")
    down_bytes: float | None = column("IP bytes in the packets sent to the client; mean", shown="count")
    up_packets: float | None = column("packets sent to the servers, including lost packets; mean", shown="count")
    up_bytes: float | None = column("IP bytes in the packets sent to the servers; mean", shown="count")
    h3_share: ClassVar[float | None] = derived(
        "point.h3_share", "median share of responses over HTTP/3, 0 to 1", head="over HTTP/3", shown="share"
    )


def point_rows(all_series: Sequence[Series]) -> list[PointRow]:
    """Returns each arm at each point once, even if several pairs have it."""
    row_of = {
        (entry.site, entry.link, point.at, point.arm): PointRow(
            entry.site, entry.link, point, len(point.audits),
            *(sent[what] for sent in (point.down, point.up) for what in ("packets", "bytes")),
        )
        for entry in all_series
        for both in entry.points
        for point in (both.h2, both.h3)
    }  # fmt: skip
    return list(row_of.values())


def score_table(all_series: Sequence[Series]) -> Filled:
    note = (
        "Scores from the means of the audits’ metrics, as in the paper; the CSV also has the means of the scores. "
        "The paper does not state its form factor; Lighthouse’s default is mobile."
    )
    rows = [_score_row(series, both) for series in all_series for both in series.points]
    return Filled(Table("scores", "Lighthouse’s score by point", "", ScoreRow), rows, note)


def _score_row(series: Series, both: Both) -> ScoreRow:
    scores: dict[str, float | None] = {}
    for form in FORM_FACTORS:
        scores[f"gap_{form}"] = both.gap(form)
        for name, arm in (("h2", both.h2), ("h3", both.h3)):
            scores |= {f"{name}_{form}": arm.scores[form], f"{name}_{form}_mean": arm.mean_scores[form]}
    baseline = (both.at.delay_ms, both.at.loss) == (0, 0)
    return ScoreRow(
        series,
        both,
        scores,
        paper_h2=BASELINE_SCORE["h2"] if baseline else None,
        paper_h3=BASELINE_SCORE["h3"] if baseline else None,
        paper_gap=GAPS.get(both.at.delay_ms) if both.at.loss == 0 else None,
    )


def metric_table(all_series: Sequence[Series]) -> Filled:
    rows = [
        MetricRow(
            series, both, key, both.h2.mean(key), both.h3.mean(key),
            difference([(both.h3.values(key), both.h2.values(key))]),
        )
        for series in all_series
        for both in series.points
        for key in WEIGHTS
    ]  # fmt: skip
    return Filled(Table("metrics", "Metrics by point", "", MetricRow), rows)


def direction_table(directions: Sequence[Direction]) -> Filled:
    rows = [DirectionRow(direction.series, direction, AGREES[direction.agrees]) for direction in directions]
    return Filled(Table("directions", "The paper’s statements and ours", "", DirectionRow), rows)


def point_table(rows: Sequence[PointRow]) -> Filled:
    note = (
        "Packets and IP bytes sent into the emulated link, including those that it lost. In the paper, with loss, "
        "HTTP/3 sent almost twice as many packets, and about as many bytes."
    )
    return Filled(Table("points", "Audits, packets and protocols by point", "", PointRow), rows, note)
