"""Table of thresholds: row and columns."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["discrimination", "indifference"]

COLUMNS = {
    "network": "network of the clips; pooled: all networks together",
    "threshold": "discrimination: 75 % of the decided answers name the faster side; indifference: the answer none is "
    "as frequent as the faster side, which depends on people's criterion for none",
    "value": "relative difference of Speed Index, slower minus faster over faster, of a pair at the threshold (0.25: "
    "the slower side takes 25 % longer), between sides without bias",
    "ci_low": "lower end of the 95 % interval by Fieller, clustered by participant; cut at 0",
    "ci_high": "upper end of the same interval; empty where it is a ratio above 1000, because the interval of the "
    "slope nearly contains 0",
    "why": "why there is no threshold; empty where there is one",
}


@dataclass(frozen=True)
class ThresholdRow:
    """One threshold on one network, or pooled over networks; COLUMNS describes the fields."""

    network: str
    threshold: Kind
    value: float | None
    ci_low: float | None
    ci_high: float | None
    why: str | None
