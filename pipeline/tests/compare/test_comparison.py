"""Made batches with known answers: what was planted is found, what was not is not, and nothing vanishes in silence."""

import math
import re
from dataclasses import replace
from math import expm1

import pytest

from eyelevel.compare.amounts import AMOUNTS
from eyelevel.compare.inference import RATIOS, OverallTest, SiteTest
from eyelevel.compare.quality import LeftOut
from eyelevel.compare.report.answers import answers, lead
from eyelevel.compare.write import report_files
from eyelevel.errors import BadInputError
from eyelevel_core.comparability.parity import FASTEST_MBPS
from eyelevel_core.model.metrics import MAIN
from eyelevel_stats.arms import holm

from .conftest import Compared
from .made import ANSWER, HOW, RTT_MS, Plan, void

# what a page that does not settle leaves unknown: what needs the film's end, and events that did not come
LATE = ("si", "vc85", "lvc", "plt", "lcp", "cls", "cls_sum", "tbt", "tti")
SITES = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta")


def test_a_planted_gain_is_found_with_its_size_in_every_metric_that_has_one(compared: Compared) -> None:
    found = compared(Plan(sites=SITES, runs=10, log_gain={"QUIC": -0.2}, site_sd=0.02, run_sd=0.05, seed=4))
    assert [row.metric for row in found.overall] == list(RATIOS)
    for row in found.overall:
        assert row.decided
        assert row.estimate is not None
        assert row.estimate.gain == pytest.approx(expm1(-0.2), abs=0.03)
        assert row.estimate.sites == 6
    assert all(row.decided for row in found.site_tests)


def test_the_metrics_of_the_browser_do_not_weaken_the_corrected_p_of_the_main_ones(compared: Compared) -> None:
    found = compared(Plan(sites=SITES, runs=6, log_gain={"QUIC": -0.1}, seed=4))
    for rows in ([row for row in found.overall if row.estimate], [row for row in found.site_tests if row.test]):
        main = [row for row in rows if row.metric in {*MAIN}]
        assert 0 < len(main) < len(rows)
        assert [row.p_adjusted for row in main] == holm([_p(row) for row in main])


def _p(row: OverallTest | SiteTest) -> float | None:
    found = row.estimate if isinstance(row, OverallTest) else row.test
    return None if found is None else found.p_value


def test_what_may_be_0_is_compared_by_difference_in_its_own_unit(compared: Compared) -> None:
    """Runs have, in turn, TBT 0 and 90 ms, CLS 0 and 1/8, and its sum twice that.

    With QUIC one run more, its mean is known.
    """
    plan = Plan(sites=("alpha", "beta"), runs=3, without=("takes/alpha/DSL/TCP+/run-03",))
    found = {row.metric: row for row in compared(plan).amounts}
    assert tuple(found) == AMOUNTS == ("cls", "cls_sum", "tbt")
    tbt = found["tbt"]
    # alpha: 45 ms of two runs, beta: 30 ms of three
    assert (tbt.sites, tbt.left_out, tbt.mean_new, tbt.mean_reference) == (2, 0, 30.0, 37.5)
    assert tbt.estimate is not None
    assert tbt.estimate.difference == pytest.approx(-7.5)
    assert [found[name].mean_new for name in ("cls", "cls_sum")] == [pytest.approx(1 / 24), pytest.approx(1 / 12)]


def test_an_amount_of_a_page_that_did_not_settle_is_left_out_and_counted(compared: Compared) -> None:
    plan = Plan(sites=("alpha",), runs=4, unsettled=frozenset({"takes/alpha/DSL/QUIC/run-02"}))
    tbt = next(row for row in compared(plan).amounts if row.metric == "tbt")
    assert (tbt.left_out, tbt.mean_new, tbt.mean_reference) == (1, 30.0, 45.0)


def test_without_a_gain_nothing_is_claimed(compared: Compared) -> None:
    found = compared(Plan(sites=SITES, networks=("DSL", "LTE"), runs=8, seed=6))
    assert not [row for row in found.overall if row.decided or row.decided_here]
    assert not [row for row in found.site_tests if row.decided]


