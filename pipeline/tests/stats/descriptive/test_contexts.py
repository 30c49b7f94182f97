"""Context effects agree with scipy's tests, within and between participants."""

import numpy as np
import pytest
from scipy import stats

from eyelevel_stats.descriptive.contexts import context_difference_rows, context_mos_rows
from eyelevel_stats.observations import Rating


def vote(participant: str, context: str, score: float, site: str = "garden") -> Rating:
    return Rating(participant, site, "DSL", "QUIC", context, f"{site}-clip", score)


def test_mos_per_context() -> None:
    votes = [vote("a", "work", 3), vote("a", "work", 5, "shop"), vote("b", "work", 6), vote("c", "plane", 2)]
    rows = context_mos_rows(votes, scale=(1, 7))
    assert [(row.context, row.n, row.votes, row.mos) for row in rows] == [("plane", 1, 1, 2.0), ("work", 2, 3, 5.0)]
    assert (rows[0].ci_low, rows[0].sd) == (None, None)
    assert rows[1].ci_high == 7.0


def test_where_everyone_rates_in_both_contexts_it_is_the_paired_test() -> None:
    rng = np.random.default_rng(1)
    plane, work = rng.uniform(2, 6, 14), rng.uniform(2, 7, 14)
    votes = [vote(f"p{i}", "plane", float(score)) for i, score in enumerate(plane)]
    votes += [vote(f"p{i}", "work", float(score)) for i, score in enumerate(work)]
    (row,) = context_difference_rows(votes)
    paired = stats.ttest_rel(work, plane)
    interval = paired.confidence_interval(0.95)
    assert (row.first, row.second, row.conditions, row.first_n, row.second_n) == ("plane", "work", 1, 14, 14)
    assert row.difference == pytest.approx(work.mean() - plane.mean())
    assert (row.ci_low, row.ci_high) == pytest.approx((interval.low, interval.high), abs=1e-9)
    assert row.p_value == pytest.approx(paired.pvalue, rel=1e-9)


def test_only_conditions_of_both_contexts_count_with_equal_weight() -> None:
    votes = [vote("a", "plane", 2), vote("b", "plane", 4), vote("c", "work", 4), vote("d", "work", 6)]
    votes += [vote("a", "plane", 5, "shop"), vote("c", "work", 4, "shop"), vote("c", "work", 1, "only")]
    (row,) = context_difference_rows(votes)
    # garden: 5 - 3; shop: 4 - 5
    assert (row.conditions, row.difference) == (2, 0.5)


def test_contexts_without_a_common_condition_have_a_row_without_numbers() -> None:
    votes = [vote("a", "plane", 2), vote("a", "work", 2, "shop"), vote("a", "free", 1, "shop")]
    rows = context_difference_rows(votes)
    assert [(row.first, row.second, row.conditions) for row in rows] == [
        ("free", "plane", 0),
        ("free", "work", 1),
        ("plane", "work", 0),
    ]
    assert (rows[0].difference, rows[0].ci_low, rows[0].p_value) == (None, None, None)
    # one participant has a difference and no interval
    assert (rows[1].difference, rows[1].ci_low) == (1.0, None)
