"""The smallest effect of a plan, against statsmodels, a closed form and simulated studies."""

import json
from math import asin, sqrt
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from eyelevel_stats.planning import smallest_mos_difference, smallest_share

REFERENCE = json.loads((Path(__file__).parents[1] / "reference" / "planning.json").read_text())


@pytest.mark.parametrize(("people", "alpha", "power", "expected"), REFERENCE["two_samples"])
def test_a_mos_difference_is_that_of_statsmodels(people: int, alpha: float, power: float, expected: float) -> None:
    found = smallest_mos_difference(people, sd=1, alpha=alpha, power=power)
    # ours counts no finding in the wrong direction, which only matters where power is low
    assert found == pytest.approx(expected, rel=1e-3)
    doubled = smallest_mos_difference(people, sd=2, alpha=alpha, power=power)
    assert doubled == pytest.approx(2 * expected, rel=1e-3)


@pytest.mark.parametrize(("people", "share", "alpha", "power"), REFERENCE["shares"])
def test_a_share_is_that_of_statsmodels(people: int, share: float, alpha: float, power: float) -> None:
    assert smallest_share(people, alpha=alpha, power=power) == pytest.approx(share, abs=1e-4)


def test_a_share_by_the_closed_form() -> None:
    share = smallest_share(100, alpha=0.05, power=0.8)
    assert share is not None
    # (1.959964 + 0.841621) / sqrt 100
    assert 2 * asin(sqrt(share)) - 2 * asin(sqrt(0.5)) == pytest.approx(0.2801585, abs=1e-7)


def test_a_planted_mos_difference_is_found_as_often_as_claimed() -> None:
    size = smallest_mos_difference(20, sd=1.2, alpha=0.05, power=0.8)
    assert size is not None
    random = np.random.default_rng(3)
    one, other = random.normal(4 + size, 1.2, (20, 20_000)), random.normal(4, 1.2, (20, 20_000))
    assert (stats.ttest_ind(one, other).pvalue < 0.05).mean() == pytest.approx(0.8, abs=0.015)


def test_a_planted_share_is_found_as_often_as_claimed() -> None:
    share = smallest_share(400, alpha=0.05, power=0.8)
    assert share is not None
    random = np.random.default_rng(4)
    chosen = random.binomial(400, share, 20_000)
    found = [stats.binomtest(int(k), 400).pvalue < 0.05 for k in range(401)]
    # the exact test is a little stricter than the normal one
    assert np.array(found)[chosen].mean() == pytest.approx(0.8, abs=0.03)


@pytest.mark.parametrize("people", [0, 1])
def test_too_few_find_nothing(people: int) -> None:
    assert smallest_mos_difference(people, sd=1, alpha=0.05, power=0.8) is None
    assert smallest_share(people, alpha=0.05, power=0.8) is None


def test_more_people_find_less_and_chance_finds_its_level() -> None:
    sizes = [smallest_mos_difference(n, sd=1, alpha=0.05, power=0.8) or 9 for n in (5, 50, 500)]
    shares = [smallest_share(n, alpha=0.05, power=0.8) or 9 for n in (5, 50, 500)]
    assert sizes == sorted(sizes, reverse=True)
    assert shares == sorted(shares, reverse=True)
    assert smallest_mos_difference(9, sd=1, alpha=0.5, power=0.1) == 0
    assert smallest_share(9, alpha=0.9, power=0.01) == pytest.approx(0.5)
