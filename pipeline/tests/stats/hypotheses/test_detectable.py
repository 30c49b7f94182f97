"""The difference that the planned study finds, against G*Power, statsmodels and simulated studies."""

from math import sqrt

import numpy as np
import pytest
from statsmodels.stats.power import TTestPower

from eyelevel_core.study.design import Hypothesis, Plan
from eyelevel_stats.hypotheses.coded import ArmVote
from eyelevel_stats.hypotheses.detectable import detectable
from eyelevel_stats.hypotheses.estimand import Effect, rating_effect
from eyelevel_stats.observations import Rating
from eyelevel_stats.planning.latent import RATING_CUTS, Latent, Spreads, assumed_choices
from eyelevel_stats.planning.power import Assumptions, power


def effect(se: float | None, *, participants: int, sites: int = 1, site_variance: float | None = 0.0) -> Effect:
    freedom = (min(participants, sites) if sites >= 5 else participants) - 1
    return Effect(
        0.1, se, freedom, like_these=sites >= 5, votes=300, participants=participants, sites=sites, sd=1.0,
        site_variance=site_variance,
    )  # fmt: skip


@pytest.mark.parametrize(("growth", "people"), [(1.0, 20), (2.0, 40), (0.5, 10)])
def test_on_these_very_sites_it_is_that_of_the_paired_test_with_the_planned_participants(
    growth: float, people: int
) -> None:
    # a standard deviation of 0.8 of the differences of single people
    found = detectable(effect(0.8 / sqrt(20), participants=20), growth=growth, alpha=0.05, power=0.8)
    expected = TTestPower().solve_power(nobs=people, alpha=0.05, power=0.8) * 0.8
    assert found == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize(("d", "pairs"), [(0.2, 199), (0.5, 34), (0.8, 15)])
def test_the_usual_effect_sizes_need_as_many_pairs_as_g_power_says(d: float, pairs: int) -> None:
    # F. Faul et al., G*Power 3, Behavior Research Methods 39, 2007: paired test, two-sided, power 0.8
    enough, fewer = (
        detectable(effect(1 / sqrt(n), participants=n), growth=1, alpha=0.05, power=0.8) for n in (pairs, pairs - 1)
    )
    assert enough is not None
    assert fewer is not None
    assert enough <= d < fewer


def test_what_sites_add_stays_and_they_give_the_degrees_of_freedom() -> None:
    # variances: 0.04 of people and votes, 0.01 of 8 sites
    planned = effect(sqrt(0.05), participants=30, sites=8, site_variance=0.01)
    ncp = TTestPower().solve_power(nobs=8, alpha=0.05, power=0.8) * sqrt(8)
    assert detectable(planned, growth=1, alpha=0.05, power=0.8) == pytest.approx(ncp * sqrt(0.05), rel=1e-4)
    assert detectable(planned, growth=4, alpha=0.05, power=0.8) == pytest.approx(ncp * sqrt(0.02), rel=1e-4)


def test_a_smaller_level_or_a_larger_power_needs_a_larger_difference() -> None:
    planned = effect(0.1, participants=20)
    usual = detectable(planned, growth=1, alpha=0.05, power=0.8) or 0.0
    assert (detectable(planned, growth=1, alpha=0.01, power=0.8) or 0.0) > usual
    assert (detectable(planned, growth=1, alpha=0.05, power=0.9) or 0.0) > usual
    assert detectable(planned, growth=1, alpha=0.05, power=0.02) == 0.0


def test_without_a_variance_or_with_one_planned_participant_it_is_unknown() -> None:
    assert detectable(effect(None, participants=1, site_variance=None), growth=9, alpha=0.05, power=0.8) is None
    assert detectable(effect(0.1, participants=20), growth=0.05, alpha=0.05, power=0.8) is None


@pytest.mark.parametrize(("growth", "wanted"), [(0.0, 0.8), (1.0, 0.0), (1.0, 1.0)])
def test_a_growth_or_power_that_means_nothing_is_refused(growth: float, wanted: float) -> None:
    with pytest.raises(ValueError, match="growth must be above 0"):
        detectable(effect(0.1, participants=20), growth=growth, alpha=0.05, power=wanted)


def votes_of(participants: int, sites: int, rng: np.random.Generator, spreads: Spreads) -> list[ArmVote]:
    """Opinions of everybody about both stacks on all sites, in whole points."""
    person, slope = spreads.participant * rng.normal(size=participants), 0.4 * rng.normal(size=participants)
    of_site = 0.3 * rng.normal(size=sites)
    return [
        ArmVote(f"p{p}", f"s{s}", "DSL", "work", second, float(np.clip(np.round(opinion), 1, 7)))
        for p in range(participants)
        for s in range(sites)
        for second in (False, True)
        for opinion in [4 + person[p] + (second - 0.5) * (slope[p] + of_site[s]) + 0.8 * rng.normal()]
    ]


def test_simulated_studies_with_the_same_variances_find_about_the_same_difference() -> None:
    """Definition E13; the simulated answers are cut at whole points, which the closed form does not know."""
    spreads = Spreads(participant=0.6, place=0.0, clip=0.0, participant_slope=0.4, site_slope=0.3, residual=0.8)
    rng = np.random.default_rng(5)
    effects = [rating_effect(votes_of(30, 8, rng, spreads)) for _ in range(60)]
    closed = [detectable(known, growth=2, alpha=0.05, power=0.8) for known in effects if known is not None]
    planned = [
        Rating(f"p{p}", f"s{s}", "DSL", stack, "work", f"{s}{stack}", 0.0)
        for p in range(60)
        for s in range(8)
        for stack in "AB"
    ]
    asked = Hypothesis("H1", "says", "rate", pair=("A", "B"), networks="pooled", expects="different", margin=0.4)
    assumptions = Assumptions(Latent(4.0, spreads, RATING_CUTS, 1.0), assumed_choices(), 0.0)
    plan = Plan((asked,), alpha=0.05, power=0.8, sd=1.0)
    (simulated,) = power(plan, planned, [], assumptions=assumptions, studies=600, seed=3).smallest
    assert simulated.smallest is not None
    assert float(np.median([value for value in closed if value is not None])) == pytest.approx(
        simulated.smallest, rel=0.1
    )
