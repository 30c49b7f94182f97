"""The performance score of Lighthouse 6: each metric by a log-normal curve, then a weighted mean. Pure.

Source: Lighthouse 6.0.0, default configuration (weights; curves by the value that scores 0.9 and the median, which
scores 0.5) and its log-normal scoring.
"""

from collections.abc import Mapping, Sequence
from math import erfc, floor, fsum, log, sqrt
from typing import Literal

FormFactor = Literal["mobile", "desktop"]
FORM_FACTORS: tuple[FormFactor, ...] = ("mobile", "desktop")
# by our metric's key, in percent
WEIGHTS: Mapping[str, int] = {"fcp": 15, "si": 15, "lcp": 25, "tti": 15, "tbt": 25, "cls_sum": 5}
# by metric: the value of score 0.9, and of score 0.5; ms, and for cls_sum a plain number
CURVES: Mapping[FormFactor, Mapping[str, tuple[float, float]]] = {
    "mobile": {
        "fcp": (2336, 4000), "si": (3387, 5800), "lcp": (2500, 4000), "tti": (3785, 7300), "tbt": (287, 600),
        "cls_sum": (0.1, 0.25),
    },
    "desktop": {
        "fcp": (934, 1600), "si": (1311, 2300), "lcp": (1200, 2400), "tti": (2468, 4500), "tbt": (150, 350),
        "cls_sum": (0.1, 0.25),
    },
}  # fmt: skip
# of the standard normal distribution: its 90th percentile
Z90 = 1.2815515655446004


def metric_score(value: float, p10: float, median: float) -> float:
    """Scores a metric, 0 to 1, rounded to 0.01: Phi(-ln(value / median) / sigma), sigma = ln(median / p10) / z.

    `p10` scores 0.9 and `median` 0.5; all three have one unit. A value of 0 scores 1.
    """
    if value < 0:
        raise ValueError(f"A metric is not below 0; got {value}.")
    if value == 0:
        return 1.0
    sigma = log(median / p10) / Z90
    return _rounded(erfc(log(value / median) / sigma / sqrt(2)) / 2)


def score(values: Mapping[str, float], form: FormFactor) -> int:
    """Computes the performance score, 0 to 100: the weighted mean of the metrics' rounded scores, rounded.

    `values` has every metric of WEIGHTS, in ms; KeyError without one.
    """
    parts = (WEIGHTS[key] * metric_score(values[key], *CURVES[form][key]) for key in WEIGHTS)
    return round(100 * _rounded(fsum(parts) / 100))


def score_of_means(audits: Sequence[Mapping[str, float]], form: FormFactor) -> int | None:
    """Scores as in the paper: averages the raw metrics of several audits, then scores; None without an audit."""
    if not audits:
        return None
    return score({key: fsum(audit[key] for audit in audits) / len(audits) for key in WEIGHTS}, form)


def mean_of_scores(audits: Sequence[Mapping[str, float]], form: FormFactor) -> float | None:
    """Computes the mean of the audits' scores; None without an audit."""
    return fsum(score(audit, form) for audit in audits) / len(audits) if audits else None


def _rounded(value: float) -> float:
    """To 0.01, halves upwards, as JavaScript rounds."""
    return floor(100 * value + 0.5) / 100
