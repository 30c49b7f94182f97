"""Two arms of page loads compared: plain values in, plain values out, no I/O.

Separate from `eyelevel_stats`, whose importers do not need scipy.stats, which takes a second to import.
"""

from eyelevel_stats.arms.anova import Anova, Verdict, anova, verdict
from eyelevel_stats.arms.blocks import compare_blocks
from eyelevel_stats.arms.cluster import Overall, overall
from eyelevel_stats.arms.counts import CountTest, compare_shares
from eyelevel_stats.arms.difference import Difference, difference, mean_gain
from eyelevel_stats.arms.gain import Gain, empirical_distribution, performance_gain
from eyelevel_stats.arms.logs import LogTest, compare_logs
from eyelevel_stats.arms.power import smallest_log_difference, smallest_log_mean
from eyelevel_stats.arms.ranks import RankTest, compare_ranks
from eyelevel_stats.arms.several import benjamini_hochberg, holm

# stored with every result; raise it when a number of a table would change
METHOD_VERSION = 5

__all__ = [
    "METHOD_VERSION",
    "Anova",
    "CountTest",
    "Difference",
    "Gain",
    "LogTest",
    "Overall",
    "RankTest",
    "Verdict",
    "anova",
    "benjamini_hochberg",
    "compare_blocks",
    "compare_logs",
    "compare_ranks",
    "compare_shares",
    "difference",
    "empirical_distribution",
    "holm",
    "mean_gain",
    "overall",
    "performance_gain",
    "smallest_log_difference",
    "smallest_log_mean",
    "verdict",
]
