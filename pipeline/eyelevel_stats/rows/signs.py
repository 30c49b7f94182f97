"""Table of metrics against the majority of comparisons: row and columns."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SignRow:
    """How often one metric agrees with the majority, on one network or on all; see COLUMNS."""

    network: str
    metric: str
    clips: int
    agreeing: int
    share: float | None
    ci_low: float | None
    ci_high: float | None
    without_majority: int
    without_difference: int
    why: str | None


COLUMNS = {
    "network": 'network of the clips; "all": clips of all networks together',
    "metric": "the metric whose sides are compared",
    "clips": "side-by-side clips with a majority, on whose sides the metric differs",
    "agreeing": "of these, clips on which the majority chose the side with the better value of the metric",
    "share": "agreeing / clips",
    "ci_low": "lower end of the 95 % interval of share: Wilson's score interval over clips",
    "ci_high": "upper end of the same interval",
    "without_majority": "clips that do not count: as many participants chose left as right, or nobody chose a side",
    "without_difference": "clips that do not count although they have a majority: the metric is equal on both sides or "
    "unknown on one",
    "why": "why share is empty",
}
