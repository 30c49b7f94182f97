"""Paired test of log ratios, for runs that share a seed within a block."""

from collections.abc import Sequence
from math import expm1, sqrt

import numpy as np
from scipy import stats

from eyelevel_stats.arms.anova import spread
from eyelevel_stats.arms.logs import LEVEL, LogTest, as_speed_up, too_few, unbiasing
from eyelevel_stats.arms.power import smallest_log_mean
from eyelevel_stats.intervals import CONFIDENCE


def compare_blocks(blocks_ms: Sequence[tuple[float, float]]) -> LogTest | None:
    """Computes Student's test of the blocks' log ratios against 0; a block is (new, reference), both above 0 ms.

    None where there is no block. `hedges_g` is the mean over the standard deviation of the log ratios, `superiority`
    the share of blocks in which the new stack is faster (ties count half), and the rank test is Wilcoxon's of signs,
    exact for up to 50 blocks without ties (13 with them), beyond that by the normal approximation with its correction.
    """
    if not blocks_ms:
        return None
    pairs = np.asarray(blocks_ms, float)
    ratios = np.log(pairs[:, 0]) - np.log(pairs[:, 1])
    n, mean = len(ratios), float(ratios.mean())
    reason = too_few(n) or (None if spread([*ratios.tolist()]) else "no block differs from another")
    if reason is not None:
        return LogTest("paired", n, n, mean, expm1(mean), reason=reason)
    test = stats.ttest_1samp(ratios, 0.0)
    interval = test.confidence_interval(CONFIDENCE)
    sd = float(ratios.std(ddof=1))
    return LogTest(
        "paired",
        n,
        n,
        mean,
        expm1(mean),
        log_se=sd / sqrt(n),
        freedom=float(n - 1),
        gain_ci_low=expm1(float(interval.low)),
        gain_ci_high=expm1(float(interval.high)),
        t=float(test.statistic),
        p_value=float(test.pvalue),
        hedges_g=mean / sd * unbiasing(n - 1),
        superiority=float(((ratios < 0) + 0.5 * (ratios == 0)).mean()),
        rank_p_value=float(stats.wilcoxon(ratios, zero_method="zsplit", correction=True).pvalue),
        smallest_speed_up=as_speed_up(smallest_log_mean(sd, n, level=LEVEL)),
    )
