"""The bench of Lighthouse 6: what relabelling changes, paired by load."""

from collections.abc import Mapping

import pytest
from bench.relabelled import relabelling

# the metrics of issue vectors whose scores are known: 93 on mobile, 64 on desktop
SLOW = {"fcp": 2000.0, "si": 2500.0, "lcp": 3000.0, "tti": 2000.0, "tbt": 0.0, "cls_sum": 0.003}
# 99 on mobile, 86 on desktop
QUICK = {"fcp": 1000.0, "si": 1500.0, "lcp": 2000.0, "tti": 1000.0, "tbt": 0.0, "cls_sum": 0.003}


def columns(
    simulated: Mapping[int, Mapping[str, float]], relabelled: Mapping[int, Mapping[str, float]]
) -> dict[str, Mapping[int, Mapping[str, float]]]:
    return {"observed": {}, "devtools": {}, "simulated": simulated, "relabelled": relabelled}


def test_the_columns_of_one_load_are_paired() -> None:
    """Three loads rise by 6, 0 and 0 points; the fourth failed in one column, and has no partner."""
    found = relabelling(
        "mobile",
        columns({1: SLOW, 2: QUICK, 3: SLOW, 4: SLOW}, {3: SLOW, 2: QUICK, 1: QUICK, 5: QUICK}),
    )
    assert found is not None
    assert found.difference == pytest.approx(2.0)
    # standard error 2, Student's t with 2 degrees of freedom: 4.302653
    assert (found.ci_low, found.ci_high) == (pytest.approx(2 - 8.605305), pytest.approx(2 + 8.605305))


def test_one_load_has_a_difference_without_an_interval_and_none_has_nothing() -> None:
    found = relabelling("desktop", columns({1: SLOW}, {1: QUICK}))
    assert found is not None
    assert (found.difference, found.ci_low, found.ci_high) == (22.0, None, None)
    assert relabelling("desktop", columns({1: SLOW}, {2: QUICK})) is None