def test_a_site_that_fails_a_gate_in_one_stack_is_excluded_for_all_stacks(compared: Compared) -> None:
    found = compared(Plan(sites=("alpha", "beta"), fidelity={"beta": (8, 1, 1)}, lacking=["beta"]))
    assert {row.site for row in found.site_tests} == {"alpha"}
    beta = found.fidelity[1]
    assert (beta.site, beta.kept, beta.exact, beta.inexact, beta.missed) == ("beta", False, 80, 10, 10)
    assert beta.reason == "a style sheet was missed with QUIC (https://static.example/page.css)"
    assert (found.fidelity[0].absent, beta.absent) == (0, 1)
    assert [row.site for row in found.sites] == ["alpha", "beta"]
    assert [row.servers_by for row in found.sites] == ["recorded addresses"] * 2


def test_a_take_that_was_served_otherwise_leaves_and_is_named_with_what_it_lacks(compared: Compared) -> None:
    path = "takes/beta/DSL/QUIC/run-02"
    found = compared(Plan(sites=("alpha", "beta"), served_otherwise=[path]))
    assert [(row.site, row.differing, row.kept) for row in found.fidelity] == [("alpha", 0, True), ("beta", 1, True)]
    assert path not in {load.path for load in found.loads}
    assert len(found.loads) == 19
    (left,) = found.content_mismatches
    assert (left.load.path, [answer.matched_url for answer in left.mismatch.lacks]) == (path, [ANSWER["matched_url"]])
    runs = {(row.site, row.test.n_new, row.test.n_reference) for row in found.site_tests if row.test}
    assert runs == {("alpha", 5, 5), ("beta", 4, 5)}
    assert [(row.stack, row.comparable, row.mismatched) for row in found.counts] == [
        ("QUIC", 10, 1), ("TCP+", 10, 0),
    ]  # fmt: skip


def test_what_leaving_takes_out_changes_is_reported(compared: Compared) -> None:
    plan = Plan(sites=("alpha", "beta"), served_otherwise=["takes/beta/DSL/QUIC/run-02"])
    found = compared(plan)
    calm = compared(replace(plan, served_otherwise=()))
    assert [row.estimate for row in found.with_all] == [row.estimate for row in calm.overall]
    assert [row.estimate for row in found.with_all] != [row.estimate for row in found.overall]
    assert calm.with_all == []


def test_takes_left_out_of_one_arm_only_are_reported_as_such(compared: Compared) -> None:
    paths = [f"takes/{site}/DSL/QUIC/run-0{run}" for site in ("alpha", "beta") for run in (1, 2, 3)]
    found = compared(Plan(sites=("alpha", "beta"), served_otherwise=paths))
    row = next(row for row in found.rates if row.kind == "takes served otherwise")
    assert (row.result.share_new, row.result.share_reference) == (0.6, 0)
    assert row.result.p_value == pytest.approx(0.0108, abs=0.0001)
    assert row.p_adjusted is not None
    assert row.p_adjusted < 0.05
    words = "6\u00a0takes, and not evenly (QUIC against TCP+), so the remaining takes may favour a stack."
    assert words in lead(found)


def test_without_such_takes_nothing_is_tested(compared: Compared) -> None:
    assert [row.kind for row in compared(Plan(sites=("alpha",))).rates] == ["void attempts", "censored takes"]


def test_a_take_in_which_the_network_failed_requests_stays_and_is_reported(compared: Compared) -> None:
    path = "takes/alpha/DSL/QUIC/run-01"
    found = compared(Plan(network_failed=(path,)))
    assert path in {load.path for load in found.loads}
    assert [remark for remark in found.remarks if f"(QUIC 1; such as {path}) the network failed requests" in remark]


def test_a_network_above_the_fastest_one_with_parity_is_named(compared: Compared) -> None:
    found = compared(Plan(networks=("DSL", "LTE"), down_mbps={"DSL": FASTEST_MBPS, "LTE": 1000.0}))
    (remark,) = (remark for remark in found.remarks if "parity" in remark)
    assert remark.startswith("The downlink of LTE is 1000 Mbit/s, ")


def test_a_network_without_compared_takes_is_not_named(compared: Compared) -> None:
    plan = Plan(networks=("DSL", "LTE"), down_mbps={"LTE": "unlimited"}, unlike=["takes/alpha/LTE/QUIC/run-01"])
    assert not [remark for remark in compared(replace(plan, sites=("alpha",))).remarks if "parity" in remark]


