"""What may be claimed of sites like these, and what of these very sites."""

from dataclasses import replace

import pytest

from eyelevel.compare.floors import Floor
from eyelevel.compare.inference import OverallTest, SiteTest, overall_tests
from eyelevel.compare.model import Pair
from eyelevel.compare.report.answers import answers
from eyelevel_stats.arms import compare_logs

from .conftest import Compared
from .made import Plan

PAIR = Pair("QUIC", "TCP+")
# sites agree by chance on a gain of about 10 %, though runs of a site differ by a factor of two
NOISY = [700.0, 1000.0, 1400.0]


def overall(gains: list[float], runs: list[float]) -> OverallTest:
    rows = [
        SiteTest(
            f"site{place}",
            "DSL",
            PAIR,
            "si",
            compare_logs([ms * gain for ms in runs], runs),
            censored_new=0,
            censored_reference=0,
            unknown_new=0,
            unknown_reference=0,
            difference_ms=None,
            reference_ms=None,
        )
        for place, gain in enumerate(gains)
    ]
    (found,) = overall_tests(rows, {("DSL", PAIR): Floor(0.0, 0.0)}, correction="holm")
    return found


def test_sites_that_agree_by_chance_do_not_make_a_claim_that_their_runs_do_not_support() -> None:
    found = overall([0.90, 0.905, 0.91], NOISY)
    assert found.p_adjusted == pytest.approx(0.001, abs=0.001)
    assert found.here_p_adjusted is not None
    assert found.here_p_adjusted > 0.3
    assert not found.decided
    assert not found.decided_here


def test_a_claim_that_sites_and_runs_support_is_made() -> None:
    found = overall([0.90, 0.905, 0.91], [990.0, 1000.0, 1010.0])
    assert (found.decided, found.decided_here) == (True, True)


def test_one_run_per_site_leaves_the_sites_to_decide() -> None:
    found = overall([0.90, 0.905, 0.91], [1000.0])
    assert (found.here_p_adjusted, found.decided) == (None, True)


def test_the_answer_claims_nothing_of_other_sites_that_it_does_not_claim_of_these(compared: Compared) -> None:
    comparison = compared(Plan(sites=("alpha", "beta"), runs=3))
    row = overall([0.90, 0.905, 0.91], NOISY)
    rows = [row if other.metric == "si" else other for other in comparison.overall]
    (answer,) = answers(replace(comparison, overall=rows), PAIR)
    assert (answer.claim, answer.sites_like_these) == ("open", False)
    assert answer.sentence.startswith("No difference can be claimed")
