"""Margins in Speed Index (SI): the relative change of SI that changes answers by the margin (definition E7).

- Ratings: the logarithmic mapping MOS = a + b ln SI (WQL in `prediction.mappings`), fitted to the clips of the claim.
  A margin m is worth exp(m / |b|) - 1, wherever the change begins.
- Choices: Davidson's model on the ratio of both sides' SI, fitted to the answers of the claim (`pairs.slopes`). The
  share of the faster side minus that of the slower one is 2 sinh(u) / (2 cosh(u) + nu) with u = b ln(ratio) / 2.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import expm1, log, sqrt
from typing import NamedTuple

import numpy as np

from eyelevel_stats.pairs.likelihood import NoFit
from eyelevel_stats.pairs.slopes import Slope
from eyelevel_stats.pairs.thresholds import unusable
from eyelevel_stats.prediction.mapping import Model
from eyelevel_stats.prediction.mappings import fit_mapping
from eyelevel_stats.reasons import Reason
from eyelevel_stats.samples import MIN_CLIPS, MIN_SITES

# of logs of ratios: a change as large as the range of the clips is within it
ROUNDING = 1e-9


class ClipSi(NamedTuple):
    """A rated clip with its SI in ms, None where unknown, and its MOS in points, the mean over n participants."""

    site: str
    network: str
    si_ms: float | None
    mos: float
    n: int


@dataclass(frozen=True)
class SiChange:
    """The relative change of SI, a fraction: 0.12 is an SI that is 12 % larger. None with the reason in `why`."""

    change: float | None
    why: Reason | None


def si_change_of_ratings(margin: float, clips: Sequence[ClipSi]) -> SiChange:
    """Computes the change of SI that lowers MOS by `margin` points, according to the mapping.

    None under 10 clips or 5 sites, where MOS does not fall with SI, and beyond the range of the clips' SI.
    """
    known = [(clip.site, clip.si_ms, clip.mos, clip.n) for clip in clips if clip.si_ms is not None and clip.si_ms > 0]
    sites = len({site for site, *_ in known})
    if len(known) < MIN_CLIPS or sites < MIN_SITES:
        return SiChange(None, Reason("few_clips_for_mapping", {"clips": len(known), "sites": sites}))
    si_ms, mos, n = (np.array([row[place] for row in known], dtype=np.float64) for place in (1, 2, 3))
    mapping = fit_mapping(Model.WQL, si_ms, mos, n)
    if mapping is None:
        return SiChange(None, Reason("same_si"))
    if mapping.b >= 0:
        return SiChange(None, Reason("not_falling"))
    return _within(margin / -mapping.b, float(np.max(si_ms) / np.min(si_ms)))


def si_change_of_choices(margin: float, slope: Slope) -> SiChange:
    """Computes the ratio of both sides' SI, minus 1, at which their shares differ by `margin`, without side bias.

    None where the slope gives no thresholds (see `pairs.thresholds`), and beyond the observed ratios.
    """
    why = unusable(slope)
    if why is not None or isinstance(slope.fit, NoFit) or slope.ratios is None:
        return SiChange(None, why or Reason("no_pair_with_si"))
    if margin >= 1:
        return SiChange(None, Reason("no_ratio"))
    nu = slope.fit.nu
    # e = exp(u) solves (e - 1 / e) / (e + 1 / e + nu) = margin
    e = (margin * nu + sqrt((margin * nu) ** 2 + 4 * (1 - margin**2))) / (2 * (1 - margin))
    return _within(2 * log(e) / float(slope.fit.values[0]), slope.ratios.high)


def _within(change: float, ratio: float) -> SiChange:
    """Converts the logarithm of a ratio of SI, unless it is greater than `ratio`."""
    if change > log(ratio) + ROUNDING:
        return SiChange(None, Reason("beyond_ratio", {"ratio": ratio}))
    return SiChange(expm1(change), None)
