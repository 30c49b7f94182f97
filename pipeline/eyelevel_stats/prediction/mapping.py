"""Mappings from a metric to the mean opinion score (MOS) of a clip."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Model(StrEnum):
    """Form of a mapping from metric x to MOS, from the simplest.

    - linear: a + b x.
    - wql: a + b ln x (P. Reichl et al., The logarithmic nature of QoE, ICC 2010; for waiting times S. Egger et al.,
      Time is bandwidth?, ICC 2012). Defined where x > 0.
    - iqx: a + b exp(-c x), c > 0 (M. Fiedler, T. Hossfeld, P. Tran-Gia, A generic quantitative relationship between
      QoE and QoS, IEEE Network 24, 2010).
    - logistic: low + (high - low) / (1 + exp(-(a + b x))) between the ends of the scale (VQEG, Final report, 2000,
      with ends that are estimated).
    """

    LINEAR = "linear"
    WQL = "wql"
    IQX = "iqx"
    LOGISTIC = "logistic"


@dataclass(frozen=True)
class Mapping:
    """A fitted mapping; `c` is None but for iqx."""

    model: Model
    a: float
    b: float
    c: float | None
    scale: tuple[float, float]

    def mos(self, metric: Floats) -> Floats:
        """The MOS at each value of the metric, cut at the ends of the scale."""
        low, high = self.scale
        match self.model:
            case Model.LINEAR:
                mos = self.a + self.b * metric
            case Model.WQL:
                mos = self.a + self.b * np.log(metric)
            case Model.IQX:
                mos = self.a + self.b * np.exp(-(self.c or 0.0) * metric)
            case Model.LOGISTIC:
                mos = low + (high - low) * _logistic(self.a + self.b * metric)
        cut: Floats = np.clip(mos, low, high)
        return cut


def _logistic(x: Floats) -> Floats:
    """1 / (1 + exp(-x)), which overflows nowhere in this form."""
    share: Floats = (1 + np.tanh(x / 2)) / 2
    return share
