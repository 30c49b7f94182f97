"""Figures printed by Saif et al. 2020.

D. Saif, C.-H. Lung, A. Matrawy: An Early Benchmark of Quality of Experience Between HTTP/2 and HTTP/3 using Lighthouse,
arXiv 2004.01978, 2020.

The paper audits one page five times per point with Lighthouse 6, over HTTP/2 and HTTP/3, with its cache cleared, while
the server's outgoing packets are delayed by 0 to 2000 ms, or lost by up to 1.4 % at 300 ms.
"""

from collections.abc import Mapping

# Lighthouse's score of five audits, 0 to 100, at the baseline
BASELINE_SCORE: Mapping[str, int] = {"h2": 87, "h3": 65}
# how far HTTP/2 is ahead, by delay in ms
GAPS: Mapping[float, int] = {0.0: 22, 300.0: 25}
# delay in ms at which packets are lost, and audits of a point
LOSS_DELAY_MS, AUDITS = 300.0, 5
# at the baseline, over both protocols
BASELINE_TBT_MS, BASELINE_CLS = 0.0, 0.003
