"""Checks the methods against statsmodels' answers, which reference/make_arms.py wrote down."""

import json
from math import expm1, log, sqrt
from pathlib import Path
from typing import Any

import pytest
from scipy import stats

from eyelevel_stats.arms import (
    anova,
    benjamini_hochberg,
    compare_logs,
    holm,
    overall,
    smallest_log_difference,
    smallest_log_mean,
)

REFERENCE: dict[str, Any] = json.loads((Path(__file__).parents[1] / "reference" / "arms.json").read_text())
NEW, OTHER = REFERENCE["new_ms"], REFERENCE["reference_ms"]


def test_welch_on_log_times_agrees_with_statsmodels_and_scipy() -> None:
    found = compare_logs(NEW, OTHER)
    assert found is not None
    theirs = REFERENCE["welch_on_logs"]
    assert found.t == pytest.approx(theirs["t"], rel=1e-10)
    assert found.p_value == pytest.approx(theirs["p"], rel=1e-9)
    assert found.freedom == pytest.approx(theirs["freedom"], rel=1e-10)
    assert (found.gain_ci_low, found.gain_ci_high) == pytest.approx([expm1(end) for end in theirs["ci"]], rel=1e-9)
    scipy = stats.ttest_ind([log(ms) for ms in NEW], [log(ms) for ms in OTHER], equal_var=False)
    assert found.p_value == pytest.approx(scipy.pvalue, rel=1e-9)


def test_anova_agrees_with_statsmodels() -> None:
    found = anova(NEW, OTHER)
    assert found is not None
    assert (found.f, found.p_value) == pytest.approx((REFERENCE["anova"]["f"], REFERENCE["anova"]["p"]), rel=1e-9)


def test_corrections_agree_with_statsmodels_and_leave_out_tests_that_were_not_made() -> None:
    p_values = REFERENCE["p_values"]
    assert holm(p_values) == pytest.approx(REFERENCE["holm"])
    assert benjamini_hochberg(p_values) == pytest.approx(REFERENCE["benjamini_hochberg"])
    assert holm([p_values[0], None, *p_values[1:]]) == [REFERENCE["holm"][0], None, *REFERENCE["holm"][1:]]
    assert benjamini_hochberg([None]) == holm([None]) == [None]


def test_smallest_differences_agree_with_statsmodels() -> None:
    theirs = REFERENCE["smallest_effects"]
    assert smallest_log_difference(1, 31, 1, 31, level=0.05) == pytest.approx(theirs["two_samples_of_31"], rel=1e-5)
    assert smallest_log_difference(1, 4, 1, 4, level=0.01) == pytest.approx(theirs["two_samples_of_4"], rel=1e-5)
    assert smallest_log_mean(1, 12, level=0.05) == pytest.approx(theirs["one_sample_of_12"], rel=1e-5)


def test_the_interval_over_sites_is_that_of_a_model_with_errors_clustered_by_site() -> None:
    times, theirs = REFERENCE["clustered"]["times_ms"], REFERENCE["clustered"]
    found = overall([test for arms in times if (test := compare_logs(arms[0], arms[1])) is not None])
    assert found is not None
    sites = len(times)
    # the sandwich without its correction divides by the number of sites, Student's t by one less
    error = theirs["error_uncorrected"] * sqrt(sites / (sites - 1))
    half = stats.t.ppf(0.975, sites - 1) * error
    assert found.log_ratio == pytest.approx(theirs["log_gain"], rel=1e-9)
    assert found.gain_ci_low == pytest.approx(expm1(theirs["log_gain"] - half), rel=1e-8)
    assert found.gain_ci_high == pytest.approx(expm1(theirs["log_gain"] + half), rel=1e-8)


def test_without_spread_or_with_one_value_no_smallest_difference_is_known() -> None:
    assert smallest_log_difference(1, 1, 1, 31, level=0.05) is None
    assert smallest_log_difference(0, 9, 0, 9, level=0.05) is None
    assert smallest_log_mean(1, 1, level=0.05) is None
    assert smallest_log_mean(0, 12, level=0.05) is None
