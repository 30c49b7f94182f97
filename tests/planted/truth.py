"""What careful simulated participants answer on average, computed from the model's constants by integration.

The model is that of `eyelevel simulate`: opinion and choice follow the logarithm of Speed Index, with a bias of each
person and noise whose spread is uniform between half and one and a half times NOISE_SD.
"""

from collections.abc import Iterable, Mapping
from math import log, log2
from statistics import fmean

import numpy as np
from scipy.stats import norm

from eyelevel.simulate.model import BIAS_SD, NOISE_SD
from eyelevel_kinds.compare import JUST_NOTICEABLE, NOISE_PER_POINT
from eyelevel_kinds.scale import POINTS_PER_DOUBLING, SCORE_AT_1_S

from .batch import Load

SPREADS = NOISE_SD * np.linspace(0.5, 1.5, 201)


def expected_score(si_ms: float) -> float:
    """The mean score of a clip: a rounded normal value between 1 and 7."""
    centre = SCORE_AT_1_S - POINTS_PER_DOUBLING * log2(si_ms / 1000)
    spread = np.sqrt(BIAS_SD**2 + SPREADS**2)
    # 1 + the chances of being at 2 or more, at 3 or more, and so on
    return 1 + sum(float(np.mean(norm.sf((score - 0.5 - centre) / spread))) for score in range(2, 8))


def expected_preference(si_ms: float, other_ms: float) -> float:
    """Chance of choosing the second minus that of choosing the first."""
    seen = log(si_ms / other_ms) / log(1 + JUST_NOTICEABLE)
    noise = NOISE_PER_POINT * SPREADS
    return float(np.mean(norm.sf((1 - seen) / noise) - norm.cdf((-1 - seen) / noise)))


def expected_effect(
    si_ms: Mapping[Load, float], pair: tuple[str, str], networks: Iterable[str], *, sites: Iterable[str], kind: str
) -> float:
    """The estimand of a hypothesis: the mean over sites and networks, each with the same weight."""
    first, second = pair
    cells = [(site, network) for network in networks for site in sites]
    if kind == "rate":
        scores = {load: expected_score(value) for load, value in si_ms.items()}
        return fmean(scores[*cell, second] - scores[*cell, first] for cell in cells)
    return fmean(expected_preference(si_ms[*cell, first], si_ms[*cell, second]) for cell in cells)
