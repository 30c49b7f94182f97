"""Computes the report about Saif et al. 2020 from a batch. Pure."""

import re
from collections.abc import Sequence

from eyelevel.compare.added import Report
from eyelevel.compare.model import Batch, Pair
from eyelevel.errors import BadInputError
from eyelevel.report.words import listed, plural
from eyelevel_core.model.take import Definition
from eyelevel_papers.saif2020 import tables
from eyelevel_papers.saif2020.directions import Direction, directions
from eyelevel_papers.saif2020.figures import Curve, curve, metric_bars
from eyelevel_papers.saif2020.points import CACHES, Impairment, Point, Series, pairs_of, series
from eyelevel_papers.saif2020.published import AUDITS, BASELINE_SCORE
from eyelevel_papers.selection import counted
from eyelevel_papers.sheet import Folded, Panels, Section, Sheet, facts_of, report

TITLE = "HTTP/2 and HTTP/3 with Lighthouse: Saif et al. 2020 and this batch"
METHOD = (
    "An audit is a take; it fails if a metric of the score is unknown, or not final because the page never settled. "
    "The metrics of a point’s audits are averaged, then scored with the weights and curves of Lighthouse 6.0.0; the "
    "mean of the audits’ own scores is in scores.csv.",
    "The metrics are those of the take (docs/reference/metrics.md). FCP, LCP (the last candidate before any input), "
    "CLS (the sum of all shifts, cls_sum), TBT (tasks between FCP and TTI) and TTI (a window of 5 s with at most two "
    "GET requests) are as in version 6. Two differ: SI comes from the film, frame by frame, where Lighthouse compares "
    "screenshots; and a page that settled counts as quiet for TTI’s whole window. Only the network "
    "throttles: the paper does not say whether its Lighthouse simulated throttling, as version 6 does by default.",
)
# what figures 4 and 5 draw of each point
CURVES = (
    Curve("score-mobile", "Score, mobile", "", lambda point: point.scores["mobile"]),
    Curve("score-desktop", "Score, desktop", "", lambda point: point.scores["desktop"]),
    Curve("lcp", "LCP", ", ms", lambda point: point.mean("lcp")),
    Curve("si", "SI", ", ms", lambda point: point.mean("si")),
)


def saif2020(batch: Batch, asked: Sequence[Pair]) -> Report:
    """Computes the report. `asked` empty: every stack over QUIC against the simplest TCP with HTTP/2.

    Raise BadInputError where no page has both at one point.
    """
    visits = counted(batch, CACHES)
    pairs = pairs_of(visits.loads, batch.stacks, asked)
    all_series = series(visits.loads, batch.networks, pairs)
    if not all_series:
        raise BadInputError(
            "No page was captured over one network with both HTTP/2 over TCP and QUIC; capture both, or name two "
            "stacks with --pair NEW/REFERENCE."
        )
    lines = [line for entry in all_series for line in directions(entry)]
    networks = list(dict.fromkeys(load.network for load in visits.loads))
    stacks = list(dict.fromkeys(load.stack for load in visits.loads))
    sections = [
        Section("scores", "Scores", [*METHOD, *_impaired([batch.networks[name] for name in networks]),
                                     tables.score_table(all_series)]),
        Section("directions", "The paper’s statements", [tables.direction_table(lines)]),
        Section("baseline", "Metrics at the baseline", _baseline(all_series)),
        Section("delay", "Over delay", _curves(all_series, "delay")),
        Section("loss", "Over loss", _curves(all_series, "loss")),
        Section("points", "Every point", [
            _failed(tables.point_rows(all_series)), Folded(tables.metric_table(all_series)),
            Folded(tables.point_table(tables.point_rows(all_series))), ]),
    ]  # fmt: skip
    count = sum(load.network in networks for load in visits.loads)
    lead = (
        f"{plural(count, 'audit')} of {plural(len({load.site for load in visits.loads}), 'page')} at "
        f"{plural(len(networks), 'point')} with {listed(sorted(stacks))}. The paper: {AUDITS} audits a point and "
        f"protocol, {BASELINE_SCORE['h3']} over HTTP/3 and {BASELINE_SCORE['h2']} over HTTP/2 at the baseline."
    )
    said = _said(all_series, lines)
    return report(Sheet(TITLE, lead, said, sections, visits.remarks, facts_of(batch, stacks, networks), visits.loads))


