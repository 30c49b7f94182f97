"""The section about metrics: leaderboard with noise ceiling, figures, and conclusions."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from eyelevel.analyse.report.figures import Figures
from eyelevel.analyse.report.parts import how_to_read, listed, shown
from eyelevel.analyse.results.best import best_sentences
from eyelevel.analyse.results.closed import CLEAR, Closed
from eyelevel.analyse.results.leaders import leader_sentences, strongest_first
from eyelevel.analyse.tables import FOLDER, Sheets
from eyelevel_figures.elements import tag
from eyelevel_stats.in_depth.compute import InDepth
from eyelevel_stats.rows.metrics import OPPOSITE, LeaderRow
from eyelevel_stats.rows.words import ALL

TABLE_WORDS = (
    "Pearson, Spearman and Kendall have the sign of the metric: below 0, larger values go with lower scores, as "
    "they do for times.",
    "Share of ceiling is the size of Pearson’s correlation divided by the noise ceiling.",
    "rmse is the error in points of the scale after the metric is mapped to it by a curve (ITU-T P.1401); rmse* "
    "counts only errors beyond the interval of the score, and the outlier ratio is the share of such errors.",
    "p tests whether the rmse is larger than that of the metric with the smallest rmse.",
)
BEST_WORDS = (
    "Agreement is Spearman’s correlation, signed so that 1 is full agreement, and within sites if they are known.",
    "A metric may be the best one if its agreement is not clearly less than that of any other. The metric that "
    "truly agrees best is among these in at least 95 of 100 studies.",
    "The intervals are from a bootstrap over participants and sites, and tend to be too wide rather than too narrow. "
    "Meng’s p and Zou’s interval assume independent stimuli.",
)


def metric_parts(basics: Closed, deep: InDepth | None, make: Sheets, figures: Figures) -> list[Element]:
    """Returns the section; rows and sets are first those of all networks, then of each network."""
    rows = basics.leaders
    ordered = [*strongest_first([row for row in rows if row.network == ALL])]
    ordered += [row for row in rows if row.network != ALL]
    best = deep.best if deep else ()
    parts: list[Element] = []
    if said := [*leader_sentences(rows), *best_sentences(best)]:
        parts.append(listed(said, "short"))
    parts += figures.leaders()
    parts.append(shown(make.sheet(f"{FOLDER}/leaderboard", ordered)))
    parts.append(how_to_read(*TABLE_WORDS))
    if notes := _notes(ordered):
        parts.append(listed(notes, "notices"))
    if deep and any(best_set.differences for best_set in best):
        names = ("best-metrics", "metric-differences")
        parts += [tag("h3", "Which metric agrees best"), *(shown(make.deep_sheet(name, deep)) for name in names)]
        parts.append(how_to_read(*BEST_WORDS))
    parts += ceiling_parts(deep, make) if deep else []
    plots = figures.plots()
    return parts + ([tag("h3", "Scores against each metric"), *plots] if plots else [])


def ceiling_parts(deep: InDepth, make: Sheets) -> list[Element]:
    """Returns the part about the noise ceiling."""
    rows = deep.tables.get("noise-ceilings", ())
    reasons = [f"{row.network}: {_plain(row.why)}." for row in rows if row.why]
    return [
        tag("h3", "How well any metric could agree"),
        shown(make.deep_sheet("noise-ceilings", deep)),
        how_to_read(
            "Reliability is the share of the variance between scores that is not noise due to the limited number of "
            "participants; near 1, other participants would give the same order.",
            "The ceiling is the expected correlation of a perfect metric with these scores. The lower ceiling is the "
            "correlation between the scores of two halves of the participants.",
        ),
        *([listed(reasons, "notices")] if reasons else []),
    ]


def _notes(rows: Sequence[LeaderRow]) -> list[str]:
    """Why figures are missing, each reason once, and metrics whose sign is not the expected one."""
    reasons: dict[str, list[str]] = {}
    for row in rows:
        if row.why:
            place = "" if row.network == ALL else f" ({row.network})"
            reasons.setdefault(_plain(row.why), []).append(f"{row.metric}{place}")
    notes = [
        f"{'All metrics' if len(names) == len(rows) and len(rows) > 1 else ', '.join(names)}: {why}."
        for why, names in reasons.items()
    ]
    opposite = [
        row.metric
        for row in rows
        if row.direction == OPPOSITE and row.network == ALL and abs(row.spearman or 0) > CLEAR
    ]
    if opposite:
        notes.append(
            f"{', '.join(opposite)}: better values go with lower scores. If a larger value means better quality, "
            "name the metric with --higher-is-better."
        )
    return notes


def _plain(why: str) -> str:
    """A reason without the names of columns."""
    return why.replace("reliability_centred", "the reliability within sites")
