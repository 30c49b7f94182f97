"""Notices about what was left out or needs attention in a long table and its metrics."""

from collections.abc import Mapping, Sequence

from eyelevel.analyse.long_table.metric_table import MetricTable
from eyelevel.analyse.long_table.scores import ScoreVotes
from eyelevel.report.words import listed, plural

# names in a notice; more are counted
SHOWN = 5


def score_notices(votes: ScoreVotes, repeated: int) -> list[str]:
    """About the votes."""
    said = []
    if votes.missing:
        said.append(f"{plural(votes.missing, 'row')} of {votes.rows:,} without a score left out.")
    if repeated:
        said.append(
            f"Further votes of a participant on the same stimulus: {repeated:,}. They were averaged first, so that "
            "each participant counts once per stimulus."
        )
    if votes.conditions is not None and (several := votes.conditions.count(None)):
        said.append(
            f"{plural(several, 'stimulus has', 'stimuli have')} votes under several conditions, or no condition: the "
            "cell is empty. If each combination is a stimulus of its own, add a column that names both."
        )
    return said


def metric_notices(metrics: MetricTable, stimuli: Sequence[str]) -> list[str]:
    """About the table of metrics, beside the stimuli that have votes."""
    rated, known = set(stimuli), set(metrics.stimuli)
    said = []
    if without := [name for name in stimuli if name not in known]:
        said.append(f"{plural(len(without), 'stimulus has', 'stimuli have')} votes but no metrics: {_names(without)}.")
    if unrated := [name for name in metrics.stimuli if name not in rated]:
        said.append(f"{plural(len(unrated), 'stimulus has', 'stimuli have')} metrics but no votes: {_names(unrated)}.")
    if metrics.not_numeric:
        said.append(f"No metrics, as they contain text or nothing: {_names(metrics.not_numeric)}.")
    if metrics.varying:
        said.append(f"No metrics, as a stimulus has several values of them: {_names(metrics.varying)}.")
    if metrics.infinite:
        said.append(f"{plural(metrics.infinite, 'infinite value')} of metrics count as unknown.")
    return said


def direction_notices(rising: Sequence[str]) -> list[str]:
    """About metrics that rise with the scores although nobody said that a larger value is better."""
    if not rising:
        return []
    return [
        f"Rising with the scores: {_names(rising)}. The search for the best metrics takes a larger value of these as "
        "better; name them with --higher-is-better to state it."
    ]


def unmatched(metrics: MetricTable, stimuli: Sequence[str], files: Mapping[str, str]) -> str | None:
    """What to say where no stimulus of the votes is in the table of metrics; None where one is."""
    if set(metrics.stimuli) & set(stimuli):
        return None
    return (
        f"{files['metrics']} and {files['votes']} have no stimulus in common: the metrics begin with "
        f"{metrics.stimuli[0]!r}, the votes with {stimuli[0]!r}. Names must be written alike in both."
    )


def _names(names: Sequence[str]) -> str:
    if len(names) <= SHOWN:
        return listed(list(names))
    return f"{', '.join(names[:SHOWN])} and {len(names) - SHOWN:,} more"
