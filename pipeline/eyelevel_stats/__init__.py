"""Statistics of perception and of page loads: plain values in, plain values out, no I/O."""

from eyelevel_stats.correlation import Correlation, correlate
from eyelevel_stats.identical import IdenticalAnswers, IdenticalRow, IdenticalVote
from eyelevel_stats.intervals import Interval, wilson
from eyelevel_stats.layouts import Laid, LayoutRow
from eyelevel_stats.observations import ClipMetrics, Comparison, Rating
from eyelevel_stats.opinion import Opinion, opinions
from eyelevel_stats.preference import Preference, preferences
from eyelevel_stats.repeats import Repeat, RepeatRow
from eyelevel_stats.study import (
    METHOD_VERSION,
    ComparisonRow,
    CorrelationRow,
    MosRow,
    PointRow,
    Results,
    study_results,
)
from eyelevel_stats.values import Placed, ValueRow

__all__ = [
    "METHOD_VERSION",
    "ClipMetrics",
    "Comparison",
    "ComparisonRow",
    "Correlation",
    "CorrelationRow",
    "IdenticalAnswers",
    "IdenticalRow",
    "IdenticalVote",
    "Interval",
    "Laid",
    "LayoutRow",
    "MosRow",
    "Opinion",
    "Placed",
    "PointRow",
    "Preference",
    "Rating",
    "Repeat",
    "RepeatRow",
    "Results",
    "ValueRow",
    "correlate",
    "opinions",
    "preferences",
    "study_results",
    "wilson",
]
