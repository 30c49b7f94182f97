"""The effect on the latent scale is found where it was planted, for the votes and networks that count."""

from math import exp

import numpy as np
import pytest
from scipy import special

from eyelevel_stats.ordinal.effect import OrdinalVote, arm_effect, odds_ratio

from .votes import drawn


@pytest.mark.parametrize("studies", [2, pytest.param(12, marks=pytest.mark.soak)])
def test_finds_the_planted_effect_and_deviations(studies: int) -> None:
    seeds = range(studies)
    found = [arm_effect(drawn(seed, participants=60, sites=12, networks=2, each=24, effect=0.8)) for seed in seeds]
    assert all(fitted.converged for fitted in found)
    effects = np.array([fitted.effect for fitted in found], dtype=float)
    errors = np.array([fitted.se for fitted in found], dtype=float)
    # the generator's values, to two standard errors of the mean
    assert abs(effects.mean() - 0.8) < 2 * np.sqrt(np.mean(errors**2) / studies)
    assert studies < 12 or effects.std(ddof=1) == pytest.approx(np.sqrt(np.mean(errors**2)), rel=0.45)
    planted = {"participant": 1.0, "participant_arm": 0.5, "site": 0.7, "site_arm": 0.4, "clip": 0.3}
    for name, sd in planted.items():
        mean = np.mean([getattr(fitted, f"{name}_sd") for fitted in found])
        assert mean == pytest.approx(sd, abs=0.15 * np.sqrt(12 / studies)), name


@pytest.mark.parametrize(
    ("participants", "sites", "quantile"),
    [
        # Student's t with 5 degrees of freedom: 6 sites
        (30, 6, 2.570582),
        # 7 degrees: 8 participants, who are fewer than the sites
        (8, 12, 2.364624),
        # 29 degrees: 30 participants, as 4 sites are fixed
        (30, 4, 2.045230),
    ],
)
def test_interval_odds_ratio_and_p_belong_to_effect_and_error(participants: int, sites: int, quantile: float) -> None:
    found = arm_effect(drawn(1, participants=participants, sites=sites, networks=1, each=12, effect=0.5, clips=2))
    assert (found.participants, found.sites) == (participants, sites)
    assert found.effect is not None
    assert found.se is not None
    assert found.odds_ratio is not None
    assert found.ci_low == pytest.approx(found.effect - quantile * found.se, abs=1e-6)
    assert found.ci_high == pytest.approx(found.effect + quantile * found.se, abs=1e-6)
    assert found.odds_ratio == pytest.approx(exp(found.effect))
    assert found.odds_ratio_low == pytest.approx(exp(found.effect - quantile * found.se), rel=1e-5)
    assert found.odds_ratio_high == pytest.approx(exp(found.effect + quantile * found.se), rel=1e-5)
    freedom = (participants if sites < 5 else min(participants, sites)) - 1
    assert found.p_value == pytest.approx(2 * special.stdtr(freedom, -abs(found.effect) / found.se), rel=1e-9)


def test_exchanging_the_stacks_changes_the_sign_alone() -> None:
    votes = drawn(2, participants=20, sites=6, networks=2, each=16, effect=0.6)
    one, other = arm_effect(votes), arm_effect([vote._replace(arm=not vote.arm) for vote in votes])
    assert one.effect is not None
    assert other.effect == pytest.approx(-one.effect, abs=1e-5)
    assert other.se == pytest.approx(one.se, rel=1e-4)
    assert other.log_likelihood == pytest.approx(one.log_likelihood, abs=1e-7)


def test_networks_weigh_the_same_however_many_votes_they_have() -> None:
    many = drawn(3, participants=80, sites=6, networks=1, each=12, effect=3)
    few = drawn(4, participants=20, sites=6, networks=1, each=12, effect=0)
    votes = many + [vote._replace(network="other", clip=f"other-{vote.clip}") for vote in few]
    alone = [arm_effect(sample).effect for sample in (many, few)]
    found = arm_effect(votes)
    assert found.effect == pytest.approx(sum(value for value in alone if value is not None) / 2, abs=0.35)


def test_a_site_that_shows_one_stack_alone_does_not_count() -> None:
    votes = drawn(5, participants=20, sites=6, networks=1, each=12, effect=0.6)
    alone = [OrdinalVote(f"p{person}", "one", "c", "n0", True, 7) for person in range(20)]
    assert arm_effect(votes + alone) == arm_effect(votes)


def test_a_clip_for_each_site_and_stack_has_no_deviation_of_clips() -> None:
    found = arm_effect(drawn(6, participants=30, sites=8, networks=1, each=16, effect=0.6))
    assert found.clip_sd is None
    assert "each site and stack has one clip" in found.why
    assert arm_effect(drawn(6, participants=30, sites=8, networks=1, each=16, effect=0.6, clips=2)).clip_sd is not None


def test_fewer_than_5_sites_are_fixed() -> None:
    found = arm_effect(drawn(7, participants=30, sites=4, networks=2, each=16, effect=0.6))
    assert (found.scope, found.site_sd, found.site_arm_sd, found.converged) == ("these very sites", None, None, True)
    assert "fewer than 5 sites: sites are fixed" in found.why
    assert arm_effect(drawn(7, participants=30, sites=5, networks=2, each=20, effect=0.6)).scope == "sites like these"


def test_an_odds_ratio_beyond_all_numbers_is_unknown() -> None:
    assert odds_ratio(709.0) == pytest.approx(exp(709.0))
    assert (odds_ratio(710.0), odds_ratio(None), odds_ratio(-2000.0)) == (None, None, 0.0)


def test_sites_on_one_network_each_do_not_keep_the_model_from_an_answer() -> None:
    votes = drawn(8, participants=30, sites=4, networks=1, each=8, effect=1)
    votes = [vote._replace(network=vote.site) for vote in votes]
    found = arm_effect(votes)
    assert found.converged
    assert found.effect is not None


@pytest.mark.parametrize(
    ("votes", "why"),
    [
        ([], "no site has votes of both stacks on the same network"),
        ([OrdinalVote("p", "s", "c", "n", True, 4)], "no site has votes of both stacks on the same network"),
        (
            [OrdinalVote("p", "s", f"c{arm}", "n", arm, 4 + arm) for arm in (True, False)],
            "one participant is no sample",
        ),
        (
            [OrdinalVote(who, "s", f"c{arm}", "n", arm, 4) for arm in (True, False) for who in "pq"],
            "all scores are the same",
        ),
    ],
)
def test_votes_without_an_answer_say_why(votes: list[OrdinalVote], why: str) -> None:
    found = arm_effect(votes)
    assert (found.effect, found.se, found.odds_ratio, found.p_value, found.log_likelihood) == (None,) * 5
    assert (found.converged, found.why, found.votes) == (False, why, 0 if "no site" in why else len(votes))


def test_stacks_that_separate_the_scores_do_not_converge() -> None:
    votes = [
        OrdinalVote(f"p{person}", f"s{site}", f"c{site}{arm}", "n", arm, 6 if arm else 2)
        for person in range(6)
        for site in range(6)
        for arm in (True, False)
    ]
    found = arm_effect(votes)
    assert (found.converged, found.effect, found.se) == (False, None, None)
    assert "grows without bounds" in found.why


def test_a_saddle_where_a_deviation_is_0_is_left_again() -> None:
    # a draw whose search first ends at a deviation of 0 that is not the maximum
    found = arm_effect(drawn(1587, participants=12, sites=6, networks=1, each=12, effect=0.5, clips=2))
    assert found.converged
    assert found.se is not None
