"""Simulated studies: power, equivalence and widths against closed forms, and the tables made of them."""

from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.power import TTestPower

from eyelevel_core.study.design import Hypothesis, Plan
from eyelevel_stats.observations import Comparison, Rating
from eyelevel_stats.planning.latent import assumed_choices, assumed_ratings
from eyelevel_stats.planning.power import Assumptions, Power, differences, power
from eyelevel_stats.planning.rows import PowerRow, smallest_row

RATED = Hypothesis("H1", "says", "rate", pair=("A", "B"), networks="pooled", expects="different", margin=0.5)
COMPARED = replace(RATED, key="H2", kind="compare", margin=0.2)
ASSUMED = Assumptions(assumed_ratings(1.2), assumed_choices(), 0.0)
PEOPLE = 40
# opinions in the middle of the scale, where answers are opinions rounded
RATINGS = assumed_ratings(1.2)
MIDDLING = replace(RATINGS, spreads=replace(RATINGS.spreads, place=0.0, clip=0.0))
# the difference of one person's two answers: the noise and rounding of both, and the slope
DIFFERENCE_SD = sqrt(2 * RATINGS.spreads.residual**2 + RATINGS.spreads.participant_slope**2 + 2 / 12)


def plan(*hypotheses: Hypothesis) -> Plan:
    return Plan(hypotheses, alpha=0.05, power=0.8, sd=1.2)


def ratings(participants: int = PEOPLE, sites: int = 1, networks: tuple[str, ...] = ("DSL",)) -> list[Rating]:
    return [
        Rating(f"p{p}", f"s{s}", network, stack, "work", f"{s}{network}{stack}", 0.0)
        for p in range(participants)
        for s in range(sites)
        for network in networks
        for stack in "AB"
    ]


def comparisons(participants: int, sites: int) -> list[Comparison]:
    return [
        Comparison(f"p{p}", f"s{s}", "DSL", "A", "B", "work", "none") for p in range(participants) for s in range(sites)
    ]


def simulated(hypothesis: Hypothesis, votes: list[Any], studies: int = 2000, **changes: Any) -> Power:
    rated = [vote for vote in votes if isinstance(vote, Rating)]
    compared = [vote for vote in votes if isinstance(vote, Comparison)]
    assumptions = replace(ASSUMED, **changes)
    return power(plan(hypothesis), rated, compared, assumptions=assumptions, studies=studies, seed=1)


def test_where_everyone_rates_both_clips_of_a_site_power_and_width_are_those_of_the_paired_test() -> None:
    found = simulated(RATED, ratings(), ratings=MIDDLING)
    for row in found.verdicts:
        size = abs(row.true_difference) / DIFFERENCE_SD
        expected = TTestPower().power(size, PEOPLE, 0.05) if size else 0.05
        assert row.different + row.smaller == pytest.approx(expected, abs=0.03)
        width = 2 * stats.t.ppf(0.975, PEOPLE - 1) * DIFFERENCE_SD / sqrt(PEOPLE)
        assert row.median_width == pytest.approx(width, rel=0.03)
        assert row.different + row.smaller + row.equivalent + row.undecided == pytest.approx(1)
    assert [row.true_difference for row in found.verdicts] == [0, 0.25, 0.5, 1]
    (smallest,) = found.smallest
    detected = TTestPower().solve_power(nobs=PEOPLE, alpha=0.05, power=0.8) * DIFFERENCE_SD
    assert smallest.smallest == pytest.approx(detected, rel=0.06)


def test_where_everyone_rates_all_sites_and_sites_differ_most_power_is_that_of_the_test_over_sites() -> None:
    spreads = replace(MIDDLING.spreads, participant_slope=0.0, site_slope=0.5)
    found = simulated(RATED, ratings(60, 8), 1000, ratings=replace(MIDDLING, spreads=spreads))
    # of the mean difference of 60 people on a site: noise and rounding of both answers, and the slope
    sd = sqrt(0.5**2 + 2 * (spreads.residual**2 + 1 / 12) / 60)
    for row in found.verdicts:
        size = abs(row.true_difference) / sd
        expected = TTestPower().power(size, 8, 0.05) if size else 0.05
        assert row.different + row.smaller == pytest.approx(expected, abs=0.045)


def test_equivalence_is_found_as_often_as_two_one_sided_tests_of_normal_differences_find_it() -> None:
    found = simulated(replace(RATED, margin=0.7), ratings(), ratings=MIDDLING).verdicts
    drawn = np.random.default_rng(1).normal(0, DIFFERENCE_SD, (PEOPLE, 20_000))
    half = stats.t.ppf(0.95, PEOPLE - 1) * drawn.std(axis=0, ddof=1) / sqrt(PEOPLE)
    for row in found:
        expected = np.mean(np.abs(drawn.mean(axis=0) + row.true_difference) + half <= 0.7)
        assert row.equivalent + row.smaller == pytest.approx(expected, abs=0.03)


def test_scopes_follow_from_the_number_of_sites() -> None:
    scopes = [simulated(RATED, ratings(10, sites), studies=1).verdicts[0].scope for sites in (4, 5)]
    assert scopes == ["these very sites", "sites like these"]


