"""The section about metrics: leaderboard with noise ceiling, figures, and what can be concluded."""

from collections.abc import Mapping, Sequence
from operator import attrgetter
from xml.etree.ElementTree import Element

from eyelevel.analyse.best import Resampled, best_sentences
from eyelevel.analyse.report.parts import explained, how_to_read, listed, panels, shown
from eyelevel.analyse.report.scatter_figure import scatter_figure
from eyelevel.analyse.tables import best_table, ceiling_table, difference_table, leader_table
from eyelevel.report.table import Column, Table, View
from eyelevel.report.words import decimal, share
from eyelevel_figures import leaderboard
from eyelevel_figures.canvas import Drawing
from eyelevel_figures.elements import tag
from eyelevel_figures.figure import Figure, Look
from eyelevel_figures.words import Words
from eyelevel_stats.agreement.clip_scores import ClipScore, Metrics
from eyelevel_stats.rows.metrics import OPPOSITE, CeilingRow, LeaderRow
from eyelevel_stats.rows.words import ALL

# the strongest metrics have a scatter plot each
MOST_PLOTS = 9
# a weaker rank correlation does not say which direction a metric has
CLEAR = 0.3


def strongest_first(rows: Sequence[LeaderRow]) -> list[LeaderRow]:
    """By Spearman's correlation within sites where it is known, else by the raw one.

    Whichever way a metric goes with the scores over all clips counts as its direction.
    """
    within = any(row.spearman_centred is not None for row in rows)

    def strength(row: LeaderRow) -> float:
        found = row.spearman_centred if within else row.spearman
        return (found or 0.0) * (-1 if (row.spearman or 0.0) < 0 else 1)

    return sorted(rows, key=lambda row: -strength(row))


def in_short(rows: Sequence[LeaderRow]) -> list[str]:
    """Which metric follows the scores most closely, and how much of what is possible that is."""
    board = [row for row in strongest_first([row for row in rows if row.network == ALL]) if row.pearson is not None]
    if not board:
        return []
    first = board[0]
    said = f"Of {len(board)} metrics, {first.metric} follows the scores most closely" if len(board) > 1 else (
        f"{first.metric} is the only metric"
    )  # fmt: skip
    said += f": Spearman’s correlation {decimal(first.spearman)}"
    if first.spearman_centred is not None:
        said += f", and {decimal(first.spearman_centred)} within sites"
    if first.share is not None:
        said += f"; Pearson’s is {share(first.share)} of the noise ceiling"
    return [f"{said}."]


def metric_parts(
    rows: Sequence[LeaderRow],
    resampled: Resampled | None,
    *,
    leaders: Sequence[Figure],
    plots: Sequence[Element],
) -> list[Element]:
    """All of the section; rows and sets are those of all networks first, then of each.

    `leaders` are figures of the leaderboard, `plots` those of scores against metrics.
    """
    ordered = [*strongest_first([row for row in rows if row.network == ALL])]
    ordered += [row for row in rows if row.network != ALL]
    best = resampled.best if resampled else ()
    found: list[Element] = []
    if said := [*in_short(rows), *best_sentences(best)]:
        found.append(listed(said, "short"))
    found += [part for figure in leaders for part in explained(figure)]
    found.append(shown(leader_table(ordered, networks=len({row.network for row in rows}) > 1)))
    found.append(how_to_read(*_table_words()))
    if notes := _notes(ordered):
        found.append(listed(notes, "notices"))
    if any(one.differences for one in best):
        found += [tag("h3", "Which metric agrees best"), shown(best_table(best)), shown(difference_table(best))]
        found.append(how_to_read(*_best_words()))
    found += ceiling_parts(resampled.ceilings) if resampled else []
    return found + ([tag("h3", "Scores against each metric"), *plots] if plots else [])


def leader_figures(rows: Sequence[LeaderRow], resampled: Resampled | None, source: str) -> list[Figure]:
    """The leaderboard of anyone's table, if any metric has a correlation; it names its `source`."""
    known = [row for row in rows if row.network == ALL and row.spearman is not None]
    if not known:
        return []
    best = [row for one in (resampled.best if resampled else ()) if one.network == ALL for row in one.rows]
    return [leaderboard.draw(known, best, Look(Words(), source=source), resampled=resampled is not None, stimuli=True)]


