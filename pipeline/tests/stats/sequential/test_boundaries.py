"""Alpha spending and boundaries, against published tables."""

from math import isclose

import numpy as np
import pytest
from scipy import special

from eyelevel_stats.sequential.boundaries import FARTHEST, boundaries
from eyelevel_stats.sequential.spending import Spending, spent

# Lan-DeMets spending, two-sided alpha 0.05, five looks at equal information, as the programs of Reboussin et al. (2000)
# and textbooks print them. (The boundaries of O'Brien and Fleming 1979 themselves, without a spending function, are
# 4.56, 3.23, 2.63, 2.28, 2.04, and that of Pocock 1977 is 2.413 at each look.)
TABLES: dict[Spending, list[float]] = {
    "obrien-fleming": [4.877, 3.357, 2.680, 2.290, 2.031],
    "pocock": [2.438, 2.427, 2.410, 2.397, 2.386],
}
FIFTHS = [0.2, 0.4, 0.6, 0.8, 1.0]


def table(fractions: list[float], spending: Spending, alpha: float = 0.05) -> list[float]:
    return boundaries(fractions, [spent(fraction, alpha=alpha, spending=spending) for fraction in fractions])


@pytest.mark.parametrize("spending", TABLES)
def test_five_equal_looks_have_the_published_boundaries(spending: Spending) -> None:
    assert table(FIFTHS, spending) == pytest.approx(TABLES[spending], abs=6e-4)


def test_a_single_look_has_the_boundary_of_a_fixed_test() -> None:
    assert table([1.0], "pocock") == pytest.approx([1.959964], abs=1e-6)


@pytest.mark.parametrize("spending", TABLES)
def test_paths_cross_the_boundaries_with_probability_alpha(spending: Spending) -> None:
    assert _crossed(table(FIFTHS, spending), two_sided=True) == pytest.approx(0.05, abs=5e-4)


@pytest.mark.parametrize("spending", TABLES)
def test_one_sided_tests_at_the_same_levels_have_an_error_of_at_most_alpha(spending: Spending) -> None:
    """Each of the two tests for equivalence judges at a look's nominal alpha, one-sided."""
    levels = 2 * special.ndtr(-np.array(table(FIFTHS, spending)))
    assert 0.03 < _crossed(list(-special.ndtri(levels)), two_sided=False) <= 0.05


def test_the_unit_of_the_information_does_not_matter() -> None:
    totals = [0.01, 0.03, 0.05]
    assert boundaries([100, 150, 151], totals) == pytest.approx(boundaries([2, 3, 3.02], totals), abs=1e-9)


def test_two_looks_close_to_each_other_are_nearly_one() -> None:
    # the second spends hardly anything, and sees nearly what the first one saw
    first, second = boundaries([1000, 1001], [0.05 - 1e-6, 0.05])
    assert first == pytest.approx(1.95997, abs=1e-4)
    assert second > first


def test_a_look_that_spends_next_to_nothing_can_find_nothing() -> None:
    assert boundaries([0.01, 1], [1e-40, 0.05]) == [FARTHEST, pytest.approx(1.959964, abs=1e-6)]


@pytest.mark.parametrize("fraction", [0, -0.1, 1.01])
def test_a_fraction_outside_0_to_1_is_refused(fraction: float) -> None:
    with pytest.raises(ValueError, match="above 0 and at most 1"):
        spent(fraction, alpha=0.05, spending="pocock")


@pytest.mark.parametrize(
    ("information", "totals", "sentence"),
    [
        ([1, 1], [0.01, 0.05], "information must rise from look to look"),
        ([0, 1], [0.01, 0.05], "information must rise from look to look"),
        ([1, 2], [0.05, 0.04], "spent alpha must not fall"),
        ([1, 2], [-0.01, 0.04], "spent alpha must not fall"),
    ],
)
def test_looks_that_do_not_rise_are_refused(information: list[float], totals: list[float], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        boundaries(information, totals)


def test_a_look_that_spends_nothing_has_the_farthest_boundary() -> None:
    assert boundaries([0.01, 1], [0.0, 0.05]) == [FARTHEST, pytest.approx(1.959964, abs=1e-6)]
    assert boundaries([1, 2], [0.05, 0.05]) == [pytest.approx(1.959964, abs=1e-6), FARTHEST]


def test_all_of_alpha_is_spent_at_the_end_and_little_of_it_early() -> None:
    for spending in TABLES:
        assert isclose(spent(1, alpha=0.05, spending=spending), 0.05)
    assert spent(0.5, alpha=0.05, spending="pocock") == pytest.approx(0.05 * np.log(1 + (np.e - 1) / 2))
    # per side 2 - 2 Phi(2.2414 / sqrt(0.5))
    assert spent(0.5, alpha=0.05, spending="obrien-fleming") == pytest.approx(4 * special.ndtr(-2.2414027 * 2**0.5))


def _crossed(limits: list[float], *, two_sided: bool) -> float:
    """The probability that a sum of standard normal steps crosses the limits of Z, by a fine Riemann sum."""
    grid = np.linspace(-12, 12, 1201)
    width = grid[1] - grid[0]
    density = np.zeros_like(grid)
    density[len(grid) // 2] = 1 / width
    kernel = np.exp(-((grid[:, None] - grid[None, :]) ** 2) / 2) / (2 * np.pi) ** 0.5
    for look, limit in enumerate(limits, 1):
        density = kernel @ density * width
        density[(np.abs(grid) if two_sided else grid) > limit * look**0.5] = 0
    return float(1 - density.sum() * width)
