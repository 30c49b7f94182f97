"""The paper's own analysis of made batches: gains of means, ANOVA, and one round trip taken off."""

import pytest
from scipy import stats

from eyelevel_core.model.metrics import MAIN
from eyelevel_papers.wolsing2019.replication import replicate
from tests.compare.conftest import Compared
from tests.compare.made import Plan, takes

SITES = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta")


def test_a_planted_gain_is_significant_on_every_site(compared: Compared) -> None:
    found = replicate(compared(Plan(sites=SITES, runs=10, log_gain={"QUIC": -0.2}, site_sd=0.02, run_sd=0.05, seed=4)))
    assert {row.verdict for row in found.gains} == {"new"}
    assert [(row.faster, row.slower, row.undecided) for row in found.averages] == [(6, 0, 0)] * len(MAIN)


def test_gains_are_the_means_of_the_takes(compared: Compared) -> None:
    plan = Plan(sites=("alpha",), runs=3, seed=9)
    by_path = takes(plan)
    means = {
        stack: sum(by_path[f"takes/alpha/DSL/{stack}/run-0{run}"]["metrics"]["si_ms"] for run in (1, 2, 3)) / 3
        for stack in plan.stacks
    }
    row = next(row for row in replicate(compared(plan)).gains if row.metric == "si")
    assert row.mean_new_ms == pytest.approx(means["QUIC"])
    assert row.difference_ms == pytest.approx(means["QUIC"] - means["TCP+"])
    assert row.gain == pytest.approx(means["QUIC"] / means["TCP+"] - 1)


def test_one_round_trip_is_taken_off_on_sites_with_one_server(compared: Compared) -> None:
    found = replicate(compared(Plan(sites=("alpha", "beta"), networks=("LTE",), servers={"alpha": 1})))
    assert [(row.site, row.metric) for row in found.one_trip] == [("alpha", "fvc"), ("alpha", "plt")]
    fvc = found.one_trip[0]
    mean = next(row for row in found.gains if (row.site, row.metric) == ("alpha", "fvc"))
    assert fvc.rtt_ms == 74
    assert mean.mean_new_ms is not None
    assert mean.mean_reference_ms is not None
    assert fvc.corrected_ms == pytest.approx(mean.mean_new_ms - (mean.mean_reference_ms - 74))
    assert fvc.corrected_rtts == pytest.approx((mean.mean_new_ms - mean.mean_reference_ms) / 74 + 1)


def test_differences_have_welchs_interval(compared: Compared) -> None:
    found = compared(Plan(sites=("alpha",), networks=("LTE",), servers={"alpha": 1}, runs=9))
    new, reference = (
        [load.metrics["fvc"] for load in found.loads if load.stack == stack] for stack in ("QUIC", "TCP+")
    )
    expected = stats.ttest_ind(new, reference, equal_var=False).confidence_interval()
    shown = replicate(found)
    row = next(row for row in shown.gains if row.metric == "fvc")
    assert (row.difference_ci_low_ms, row.difference_ci_high_ms) == pytest.approx((expected.low, expected.high))
    fvc = shown.one_trip[0]
    assert (fvc.corrected_ci_low_ms, fvc.corrected_ci_high_ms) == pytest.approx((expected.low + 74, expected.high + 74))


def test_a_censored_run_is_in_no_mean_and_is_counted(compared: Compared) -> None:
    plan = Plan(sites=("alpha",), runs=4, unsettled=frozenset({"takes/alpha/DSL/TCP+/run-02"}))
    (row,) = [row for row in replicate(compared(plan)).gains if row.metric == "si"]
    assert (row.runs_reference, row.left_out_reference) == (3, 1)
    assert row.mean_reference_ms is not None
    assert row.mean_reference_ms < 2000


def test_one_run_decides_nothing(compared: Compared) -> None:
    found = replicate(compared(Plan(sites=("alpha",), runs=1)))
    assert [row.verdict for row in found.gains] == [None] * 5


def test_networks_come_in_the_campaigns_order(compared: Compared) -> None:
    plan = Plan(sites=("alpha", "beta"), networks=("MSS", "DSL"), runs=1, without=("takes/alpha/MSS",))
    found = replicate(compared(plan))
    assert list(dict.fromkeys(row.network for row in found.averages)) == ["MSS", "DSL"]
