"""The interval of the arms' misalignment is scipy's Welch interval; its far end is the floor."""

import numpy as np
import pytest
from scipy import stats

from eyelevel_stats.alignment import alignment, off_by_a_frame


def test_the_interval_is_that_of_welch() -> None:
    draw = np.random.default_rng(5)
    one, other = draw.normal(2, 5, 31), draw.normal(0.5, 9, 20)
    expected = stats.ttest_ind(one, other, equal_var=False).confidence_interval(0.95)
    found = alignment(list(one), [None, *other, None])
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == pytest.approx((expected.low, expected.high), rel=1e-12)
    assert found.difference_ms == pytest.approx(one.mean() - other.mean())
    assert found.floor_ms == pytest.approx(max(-expected.low, expected.high))


def test_arms_hold_while_their_means_are_within_three_milliseconds() -> None:
    assert alignment([1, 1, 1.5], [4, 4, 4.5]).holds is True
    assert alignment([1, 1, 1.5], [4.1, 4.1, 4.6]).holds is False


def test_what_too_few_runs_cannot_tell_is_unknown() -> None:
    nothing = alignment([None], [3, 4])
    assert (nothing.difference_ms, nothing.holds, nothing.floor_ms) == (None, None, None)
    single = alignment([5], [3, 4])
    assert (single.difference_ms, single.interval, single.floor_ms) == (1.5, None, None)


def test_arms_without_any_spread_have_an_interval_without_width() -> None:
    found = alignment([2, 2], [0, 0])
    assert found.interval is not None
    assert (found.interval.low, found.interval.high, found.floor_ms) == (2, 2, 2)


def test_a_run_is_off_where_its_error_is_larger_than_a_frame() -> None:
    assert off_by_a_frame([16, -17, None, 33, 0], 60) == [1, 3]
    assert off_by_a_frame([16, -17, None, 33, 34], 30) == [4]
