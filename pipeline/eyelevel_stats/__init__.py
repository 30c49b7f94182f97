"""Statistics of perception and of page loads: plain values in, plain values out, no I/O."""

from eyelevel_stats.correlation import Correlation, correlate
from eyelevel_stats.intervals import Interval, wilson
from eyelevel_stats.opinion import Opinion, opinions
from eyelevel_stats.preference import Preference, preferences
from eyelevel_stats.study import (
    METHOD_VERSION,
    METRICS,
    ClipMetrics,
    Comparison,
    ComparisonRow,
    CorrelationRow,
    MosRow,
    PointRow,
    Rating,
    Results,
    study_results,
)

__all__ = [
    "METHOD_VERSION",
    "METRICS",
    "ClipMetrics",
    "Comparison",
    "ComparisonRow",
    "Correlation",
    "CorrelationRow",
    "Interval",
    "MosRow",
    "Opinion",
    "PointRow",
    "Preference",
    "Rating",
    "Results",
    "correlate",
    "opinions",
    "preferences",
    "study_results",
    "wilson",
]