def test_a_scene_whose_stacks_differ_in_more_than_they_say_leaves_in_every_arm(compared: Compared) -> None:
    plan = Plan(sites=("alpha", "beta"), networks=("DSL", "LTE"), unlike=["takes/beta/LTE/TCP+/run-02"])
    found = compared(plan)
    assert {(row.site, row.network) for row in found.site_tests} == {
        ("alpha", "DSL"),
        ("alpha", "LTE"),
        ("beta", "DSL"),
    }
    assert {(load.site, load.network) for load in found.loads} == {(row.site, row.network) for row in found.site_tests}
    (row,) = found.settings_mismatches
    assert (row.take, row.than, list(row.how)) == (plan.unlike[0], "takes/beta/LTE/QUIC/run-01", [HOW])
    words = "Excluded for all stacks, because stacks differ in more than their definitions: beta on LTE."
    assert words in lead(found)


def test_if_no_scene_keeps_parity_the_sentence_says_why(compared: Compared) -> None:
    with pytest.raises(BadInputError, match=r"differ only in their definitions \(takes/alpha/.*: scheduler is"):
        compared(Plan(sites=("alpha",), unlike=["takes/alpha/DSL/TCP+/run-02"]))


def test_if_an_arm_was_all_served_otherwise_the_sentence_says_so(compared: Compared) -> None:
    paths = [f"takes/alpha/DSL/QUIC/run-0{run}" for run in (1, 2)]
    with pytest.raises(BadInputError, match=r"were served the same content \(such as takes/alpha/DSL/QUIC/run-01\)"):
        compared(Plan(sites=("alpha",), runs=2, served_otherwise=paths))


def test_no_share_of_exact_answers_excludes_a_site(compared: Compared) -> None:
    found = compared(Plan(sites=("alpha", "beta"), fidelity={"beta": (1, 1, 98)}))
    assert [(row.kept, row.share) for row in found.fidelity] == [(True, 1.0), (True, 0.01)]


def test_a_site_without_a_replay_check_is_kept_and_named(compared: Compared) -> None:
    found = compared(Plan(sites=("alpha", "beta"), unchecked=["beta"]))
    assert all(row.kept for row in found.fidelity)
    words = "beta has no replay check, so it is unknown what a viewer would miss there."
    assert any(remark.startswith(words) for remark in found.remarks)
    assert not any("replay check" in remark for remark in compared(Plan(sites=("alpha", "beta"))).remarks)


def test_no_faithful_site_is_one_clear_sentence(compared: Compared) -> None:
    with pytest.raises(
        BadInputError, match=r"No site can be compared \(alpha: a style sheet was missed .*\); record the"
    ):
        compared(Plan(sites=("alpha",), lacking=["alpha"]))


def test_a_censored_run_counts_as_the_limit_in_the_tests_and_is_named(compared: Compared) -> None:
    path = "takes/alpha/DSL/TCP+/run-02"
    found = compared(Plan(sites=("alpha",), runs=4, unsettled=frozenset({path})))
    test = {row.metric: row for row in found.site_tests}
    assert (test["si"].censored_new, test["si"].censored_reference) == (0, 1)
    assert test["si"].test is not None
    assert test["si"].test.n_reference == 4
    # the limit of 60 s against about 1 s: three quarters of a run's log ratio of about log(60)
    assert test["si"].test.gain < -0.5
    # the first visual change does not hang on the film's end
    assert (test["fvc"].censored_reference, test["plt"].censored_reference) == (0, 1)
    named = [LeftOut(path, m, "censored: the take ended at the limit before the page settled") for m in LATE]
    assert found.left_out == named
    assert [(row.stack, row.censored) for row in found.counts] == [("QUIC", 0), ("TCP+", 1)]


