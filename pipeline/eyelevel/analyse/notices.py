"""Notices about a long table and its metrics: what was left out, and what needs attention."""

from collections.abc import Mapping, Sequence

import numpy as np

from eyelevel.analyse.long_table.metric_table import MetricTable
from eyelevel.analyse.long_table.pairs import PairVotes
from eyelevel.analyse.long_table.scores import ONE_EACH, ScoreVotes
from eyelevel.report.words import listed, plural
from eyelevel_stats.agreement.clip_scores import ClipScore, Metrics
from eyelevel_stats.correlation import pearson_coefficient

# names in a notice; more are counted
SHOWN = 5
# columns that tables have beside metrics
NO_METRICS = frozenset(
    {"id", "index", "n", "count", "votes", "mos", "dmos", "mean", "mean_score", "score", "rating", "sd", "std", "stdev"}
    | {"stddev", "var", "variance", "ci", "ci95", "sem", "se"}
)
CHOOSE = "If they are not metrics, choose metrics with --metric."
# with fewer stimuli, any metric may be close to the means
LEAST_COPIED = 4
# a stronger correlation with the scores' means is that of a copy of them
COPY = 0.999


def score_notices(votes: ScoreVotes, stimuli: Sequence[str]) -> list[str]:
    """Returns notices about votes with scores."""
    sentences = list(votes.notices)
    if votes.missing:
        sentences.append(f"{plural(votes.missing, 'row')} of {votes.rows:,} without a score left out.")
    if votes.rows > 1 and len(votes.score) == len(stimuli) and ONE_EACH not in votes.notices:
        sentences.append(
            "Each stimulus has one vote. If the table has a row per stimulus with the mean of its votes, intervals and "
            "results about participants are meaningless; give the single votes."
        )
    without, several = (
        0 if labels is None else sum(not labels.get(name) for name in stimuli)
        for labels in (votes.sites, votes.conditions)
    )
    if without:
        sentences.append(
            f"{plural(without, 'stimulus has', 'stimuli have')} no site. Results within sites and predictions for "
            "left-out sites do not include them."
        )
    if several:
        sentences.append(
            f"{plural(several, 'stimulus has', 'stimuli have')} votes under several conditions, or no condition: "
            "their cell of mos.csv is empty. If each combination is a separate stimulus, give both columns: "
            "stimulus=STIMULUS+CONDITION."
        )
    return sentences


def metric_notices(metrics: MetricTable, stimuli: Sequence[str]) -> list[str]:
    """Returns notices about the table of metrics, given the stimuli that have votes."""
    rated, known = set(stimuli), set(metrics.stimuli)
    sentences = []
    if without := [name for name in stimuli if name not in known]:
        sentences.append(
            f"{plural(len(without), 'stimulus has', 'stimuli have')} votes but no metrics: {some_of(without)}."
        )
    if unrated := [name for name in metrics.stimuli if name not in rated]:
        sentences.append(
            f"{plural(len(unrated), 'stimulus has', 'stimuli have')} metrics but no votes: {some_of(unrated)}."
        )
    if metrics.not_numeric:
        sentences.append(
            f"Not used as metrics, because they contain text or are empty: {some_of(metrics.not_numeric)}."
        )
    if metrics.varying:
        sentences.append(f"Not used as metrics, because a stimulus has several values: {some_of(metrics.varying)}.")
    if metrics.infinite:
        sentences.append(f"{plural(metrics.infinite, 'infinite value')} of metrics count as unknown.")
    if odd := [name for name in metrics.metrics if name.strip().casefold() in NO_METRICS]:
        sentences.append(f"Used as metrics, although their names suggest other columns: {some_of(odd)}. {CHOOSE}")
    return [*sentences, *metrics.notices]


def repeated_notices(repeated: int) -> list[str]:
    """Returns a notice about further votes of a participant on the same stimulus."""
    if not repeated:
        return []
    return [
        f"Further votes of a participant on the same stimulus: {repeated:,}. They were averaged first, so that each "
        "participant counts once per stimulus."
    ]


def copy_notices(metrics: Metrics, clips: Sequence[ClipScore]) -> list[str]:
    """Returns a notice about metrics that seem to be computed from the scores."""
    copies = []
    for name, values in metrics.items():
        both = [(value, clip.mos) for clip in clips if (value := values.get(clip.stimulus)) is not None]
        r = pearson_coefficient(*np.array(both).T) if len(both) >= LEAST_COPIED else None
        if r is not None and abs(r) > COPY:
            copies.append(name)
    return [f"Nearly the same as the means of the scores: {some_of(copies)}. {CHOOSE}"] if copies else []


def pair_notices(votes: PairVotes) -> list[str]:
    """Returns notices about votes on pairs."""
    sentences = list(votes.notices)
    if votes.missing:
        tie = " If an empty answer means that neither was preferred, write tie." if votes.sided else ""
        sentences.append(f"{plural(votes.missing, 'row')} of {votes.rows:,} without a choice left out.{tie}")
    if votes.also_names:
        sentences.append(
            f"Choices that also name a stimulus: {some_of(votes.also_names)}. They have the meaning that --choices "
            "gives them."
        )
    return sentences


def direction_notices(rising: Sequence[str]) -> list[str]:
    """Returns a notice about metrics that rise with the scores but are not named with --higher-is-better."""
    if not rising:
        return []
    return [
        f"Rising with the scores: {some_of(rising)}. The search for the best metrics treats larger values of these as "
        "better; name them with --higher-is-better to confirm this."
    ]


def unmatched(metrics: MetricTable, stimuli: Sequence[str], files: Mapping[str, str]) -> str | None:
    """Returns the message if no stimulus of the votes is in the table of metrics; else None."""
    if set(metrics.stimuli) & set(stimuli):
        return None
    return (
        f"{files['metrics']} and {files['votes']} have no stimulus in common: the metrics begin with "
        f"{metrics.stimuli[0]!r}, the votes with {stimuli[0]!r}. Names must be written alike in both."
    )


def some_of(names: Sequence[str]) -> str:
    """Returns the first names, and the number of the others."""
    if len(names) <= SHOWN:
        return listed(list(names))
    return f"{', '.join(names[:SHOWN])} and {len(names) - SHOWN:,} more"
