"""Verdicts on the difference between two stacks, and on its equivalence within a margin (definition E7)."""

from dataclasses import dataclass
from enum import StrEnum

from scipy import special

from eyelevel_stats.hypotheses.estimand import Effect
from eyelevel_stats.intervals import Interval

ALPHA = 0.05


class Verdict(StrEnum):
    """The possible verdicts of an interval and a margin."""

    DIFFERENT = "different"
    SMALLER = "different, but smaller than the margin"
    EQUIVALENT = "equivalent"
    UNDECIDED = "undecided"


# whether the stacks are shown to differ, and to differ by less than the margin
VERDICTS = {
    (True, False): Verdict.DIFFERENT,
    (True, True): Verdict.SMALLER,
    (False, True): Verdict.EQUIVALENT,
    (False, False): Verdict.UNDECIDED,
}


@dataclass(frozen=True)
class Judged:
    """A judged effect. `interval` has level 1 - alpha, `inner` 1 - 2 alpha; None, like p, if the variance is unknown.

    Both are cut off where the stacks cannot differ more. That changes no coverage and no verdict.

    `p_value` is two-sided, against no difference. `p_equivalence` is against a difference as large as the margin, by
    two one-sided tests (D. J. Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15, 1987); None without a
    margin. `least_margin` is the smallest margin at which the verdict would be one of equivalence; None where it
    would be as large as a difference can be.
    """

    verdict: Verdict
    alpha: float
    interval: Interval | None
    inner: Interval | None
    p_value: float | None
    p_equivalence: float | None
    least_margin: float | None


def judge(effect: Effect, *, margin: float | None, alpha: float = ALPHA) -> Judged:
    """Judges an effect; `margin` is the smallest difference that matters, in its unit; None if the plan has none."""
    if effect.se is None or effect.freedom is None:
        return Judged(Verdict.UNDECIDED, alpha, None, None, None, None, None)
    interval = _interval(effect, effect.se, effect.freedom, alpha / 2)
    inner = _interval(effect, effect.se, effect.freedom, alpha)
    least = max(abs(inner.low), abs(inner.high))
    differs = not interval.low <= 0 <= interval.high
    small = margin is not None and least <= margin
    return Judged(
        verdict=VERDICTS[differs, small],
        alpha=alpha,
        interval=_cut(interval, effect.largest),
        inner=_cut(inner, effect.largest),
        p_value=min(1.0, 2 * _above(abs(effect.estimate), effect.se, effect.freedom)),
        p_equivalence=None if margin is None else _above(margin - abs(effect.estimate), effect.se, effect.freedom),
        least_margin=least if least < effect.largest else None,
    )


def decided(p_value: float | None, p_equivalence: float | None, alpha: float) -> Verdict:
    """Returns the verdict by p-values, such as corrected ones; None decides nothing."""
    return VERDICTS[p_value is not None and p_value < alpha, p_equivalence is not None and p_equivalence <= alpha]


def _interval(effect: Effect, se: float, freedom: int, tail: float) -> Interval:
    half = float(special.stdtrit(freedom, 1 - tail)) * se
    return Interval(low=effect.estimate - half, high=effect.estimate + half)


def _cut(interval: Interval, largest: float) -> Interval:
    low, high = (max(-largest, min(end, largest)) for end in (interval.low, interval.high))
    return Interval(low, high)


def _above(distance: float, se: float, freedom: int) -> float:
    """Computes the probability that Student's t is beyond that distance."""
    if se == 0:
        return 0.0 if distance > 0 else 1.0 if distance < 0 else 0.5
    return float(special.stdtr(freedom, -distance / se))