def _failed(rows: Sequence[tables.PointRow]) -> str:
    """Returns a sentence with the failed audits per arm."""
    counts: dict[str, list[int]] = {}
    for row in rows:
        tally = counts.setdefault(row.point.arm, [0, 0])
        tally[0] += row.point.failed
        tally[1] += row.point.failed + len(row.point.audits)
    said = [f"{arm} {failed} of {taken}" for arm, (failed, taken) in counts.items()]
    return f"Audits that failed: {listed(said)}."


def _impaired(networks: Sequence[Definition]) -> list[str]:
    """Describes delay and loss of the batch's networks where they differ from the paper's."""
    said = []
    if any("delay_down_ms" not in network.definition and network.definition.get("rtt_ms") for network in networks):
        said.append("Delays here are round trips, half of them each way; the paper delays only what the server sends.")
    if any(network.definition.get("loss") or network.definition.get("loss_up") for network in networks):
        said.append("Packets are lost in both directions here; in the paper only those that the server sends.")
    return said


def _baseline(all_series: Sequence[Series]) -> list[str | Panels]:
    drawn = [
        metric_bars(
            entry.baseline, f"{entry.site}, {entry.pair.new}", _name("metrics", entry.site, entry.link, entry.pair.new)
        )
        for entry in all_series
        if entry.baseline is not None and entry.baseline.h2.audits and entry.baseline.h3.audits
    ]
    if not drawn:
        return ["No network of the batch is without added delay and loss, so there is no baseline."]
    return [Panels(drawn, "As figure 3 of the paper: means over audits without added delay and loss.")]


def _curves(all_series: Sequence[Series], over: str) -> list[str | Panels]:
    """Returns a grid of figures per page and link, with all arms in each."""
    parts: list[str | Panels] = []
    places = list(dict.fromkeys((compared.site, compared.link) for compared in all_series))
    for site, link in places:
        arms: dict[str, dict[Impairment, Point]] = {}
        for compared in all_series:
            if (compared.site, compared.link) == (site, link):
                for both in compared.over_delay if over == "delay" else compared.over_loss:
                    for point in (both.h2, both.h3):
                        arms.setdefault(point.arm, {})[point.at] = point
        if len({at for points in arms.values() for at in points}) < 2:
            continue
        lines = {arm: [points[at] for at in sorted(points)] for arm, points in arms.items()}
        drawn = [
            curve(lines, over=over, shown=shown, name=_name(f"{shown.key}-over-{over}", site, link)) for shown in CURVES
        ]
        figure = "4" if over == "delay" else "5"
        parts.append(Panels(drawn, f"As figure {figure} of the paper: {site}, {link}."))
    return parts or [f"The batch has fewer than two points that differ in {over} alone."]


def _name(*words: str) -> str:
    """The name of a figure's file."""
    return "-".join(re.sub(r"[^a-z0-9.+]+", "-", word.lower()).strip("-") for word in words)


def _said(all_series: Sequence[Series], lines: Sequence[Direction]) -> list[str]:
    """Returns the sentences that the command prints: per series the baseline's scores and the statements that hold."""
    said = []
    for compared in all_series:
        agreements = [line.agrees for line in lines if line.series is compared]
        words = f"{compared.site}, {compared.link}, {compared.pair}: "
        if compared.baseline is not None:
            h2, h3 = compared.baseline.h2.scores, compared.baseline.h3.scores
            words += (
                f"score at the baseline {_known(h3['mobile'])} against {_known(h2['mobile'])} (mobile), "
                f"{_known(h3['desktop'])} against {_known(h2['desktop'])} (desktop); paper: 65 against 87. "
            )
        said.append(
            f"{words}Statements of the paper that hold: {agreements.count(True)} of {len(agreements)}; that do not: "
            f"{agreements.count(False)}; open: {agreements.count(None)}."
        )
    return said


def _known(value: int | None) -> str:
    return "unknown" if value is None else str(value)