def test_each_network_is_a_claim_and_the_hypothesis_needs_all() -> None:
    votes = ratings(20, 6, ("DSL", "LTE"))
    found = simulated(replace(RATED, networks="each"), votes, studies=400)
    assert list(dict.fromkeys(row.network for row in found.verdicts)) == ["DSL", "LTE"]
    assert [row.network for row in found.smallest] == ["DSL", "LTE"]
    at_margin = [row.different + row.smaller for row in found.verdicts if row.true_difference == 0.5]
    (outcome,) = [row for row in found.outcomes if row.true_difference == 0.5]
    assert outcome.supported < min(at_margin)
    assert outcome.supported > sum(at_margin) - 1
    over = simulated(replace(RATED, networks="each", over=("LTE",)), votes, studies=10)
    assert {row.network for row in over.verdicts} == {"LTE"}


def test_comparisons_are_simulated_in_shares() -> None:
    found = simulated(COMPARED, comparisons(100, 6), studies=1000)
    assert [row.true_difference for row in found.verdicts] == [0, 0.1, 0.2, 0.4]
    none, *_, most = found.verdicts
    assert none.different + none.smaller <= 0.07
    assert most.different > 0.8


def test_a_hypothesis_about_lower_ratings_is_simulated_with_lower_ratings() -> None:
    hypothesis = replace(RATED, expects="lower")
    assert [f"{difference:g}" for difference in differences(hypothesis)] == ["0", "-0.25", "-0.5", "-1"]
    found = simulated(hypothesis, ratings(30, 6), studies=200)
    assert found.outcomes[-1].supported > 0.95
    assert found.smallest[0].smallest is not None
    assert found.smallest[0].smallest > 0


def test_differences_beyond_the_scale_are_left_out_and_a_plan_without_margin_has_assumed_ones() -> None:
    assert differences(replace(COMPARED, margin=0.6)) == [0, 0.3, 0.6]
    assert differences(replace(RATED, margin=None)) == [0, 0.25, 0.5, 1]
    assert differences(replace(COMPARED, margin=None)) == pytest.approx([0, 0.075, 0.15, 0.3])
    found = simulated(replace(RATED, margin=None), ratings(30, 6), studies=50).verdicts
    assert {row.equivalent for row in found} == {0}


def test_missing_participants_make_intervals_wider() -> None:
    whole, half = (simulated(RATED, ratings(80), studies=300, unfilled=share).verdicts[0] for share in (0.0, 0.5))
    assert whole.median_width is not None
    assert half.median_width == pytest.approx(sqrt(2) * whole.median_width, rel=0.05)


def test_studies_whose_votes_have_no_effect_are_undecided() -> None:
    votes = [vote for number, vote in enumerate(ratings(2)) if number in (0, 3)]
    found = simulated(RATED, votes, studies=7)
    assert found.verdicts == ()
    assert [row.undecided for row in found.outcomes] == [1, 1, 1, 1]


def test_a_hypothesis_that_nobody_is_asked_about_is_left_out() -> None:
    assert simulated(COMPARED, ratings()) == Power((), (), ())
    metrics = Hypothesis("H3", "says", "metrics", metric="SI")
    assert simulated(metrics, ratings()) == Power((), (), ())


def test_the_same_seed_gives_the_same_rows_and_progress_counts_studies() -> None:
    steps: list[int] = []
    hypotheses = plan(RATED, replace(RATED, key="H2"))
    first, again, other = (
        power(hypotheses, ratings(12, 5), [], assumptions=ASSUMED, studies=120, seed=seed, advance=steps.append)
        for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other
    # each hypothesis has separate random numbers
    assert first.verdicts[0].median_width != first.verdicts[4].median_width
    assert steps == [50, 50, 20] * 2 * 3


@pytest.mark.parametrize(("studies", "unfilled"), [(0, 0.0), (1, 1.0), (1, -0.1)])
def test_numbers_that_make_no_sense_are_refused(studies: int, unfilled: float) -> None:
    with pytest.raises(ValueError, match="studies"):
        simulated(RATED, ratings(), studies=studies, unfilled=unfilled)


def rows_of(se: float, sizes: list[float]) -> list[PowerRow]:
    row = PowerRow("H1", "rate", "DSL", "sites like these", 0.5, 0.0, 2000, 0.0, 0.0, 0.0, 0.0, None)
    found = [stats.norm.sf(1.959964 - size / se) for size in sizes]
    return [replace(row, true_difference=-size, different=share) for size, share in zip(sizes, found, strict=True)]


def test_the_smallest_difference_of_a_normal_estimate_is_2_8_standard_errors() -> None:
    """z(0.975) + z(0.8) = 2.801585 (J. Cohen, Statistical power analysis, 1988)."""
    (found, none) = (smallest_row(rows_of(se, [0, 0.25, 0.5, 1]), 0.8) for se in (0.2, 0.4))
    assert found.smallest == pytest.approx(2.801585 * 0.2, abs=1e-4)
    assert (none.smallest, none.largest) == (None, 1)