def test_the_limit_is_that_of_the_network(compared: Compared) -> None:
    path = "takes/alpha/{}/TCP+/run-02"
    plan = Plan(
        sites=("alpha",), networks=("DSL", "MSS"), unsettled=frozenset({path.format("DSL"), path.format("MSS")}),
        toml="[limits_s]\nMSS = 300",
    )  # fmt: skip
    found = compared(plan)
    assert found.batch.campaign.limits_ms == {"DSL": 60_000, "MSS": 300_000}
    ratio = {row.network: row.test.log_ratio for row in found.site_tests if row.test and row.metric == "lvc"}
    # one of five runs lies at the limit: the five times longer one adds log(5) / 5, MSS's own slowness takes off
    slower = (RTT_MS["MSS"] - RTT_MS["DSL"]) / 400 / 5
    assert ratio["DSL"] - ratio["MSS"] == pytest.approx(math.log(5) / 5 - slower, abs=0.15)


def test_an_unknown_value_is_left_out_and_named(compared: Compared) -> None:
    path = "takes/alpha/DSL/QUIC/run-03"
    found = compared(Plan(sites=("alpha",), runs=4, without_si=frozenset({path})))
    row = next(row for row in found.site_tests if row.metric == "si")
    assert (row.unknown_new, row.censored_new) == (1, 0)
    assert row.test is not None
    assert (row.test.n_new, row.test.n_reference) == (3, 4)
    assert found.left_out == [LeftOut(path, "si", "unknown: the film shows no such moment")]


def test_paired_runs_are_compared_within_their_block(compared: Compared) -> None:
    """Blocks differ fivefold; the gain is seen only within them. A block that lost one arm does not count."""
    plan = Plan(
        sites=("alpha",), runs=8, log_gain={"QUIC": -0.1}, run_sd=0.02, block_sd=0.5, paired=True,
        without_si=frozenset({"takes/alpha/DSL/QUIC/run-03"}),
    )  # fmt: skip
    found = {row.metric: row for row in compared(plan).site_tests}
    assert found["plt"].test is not None
    assert (found["plt"].test.method, found["plt"].test.n_new) == ("paired", 8)
    assert found["plt"].decided
    assert found["si"].test is not None
    assert found["si"].test.n_new == found["si"].test.n_reference == 7


def test_unpaired_the_same_runs_decide_nothing(compared: Compared) -> None:
    found = compared(Plan(sites=("alpha",), runs=8, log_gain={"QUIC": -0.1}, run_sd=0.02, block_sd=0.5))
    assert not [row for row in found.site_tests if row.decided]


def test_void_attempts_are_counted_by_cause_and_those_of_a_block_apart(compared: Compared) -> None:
    lines = [
        *(void("takes/alpha/DSL/QUIC/run-01", "browser died") for _ in range(12)),
        void("takes/alpha/DSL/QUIC/run-02", "frames lost"),
        void("takes/alpha/DSL/TCP+/run-01", "another run of its block was void"),
    ]
    found = compared(Plan(sites=("alpha",), runs=5), attempts=lines)
    quic, tcp = found.counts
    assert (quic.attempts, quic.void, quic.void_with_block) == (18, 13, 0)
    assert quic.void_causes == {"browser died": 12, "frames lost": 1}
    assert (tcp.attempts, tcp.void, tcp.void_with_block, tcp.void_causes) == (6, 0, 1, {})
    row = next(row for row in found.rates if row.kind == "void attempts")
    assert (row.result.share_new, row.result.share_reference) == (13 / 18, 0)
    assert row.p_adjusted is not None
    assert row.p_adjusted < 0.01


def test_a_stack_none_of_whose_runs_succeeded_is_reported_with_its_causes(compared: Compared) -> None:
    lines = [void(f"takes/alpha/DSL/QUIC+BBR/run-{run:02d}") for run in range(1, 6)]
    plan = Plan(sites=("alpha",), stacks=("TCP+", "QUIC", "QUIC+BBR"), without=("takes/alpha/DSL/QUIC+BBR",))
    found = compared(plan, attempts=lines)
    row = next(row for row in found.counts if row.stack == "QUIC+BBR")
    assert (row.planned, row.takes, row.missing, row.attempts, row.void) == (5, 0, 5, 5, 5)
    assert row.void_causes == {"browser died": 5}
    assert "5 of 15 planned runs have no take. No run of QUIC+BBR has a take, so nothing is known about it." in (
        lead(found)
    )
    assert "\nQUIC+BBR,5,0,5,5,5,0,browser died 5,0,0,0\r\n" in report_files(found)["tables/runs.csv"]


