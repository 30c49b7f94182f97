"""Table of answers against the ratio of Speed Indexes: row and columns."""

from dataclasses import dataclass

COLUMNS = {
    "network": "network of the clips; pooled: all networks together",
    "n": "answers about pairs whose Speed Indexes are both known and above 0",
    "unknown": "further answers, of which one is not",
    "participants": "people who gave the n answers",
    "least_ratio": "least ratio of the greater Speed Index to the smaller one in a pair",
    "greatest_ratio": "greatest such ratio",
    "slope": "b: log odds of the faster side against the slower one, per unit of the natural logarithm of the ratio of "
    "their Speed Indexes",
    "slope_ci_low": "lower end of the 95 % interval of slope: Student's t, clustered by participant (sandwich); empty "
    "unless there are more participants than parameters",
    "slope_ci_high": "upper end of the same interval",
    "side_bias": "s: log odds of left against right where both are equally fast; empty where it "
    "cannot be separated from the slope",
    "side_bias_ci_low": "lower end of the 95 % interval of side_bias, as of slope",
    "side_bias_ci_high": "upper end of the same interval",
    "nu": "parameter of ties: where both sides are equally fast, the answer none has probability nu / (2 + nu)",
    "log_likelihood": "natural logarithm of the likelihood at its maximum",
    "why": "why there is no estimate; empty where there is one",
}


@dataclass(frozen=True)
class SlopeRow:
    """The fitted model of one network; COLUMNS describes the fields."""

    network: str
    n: int
    unknown: int
    participants: int
    least_ratio: float | None
    greatest_ratio: float | None
    slope: float | None
    slope_ci_low: float | None
    slope_ci_high: float | None
    side_bias: float | None
    side_bias_ci_low: float | None
    side_bias_ci_high: float | None
    nu: float | None
    log_likelihood: float | None
    why: str | None