def scatter_plots(
    rows: Sequence[LeaderRow], clips: Sequence[ClipScore], metrics: Metrics, ends: tuple[float, float], source: str
) -> list[Element]:
    """Plots of the strongest metrics of anyone's table, and how to read them."""
    known = [row for row in rows if row.network == ALL and row.pearson is not None]
    names = [row.metric for row in strongest_first(known)][:MOST_PLOTS]
    plots = [(plot, _points([name], clips, metrics)) for name, plot in _plots(names, clips, metrics, ends).items()]
    how = how_to_read(Words()("scatter.how_stimuli"))
    return [panels(plots, source, _points(names, clips, metrics)), how] if plots else []


def _points(names: Sequence[str], clips: Sequence[ClipScore], metrics: Metrics) -> Table:
    """The marks of all plots: a row per stimulus."""

    def value(name: str) -> View:
        return View(name, lambda clip: "–" if (one := metrics[name].get(clip.stimulus)) is None else f"{one:g}")

    views = [
        View("stimulus", lambda clip: clip.stimulus, text=True),
        View("MOS", lambda clip: decimal(clip.mos)),
        *map(value, names),
    ]

    def column(name: str) -> Column:
        return Column(name, name, lambda clip: metrics[name].get(clip.stimulus))

    columns = [Column(name, name, attrgetter(name)) for name in ("stimulus", "mos")]
    return Table("points", "Scores against each metric", [*columns, *map(column, names)], views, clips)


def _table_words() -> list[str]:
    return [
        "Pearson, Spearman and Kendall have the sign of the metric: below 0, larger values go with lower scores, as "
        "they do for times.",
        "Share of ceiling is the size of Pearson’s correlation divided by the noise ceiling.",
        "rmse is the error in points of the scale after the metric is mapped to it by a curve (ITU-T P.1401); rmse* "
        "counts only errors beyond the interval of the score, and the outlier ratio says how often that happens.",
        "p belongs to a larger rmse than that of the metric with the least one.",
    ]


def ceiling_parts(rows: Sequence[CeilingRow]) -> list[Element]:
    """How well any metric could agree with these scores."""
    reasons = [f"{row.network}: {_plain(row.why)}." for row in rows if row.why]
    return [
        tag("h3", "How well any metric could agree"),
        shown(ceiling_table(rows)),
        how_to_read(
            "Reliability is the share of the variance between scores that is not noise due to the limited number of "
            "participants; near 1, other participants would give the same order.",
            "The ceiling is the correlation that a perfect metric would be expected to have with these scores. The "
            "lower ceiling is that of the scores of one half of the participants with those of the other.",
        ),
        *([listed(reasons, "notices")] if reasons else []),
    ]


def _best_words() -> list[str]:
    return [
        "Agreement is Spearman’s correlation with the sign by which 1 is full agreement, within sites where they are "
        "known.",
        "A metric may be the best one if its agreement is not clearly less than that of any other; the metric that "
        "truly agrees best is among them in at least 95 of 100 studies.",
        "The intervals are by bootstrap over participants and sites, and rather too wide than too narrow. Meng’s p and "
        "Zou’s interval assume independent stimuli.",
    ]


def _notes(rows: Sequence[LeaderRow]) -> list[str]:
    """Why figures are missing, each reason once, and metrics whose sign is not the expected one."""
    reasons: dict[str, list[str]] = {}
    for row in rows:
        if row.why:
            place = "" if row.network == ALL else f" ({row.network})"
            reasons.setdefault(_plain(row.why), []).append(f"{row.metric}{place}")
    said = [
        f"{'All metrics' if len(names) == len(rows) and len(rows) > 1 else ', '.join(names)}: {why}."
        for why, names in reasons.items()
    ]
    opposite = [
        row.metric
        for row in rows
        if row.direction == OPPOSITE and row.network == ALL and abs(row.spearman or 0) > CLEAR
    ]
    if opposite:
        said.append(
            f"{', '.join(opposite)}: better values go with lower scores. Where a larger value means better quality, "
            "name the metric with --higher-is-better."
        )
    return said


def _plain(why: str) -> str:
    """A reason without the names of columns."""
    return why.replace("reliability_centred", "the reliability within sites")


def _plots(
    names: Sequence[str], clips: Sequence[ClipScore], metrics: Mapping[str, Mapping[str, float | None]],
    ends: tuple[float, float],
) -> dict[str, Drawing]:  # fmt: skip
    """The plot of each metric."""
    plots = {}
    for place, name in enumerate(names):
        points = [
            (clip.stimulus, value, clip.mos)
            for clip in clips
            if (value := metrics[name].get(clip.stimulus)) is not None
        ]
        plots[name] = scatter_figure(name, points, ends, f"scatter-{place}")
    return plots