def test_without_a_ledger_void_attempts_are_unknown_and_not_zero(compared: Compared) -> None:
    found = compared(Plan(sites=("alpha",)), attempts=None)
    assert [(row.attempts, row.void, row.void_causes) for row in found.counts] == [(None, None, None)] * 2
    assert [row.kind for row in found.rates] == ["censored takes"]


def test_a_difference_under_the_films_alignment_is_not_claimed(compared: Compared) -> None:
    """QUIC's films start 80 ms late, and its Speed Index is 80 ms or so lower: that may be all there is."""
    plan = Plan(
        sites=SITES, runs=10, log_gain={"QUIC": -0.05}, run_sd=0.01, site_sd=0.002,
        zero_error_ms={"QUIC": 105.0, "TCP+": 5.0},
    )  # fmt: skip
    found = compared(plan)
    alignment = found.alignment[0]
    assert alignment.paint is not None
    assert alignment.paint.difference == pytest.approx(100, abs=2)
    assert alignment.clock is not None
    assert alignment.clock.difference == pytest.approx(0.1, abs=0.05)
    assert alignment.off_by_a_frame == 60
    rows = {row.metric: row for row in found.overall}
    assert rows["si"].decided
    assert rows["si"].under_floor
    assert not rows["plt"].under_floor
    said = answers(found, found.choices.pairs[0])[0]
    assert said.claim == "open"
    assert "is not above the detection floor of the films’ alignment and cost" in said.sentence


def test_without_a_known_first_paint_the_clocks_and_a_frame_are_the_floor(compared: Compared) -> None:
    plan = Plan(
        sites=SITES, runs=10, log_gain={"QUIC": -0.01}, run_sd=0.005, site_sd=0.001,
        zero_error_ms={"QUIC": None, "TCP+": None},
    )  # fmt: skip
    found = compared(plan, film_cost=0.0)
    rows = {row.metric: row for row in found.overall}
    assert rows["si"].floor_ms == pytest.approx(0.1 + 1000 / 60, abs=0.01)
    assert rows["si"].decided
    # 1 % of a second is less than a frame, of 2.2 s it is more
    assert rows["si"].under_floor
    assert rows["lvc"].readable
    assert answers(found, found.choices.pairs[0])[0].claim == "open"


def test_nothing_visual_is_claimed_where_the_alignment_is_unknown(compared: Compared) -> None:
    plan = Plan(
        sites=SITES, runs=10, log_gain={"QUIC": -0.2}, run_sd=0.05, site_sd=0.02,
        zero_error_ms={"QUIC": None, "TCP+": None}, clock_known=False,
    )  # fmt: skip
    found = compared(plan)
    rows = {row.metric: row for row in found.overall}
    assert (rows["si"].decided, rows["si"].floor_ms, rows["si"].readable) == (True, None, False)
    assert rows["plt"].readable
    said = answers(found, found.choices.pairs[0])[0]
    assert said.claim == "open"
    assert "The alignment of the films is unknown" in said.sentence


def test_films_that_are_off_by_a_frame_are_named(compared: Compared) -> None:
    found = compared(Plan(sites=("alpha",), runs=2, zero_error_ms={"QUIC": 60.0}))
    assert [load.path for load in found.off_by_a_frame] == [f"takes/alpha/DSL/QUIC/run-0{run}" for run in (1, 2)]
    assert found.alignment[0].off_by_a_frame == 2


def test_films_whose_first_paint_explains_nothing_are_counted_by_scene_and_not_flagged(compared: Compared) -> None:
    plan = Plan(
        sites=("alpha", "beta"), networks=("DSL", "LTE"), runs=2, zero_error_ms={"QUIC": 60.0},
        paint_unknown=("takes/alpha/DSL/QUIC", "takes/beta/LTE/TCP+/run-01"),
    )  # fmt: skip
    found = compared(plan)
    assert [(row.site, row.network, row.takes, row.off_by_a_frame, row.unknown) for row in found.first_paints] == [
        ("alpha", "DSL", 4, 0, 2), ("beta", "DSL", 4, 2, 0), ("alpha", "LTE", 4, 2, 0), ("beta", "LTE", 4, 2, 1),
    ]  # fmt: skip
    assert len(found.off_by_a_frame) == 6


