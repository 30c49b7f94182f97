"""A margin as a change of SI: by the mapping of ratings and by the slope of choices, against hand-made answers."""

from math import exp, expm1, log

import numpy as np
import pytest

from eyelevel_stats.hypotheses.in_si import ClipSi, si_change_of_choices, si_change_of_ratings
from eyelevel_stats.intervals import Interval
from eyelevel_stats.pairs.likelihood import Fit
from eyelevel_stats.pairs.slopes import Slope

NEEDED = "at least 10 clips of 5 sites are needed, but there are only {} clips of {} sites"


def clips(slope: float, *, sites: int = 6, each: int = 2) -> list[ClipSi]:
    """MOS exactly on 12 + slope ln SI; SI doubles from site to site."""
    found = []
    for site in range(sites):
        for number in range(each):
            si_ms = 500.0 * 2 ** (site / 2) * (1 + 0.1 * number)
            found.append(ClipSi(f"s{site}", "DSL", si_ms, 12 + slope * log(si_ms), 10 + number))
    return found


def test_of_ratings_it_is_the_ratio_at_which_the_logarithmic_mapping_falls_by_the_margin() -> None:
    found = si_change_of_ratings(0.5, clips(-1.25))
    assert found.change == pytest.approx(expm1(0.4), rel=1e-9)
    assert found.why is None


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (clips(-1.0, sites=4, each=3), NEEDED.format(12, 4)),
        (clips(-1.0, sites=9, each=1), NEEDED.format(9, 9)),
        ([clip._replace(si_ms=None) for clip in clips(-1.0)], NEEDED.format(0, 0)),
        (clips(0.5), "MOS does not fall as SI rises"),
        ([clip._replace(si_ms=900.0) for clip in clips(-1.0)], "all clips have the same SI"),
        # SI differs by a factor of 2^2.5 * 1.1 = 6.22; half a point needs exp(5)
        (clips(-0.1), "it would need a ratio of SI above 6.22, the greatest one observed"),
    ],
)
def test_of_ratings_it_is_unknown_with_a_reason(given: list[ClipSi], why: str) -> None:
    assert (si_change_of_ratings(0.5, given).change, str(si_change_of_ratings(0.5, given).why)) == (None, why)


def slope(b: float, nu: float, *, variance: float = 0.01, greatest: float = 4.0) -> Slope:
    values = np.array([b, 0.1, log(nu)]) if nu else np.array([b, 0.1])
    covariance = np.diag(np.full(len(values), variance))
    fit = Fit(values, covariance, covariance, -100.0, 40, ties=nu > 0)
    return Slope("DSL", 400, 0, 40, Interval(1.0, greatest), fit, sided=True)


@pytest.mark.parametrize(("b", "nu", "margin"), [(3.0, 1.0, 0.2), (2.0, 0.0, 0.3), (5.0, 2.5, 0.1)])
def test_of_choices_it_is_the_ratio_at_which_shares_differ_by_the_margin(b: float, nu: float, margin: float) -> None:
    found = si_change_of_choices(margin, slope(b, nu))
    assert found.change is not None
    faster = exp(b * log(1 + found.change) / 2)
    whole = faster + nu + 1 / faster
    assert faster / whole - 1 / faster / whole == pytest.approx(margin, rel=1e-9)


def test_of_choices_without_ties_half_of_the_answers_more_is_an_odds_ratio_of_three() -> None:
    # shares of 0.75 and 0.25: b ln(ratio) = ln 3
    assert si_change_of_choices(0.5, slope(4.0, 0.0)).change == pytest.approx(3**0.25 - 1, rel=1e-12)


@pytest.mark.parametrize(
    ("margin", "given", "why"),
    [
        (0.2, slope(0.1, 1.0), "the interval of the slope, -0.10 to 0.30, contains 0"),
        (0.2, slope(-3.0, 1.0), "the slower side is chosen more often"),
        (0.2, slope(1.0, 1.0, greatest=1.5), "it would need a ratio of SI above 1.50, the greatest one observed"),
        (1.0, slope(3.0, 1.0), "no ratio of SI makes the shares differ by 100 percentage points"),
    ],
)
def test_of_choices_it_is_unknown_with_a_reason(margin: float, given: Slope, why: str) -> None:
    found = si_change_of_choices(margin, given)
    assert (found.change, str(found.why)) == (None, why)
