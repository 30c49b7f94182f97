"""Smallest detectable difference for a given number of runs."""

from math import sqrt

from scipy import optimize, special

# the usual chance of finding a difference that is there (J. Cohen, Statistical power analysis, 1988)
POWER = 0.8


def smallest_log_difference(
    sd_new: float, n_new: int, sd_reference: float, n_reference: int, *, level: float, power: float = POWER
) -> float | None:
    """Computes the smallest difference of two mean logarithms that Welch's two-sided test finds with this power.

    Solves the noncentral t distribution's power for the noncentrality, with the standard error and the degrees of
    freedom of the samples at hand. None where a sample has fewer than 2 values or neither has any spread.
    """
    if min(n_new, n_reference) < 2:
        return None
    parts = (sd_new**2 / n_new, sd_reference**2 / n_reference)
    if sum(parts) <= 0:
        return None
    freedom = sum(parts) ** 2 / (parts[0] ** 2 / (n_new - 1) + parts[1] ** 2 / (n_reference - 1))
    return noncentrality(freedom, level, power) * sqrt(sum(parts))


def smallest_log_mean(sd: float, n: int, *, level: float, power: float = POWER) -> float | None:
    """Computes the same for the mean of n differences against 0 (Student's one-sample test)."""
    if n < 2 or sd <= 0:
        return None
    return noncentrality(n - 1, level, power) * sd / sqrt(n)


def noncentrality(freedom: float, level: float, power: float) -> float:
    """Computes the noncentrality with which the two-sided t test at `level` has `power`, which is 0.5 or more.

    Findings in the wrong direction do not count; at such a power their probability is below one in a thousand.
    """
    critical = float(special.stdtrit(freedom, 1 - level / 2))

    def lacking(shift: float) -> float:
        return 1 - float(special.nctdtr(freedom, shift, critical)) - power

    high = 1.0
    while lacking(high) < 0:
        high *= 2
    return float(optimize.brentq(lacking, 0.0, high, xtol=1e-10))