def test_alignment_is_reported_per_network_and_over_all(compared: Compared) -> None:
    plan = Plan(sites=("alpha", "beta"), networks=("DSL", "LTE"), runs=3, zero_error_ms={"QUIC": 8.0, "TCP+": 5.0})
    rows = compared(plan).alignment
    assert [row.network for row in rows] == ["DSL", "LTE", "all"]
    per_network = [row.paint.difference for row in rows[:2] if row.paint]
    over_all = rows[2].paint
    assert over_all is not None
    assert over_all.difference == pytest.approx(sum(per_network) / 2)
    assert (over_all.n_new, over_all.n_reference) == (12, 12)
    assert over_all.floor is not None
    assert over_all.floor < max(row.paint.floor or 0 for row in rows[:2] if row.paint)


def test_runs_that_wait_longer_for_a_processor_with_one_stack_are_reported(compared: Compared) -> None:
    found = compared(Plan(sites=SITES, runs=9, waiting_share={"QUIC": 0.3, "TCP+": 0.2})).pressure
    assert [(row.network, str(row.pair), row.share_of) for row in found] == [
        ("DSL", "QUIC against TCP+", figure) for figure in ("some tasks of the run waited", "used by others")
    ]
    waited, outside = found
    assert (waited.share_new, waited.share_reference) == pytest.approx((0.3, 0.2))
    assert waited.estimate.difference == pytest.approx(0.1)
    assert waited.p_adjusted is not None
    assert waited.p_adjusted < 1e-9
    assert (outside.share_new, outside.estimate.difference) == pytest.approx((0.04, 0), abs=1e-12)
    assert outside.p_adjusted == pytest.approx(1)


def test_takes_that_know_no_pressure_are_not_compared_by_it(compared: Compared) -> None:
    assert compared(Plan(sites=SITES, runs=3)).pressure == []
    assert compared(Plan(sites=SITES, runs=3, waiting_share={"QUIC": 0.3})).pressure == []


def test_one_site_and_one_run_are_described_and_nothing_is_estimated(compared: Compared) -> None:
    found = compared(Plan(sites=("alpha",), runs=1))
    for row in found.overall:
        assert row.estimate is not None
        assert row.estimate.gain != 0
        assert (row.p_adjusted, row.here_p_adjusted, row.estimate.gain_ci_low) == (None, None, None)


def test_networks_come_in_the_campaigns_order_whatever_each_site_has(compared: Compared) -> None:
    found = compared(Plan(sites=("alpha", "beta"), networks=("MSS", "DSL"), runs=1, without=("takes/alpha/MSS",)))
    assert found.networks == ["MSS", "DSL"]
    assert list(dict.fromkeys(row.network for row in found.overall)) == ["MSS", "DSL"]
    assert [row.estimate.sites if row.estimate else 0 for row in found.overall] == [1] * len(RATIOS) + [2] * len(RATIOS)


def test_pairs_of_2019_come_in_the_slides_order_and_that_of_the_paper_last(compared: Compared) -> None:
    stacks = ("QUIC+BBR", "QUIC", "TCP+BBR", "TCP+", "TCP")
    found = compared(Plan(sites=("alpha",), runs=2, stacks=stacks))
    assert [str(pair) for pair in found.choices.pairs] == [
        "TCP+ against TCP",
        "QUIC against TCP",
        "QUIC against TCP+",
        "TCP+BBR against TCP+",
        "QUIC against TCP+BBR",
        "QUIC+BBR against TCP+BBR",
        "QUIC+BBR against QUIC",
        "TCP+BBR against TCP",
    ]


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ("QUIC", "--pair is 'QUIC', but must be NEW/REFERENCE, such as QUIC/TCP+."),
        ("QUIC/QUIC", "--pair is 'QUIC/QUIC', but must be NEW/REFERENCE, such as QUIC/TCP+."),
        ("QUIC/TCP", "--pair QUIC/TCP: there is no take of TCP, only of QUIC, TCP+."),
    ],
)
def test_a_pair_that_cannot_be_compared_is_named(compared: Compared, asked: str, sentence: str) -> None:
    with pytest.raises(BadInputError, match=f"^{re.escape(sentence)}$"):
        compared(Plan(sites=("alpha",), runs=2), pairs=[asked])
