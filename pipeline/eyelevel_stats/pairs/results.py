"""All tables of paired comparisons of one study."""

from collections.abc import Iterable
from dataclasses import dataclass

from eyelevel_stats.pairs.components import components
from eyelevel_stats.pairs.davidson import component_rows, worth_rows
from eyelevel_stats.pairs.detection import detection_rows
from eyelevel_stats.pairs.jod import jod_rows
from eyelevel_stats.pairs.observations import PairVote, SameVote, in_order
from eyelevel_stats.pairs.slopes import slope_rows, slopes
from eyelevel_stats.pairs.sureness import replay_rows, sureness_difference_rows, sureness_mean_rows, sureness_rows
from eyelevel_stats.pairs.thresholds import threshold_rows
from eyelevel_stats.rows.comparisons import (
    AnswerMeanRow,
    ComponentRow,
    DetectionRow,
    JodRow,
    SlopeRow,
    SurenessDifferenceRow,
    SurenessRow,
    ThresholdRow,
    WorthRow,
)


@dataclass(frozen=True)
class PairResults:
    """Each table sorted by its leading columns; without votes, all are empty."""

    components: tuple[ComponentRow, ...]
    worths: tuple[WorthRow, ...]
    jods: tuple[JodRow, ...]
    slopes: tuple[SlopeRow, ...]
    thresholds: tuple[ThresholdRow, ...]
    detection: tuple[DetectionRow, ...]
    sureness: tuple[SurenessRow, ...]
    sureness_means: tuple[AnswerMeanRow, ...]
    sureness_differences: tuple[SurenessDifferenceRow, ...]
    replays: tuple[AnswerMeanRow, ...]


def pair_results(votes: Iterable[PairVote], same: Iterable[SameVote], *, side_bias: bool = True) -> PairResults:
    """From the main votes about two stacks and the votes about pairs of one stack.

    The order of the votes does not matter: they are sorted first, so that the same votes give the same floats. Without
    `side_bias`, it is taken as 0.
    """
    ordered = in_order(votes)
    fitted, lines = components(ordered, side_bias=side_bias), slopes(ordered, side_bias=side_bias)
    return PairResults(
        components=component_rows(fitted),
        worths=worth_rows(fitted),
        jods=jod_rows(fitted),
        slopes=slope_rows(lines),
        thresholds=threshold_rows(lines),
        detection=detection_rows(ordered, in_order(same)),
        sureness=sureness_rows(ordered),
        sureness_means=sureness_mean_rows(ordered),
        sureness_differences=sureness_difference_rows(ordered),
        replays=replay_rows(ordered),
    )
