"""Intervals agree with printed tables, and say nothing where nothing is known."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyelevel_stats.intervals import Interval, student_half_widths, wilson


def test_half_width_is_that_of_the_printed_t_table() -> None:
    # t(0.975) for 1, 4 and 25 degrees of freedom, as tables print it
    n = np.array([2, 5, 26])
    widths = student_half_widths(np.sqrt(n), n)
    assert widths == pytest.approx([12.7062, 2.7764, 2.0595], abs=5e-5)


def test_half_width_of_one_value_is_unknown() -> None:
    assert np.isnan(student_half_widths(np.array([0.0, 0.0]), np.array([1, 0]))).all()


@pytest.mark.parametrize(
    ("share", "n", "low", "high"),
    [
        # worked by hand from the formula with z = 1.959964
        (0.7, 10, 0.396778, 0.892209),
        (0.5, 100, 0.403832, 0.596168),
        (0.0, 10, 0.0, 0.277533),
        (1.0, 10, 0.722467, 1.0),
    ],
)
def test_wilson_interval(share: float, n: int, low: float, high: float) -> None:
    found = wilson(share, n)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-6)


def test_share_of_no_answers_has_no_interval() -> None:
    assert wilson(0.0, 0) is None


@pytest.mark.parametrize(("share", "n"), [(1.1, 5), (-0.1, 5), (0.5, -1)])
def test_a_number_that_is_not_a_share_is_refused(share: float, n: int) -> None:
    with pytest.raises(ValueError, match="A share lies in"):
        wilson(share, n)


@given(n=st.integers(1, 100_000), data=st.data())
def test_wilson_contains_the_share_mirrors_and_stays_within_bounds(n: int, data: st.DataObject) -> None:
    a = data.draw(st.integers(0, n))
    here, mirrored = wilson(a / n, n), wilson((n - a) / n, n)
    assert isinstance(here, Interval)
    assert isinstance(mirrored, Interval)
    assert 0 <= here.low <= a / n <= here.high <= 1
    assert here.high - here.low > 0
    assert (1 - here.high, 1 - here.low) == pytest.approx((mirrored.low, mirrored.high), abs=1e-9)
