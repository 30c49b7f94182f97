"""The four verdicts, their tests, and the smallest margin, against statsmodels' worked example."""

from dataclasses import replace

import pytest

from eyelevel_stats.hypotheses.estimand import Effect
from eyelevel_stats.hypotheses.verdict import Verdict, judge


def effect(estimate: float, se: float | None, freedom: int | None = 14) -> Effect:
    return Effect(estimate, se, freedom, like_these=False, votes=30, participants=15, sites=1, sd=1.0)


def test_equivalence_is_tested_as_statsmodels_tests_the_clinic_data() -> None:
    # statsmodels stats/tests/test_tost.py: 15 patients, paired, margin 0.6
    judged = judge(effect(0.5626666666666665, 0.2478276410785118), margin=0.6)
    assert judged.p_equivalence == pytest.approx(0.4412034046017588, abs=1e-9)
    assert judged.inner is not None
    assert (judged.inner.low, judged.inner.high) == pytest.approx((0.1261653305099018, 0.999168002823431), abs=1e-9)
    assert judged.least_margin == judged.inner.high


# Student's t with 14 degrees of freedom: 2.145 at 2.5 %, 1.761 at 5 %
@pytest.mark.parametrize(
    ("estimate", "margin", "verdict"),
    [
        (0.5, 0.6, Verdict.DIFFERENT),
        (0.3, 0.6, Verdict.SMALLER),
        (-0.3, 0.6, Verdict.SMALLER),
        (0.1, 0.6, Verdict.EQUIVALENT),
        (0.1, 0.2, Verdict.UNDECIDED),
        (0.1, None, Verdict.UNDECIDED),
        (-0.5, None, Verdict.DIFFERENT),
    ],
)
def test_the_verdict_is_where_both_intervals_lie(estimate: float, margin: float | None, verdict: Verdict) -> None:
    judged = judge(effect(estimate, 0.1), margin=margin)
    assert judged.verdict is verdict
    assert judged.p_value is not None
    assert (judged.p_value < 0.05) == (verdict in (Verdict.DIFFERENT, Verdict.SMALLER))
    if margin is not None:
        assert judged.p_equivalence is not None
        assert (judged.p_equivalence < 0.05) == (verdict in (Verdict.SMALLER, Verdict.EQUIVALENT))


def test_at_its_smallest_margin_an_effect_is_just_equivalent() -> None:
    least = judge(effect(0.1, 0.1), margin=None).least_margin
    assert least is not None
    assert least == pytest.approx(0.1 + 1.7613 * 0.1, abs=1e-4)
    assert judge(effect(0.1, 0.1), margin=least + 1e-9).verdict is Verdict.EQUIVALENT
    assert judge(effect(0.1, 0.1), margin=least - 1e-9).verdict is Verdict.UNDECIDED


def test_intervals_end_where_stacks_cannot_differ_more() -> None:
    judged = judge(replace(effect(0.9, 0.1), largest=1.0), margin=0.95)
    assert judged.interval is not None
    assert judged.inner is not None
    assert (judged.interval.high, judged.inner.high) == (1, 1)
    assert judged.interval.low < judged.inner.low < 0.9
    assert (judged.verdict, judged.least_margin) == (Verdict.DIFFERENT, None)
    beyond = judge(replace(effect(1 + 1e-15, 0.0), largest=1.0), margin=None).interval
    assert beyond is not None
    assert (beyond.low, beyond.high) == (1, 1)


def test_alpha_widens_both_intervals() -> None:
    wide, narrow = judge(effect(0.1, 0.1), margin=1, alpha=0.01), judge(effect(0.1, 0.1), margin=1, alpha=0.1)
    assert wide.interval is not None
    assert wide.inner is not None
    assert narrow.interval is not None
    assert wide.interval.low < wide.inner.low < narrow.interval.low


def test_without_a_variance_nothing_is_decided() -> None:
    judged = judge(effect(0.5, None, None), margin=0.1)
    assert (judged.verdict, judged.interval, judged.p_value) == (Verdict.UNDECIDED, None, None)
