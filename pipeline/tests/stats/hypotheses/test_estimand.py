"""Effects and their variances agree with scipy's paired test and with statsmodels' weighted least squares."""

from collections import Counter
from dataclasses import astuple
from itertools import permutations

import numpy as np
import pytest
import statsmodels.api as sm
from numpy.typing import NDArray
from scipy import stats
from statsmodels.stats.sandwich_covariance import cov_cluster

from eyelevel_stats.hypotheses.clusters import absorbed
from eyelevel_stats.hypotheses.coded import ArmVote, Choice
from eyelevel_stats.hypotheses.estimand import Effect, choice_contrast, choice_effect, rating_contrast, rating_effect


def drawn(seed: int, *, participants: int, sites: int, networks: int = 2, effect: float = 0.4) -> list[ArmVote]:
    """Votes of a study in which everyone rates some clips only, and not the same ones."""
    rng = np.random.default_rng(seed)
    person, place = rng.normal(0, 0.8, participants), rng.normal(0, 0.5, (sites, networks))
    return [
        ArmVote(f"p{p}", f"s{s}", f"n{n}", "work", bool(b), 4 + person[p] + place[s, n] + effect * b + rng.normal())
        for p in range(participants)
        for s in range(sites)
        for n in range(networks)
        for b in range(2)
        if rng.random() < 0.5
    ]


def fitted(votes: list[ArmVote]) -> tuple[sm.regression.linear_model.RegressionResults, NDArray[np.int64]]:
    """The same by statsmodels, with a column for each participant and cell; and participants and sites as numbers."""
    people = {name: number for number, name in enumerate(sorted({vote.participant for vote in votes}))}
    cells = {cell: number for number, cell in enumerate(sorted({(v.site, v.network, v.context) for v in votes}))}
    sites = {name: number for number, name in enumerate(sorted({vote.site for vote in votes}))}
    columns = np.zeros((len(votes), 1 + len(people) + len(cells)))
    for row, vote in enumerate(votes):
        columns[row, 0] = vote.second
        columns[row, 1 + people[vote.participant]] = 1
        columns[row, 1 + len(people) + cells[vote.site, vote.network, vote.context]] = 1
    count = {(v.site, v.network): 0 for v in votes}
    for vote in votes:
        count[vote.site, vote.network] += 1
    weights = [1 / count[vote.site, vote.network] for vote in votes]
    found = sm.WLS([vote.score for vote in votes], columns[:, :-1], weights=weights).fit()
    return found, np.array([(people[vote.participant], sites[vote.site]) for vote in votes])


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_effect_is_that_of_weighted_least_squares(seed: int) -> None:
    votes = drawn(seed, participants=14, sites=6)
    effect = rating_effect(votes)
    found, _ = fitted(votes)
    assert effect is not None
    assert effect.estimate == pytest.approx(found.params[0], abs=1e-9)
    assert (effect.freedom, effect.like_these, effect.participants, effect.sites) == (5, True, 14, 6)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_variances_are_those_of_statsmodels_with_two_way_clusters_and_what_was_absorbed(seed: int) -> None:
    votes = drawn(seed, participants=14, sites=6)
    effect, contrast = rating_effect(votes), rating_contrast(votes)
    found, groups = fitted(votes)
    together = np.unique(groups, axis=0, return_inverse=True)[1]
    by_person, by_site, by_both = (
        np.array([cov_cluster(found, of, use_correction=False)[0, 0] * count / (count - 1)])
        for of, count in ((groups[:, 0], 14), (groups[:, 1], 6), (together, together.max() + 1))
    )
    assert contrast is not None
    assert contrast.fixed is not None
    moves = contrast.weights * contrast.arm / (contrast.weights @ contrast.arm**2)
    person, site, both = (
        sum(
            absorbed(moves, contrast.weights, grouping, clusters)
            for grouping in (contrast.fixed.people, contrast.fixed.cells)
        )
        for clusters in (contrast.people, contrast.sites, contrast.people.crossed(contrast.sites))
    )
    noise = by_both / (1 - both)
    of_people = by_person / (1 - person) ** 2 - noise * person / (1 - person)
    of_sites = by_site / (1 - site) ** 2 - noise * site / (1 - site)
    assert effect is not None
    assert effect.se is not None
    assert effect.se**2 == pytest.approx(max(of_people + of_sites - noise, of_people, of_sites), rel=1e-7)
    # more participants reduce what they and single votes add; what sites add to that stays
    assert effect.site_variance == pytest.approx(max((of_sites - noise)[0], 0.0), rel=1e-7)


def test_on_one_site_where_everyone_rates_both_it_is_the_paired_test() -> None:
    rng = np.random.default_rng(5)
    first, second = rng.normal(4, 1, 20), rng.normal(4.5, 1, 20)
    votes = [ArmVote(f"p{p}", "a", "DSL", "work", False, first[p]) for p in range(20)]
    votes += [ArmVote(f"p{p}", "a", "DSL", "work", True, second[p]) for p in range(20)]
    effect, paired = rating_effect(votes), stats.ttest_rel(second, first)
    assert effect is not None
    assert effect.se is not None
    assert effect.estimate / effect.se == pytest.approx(paired.statistic, rel=1e-9)
    assert (effect.freedom, effect.like_these, effect.site_variance) == (paired.df, False, 0.0)


def test_where_everyone_rates_all_and_sites_differ_most_it_is_the_test_over_sites() -> None:
    rng = np.random.default_rng(6)
    gain = rng.normal(0.5, 1, 7)
    votes = [
        ArmVote(f"p{p}", f"s{s}", "DSL", "work", bool(b), 4 + 0.01 * p + b * gain[s])
        for p in range(30)
        for s in range(7)
        for b in range(2)
    ]
    effect, over_sites = rating_effect(votes), stats.ttest_1samp(gain, 0)
    assert effect is not None
    assert effect.se is not None
    assert effect.estimate / effect.se == pytest.approx(over_sites.statistic, rel=1e-9)
    assert effect.freedom == over_sites.df


def test_sites_weigh_the_same_however_many_votes_they_have() -> None:
    votes = [ArmVote(f"p{p}", "busy", "DSL", "work", bool(b), 4.0 + b) for p in range(30) for b in range(2)]
    votes += [ArmVote(f"p{p}", "rare", "DSL", "work", bool(b), 4.0 + 3 * b) for p in range(2) for b in range(2)]
    effect = rating_effect(votes)
    assert effect is not None
    assert effect.estimate == pytest.approx(2)


def test_a_site_that_shows_one_stack_alone_does_not_count() -> None:
    votes = [ArmVote(f"p{p}", "both", "DSL", "work", bool(b), 4.0 + b) for p in range(3) for b in range(2)]
    votes += [ArmVote(f"p{p}", "one", "DSL", "work", True, 7.0) for p in range(3)]
    effect = rating_effect(votes)
    assert effect is not None
    assert effect.estimate == pytest.approx(1)
    assert (effect.sites, effect.votes) == (1, 6)


def test_votes_that_cannot_tell_stacks_from_people_have_no_effect() -> None:
    votes = [ArmVote(f"p{p}", "a", "DSL", "work", p % 2 == 1, 4.0) for p in range(10)]
    assert rating_effect(votes) is None
    assert rating_effect([]) is None
    assert choice_effect([]) is None


def test_choices_are_a_mean_over_sites_with_no_difference_as_0() -> None:
    votes = [Choice(f"p{p}", "a", "DSL", value) for p, value in enumerate([1, 1, 0, -1])]
    votes += [Choice(f"p{p}", "b", "DSL", 1) for p in range(2)]
    effect = choice_effect(votes)
    assert effect is not None
    assert effect.estimate == pytest.approx((0.25 + 1) / 2)
    assert effect.se is not None
    # by participant: the sums of weight times deviation from the mean
    moved = [0.375 / 8 + 0.375 / 4, 0.375 / 8 + 0.375 / 4, -0.625 / 8, -1.625 / 8]
    assert effect.se**2 == pytest.approx(sum(value**2 for value in moved) * 4 / 3)


def test_one_participant_has_an_estimate_and_no_interval() -> None:
    effect = choice_effect([Choice("p", "a", "DSL", 1.0), Choice("p", "b", "DSL", 0.0)])
    assert effect is not None
    assert (effect.estimate, effect.se, effect.freedom) == (0.5, None, None)


@pytest.mark.parametrize("sites", [3, 6])
def test_many_sets_of_answers_to_one_design_have_the_effects_that_each_has_by_itself(sites: int) -> None:
    votes = drawn(7, participants=12, sites=sites)
    votes.insert(5, ArmVote("p1", "shows one stack alone", "n0", "work", True, 4.0))
    answers = np.random.default_rng(8).integers(1, 8, (len(votes), 4)).astype(float)
    contrast, choices = rating_contrast(votes), choice_contrast([Choice(*vote[:3], 0.0) for vote in votes])
    assert contrast is not None
    assert choices is not None
    for number, (rated, chosen) in enumerate(zip(contrast.effects(answers), choices.effects(answers), strict=True)):
        scores = answers[:, number]
        alone = rating_effect(
            [vote._replace(score=score) for vote, score in zip(votes, scores, strict=True) if "alone" not in vote.site]
        )
        assert alone is not None
        assert astuple(rated)[:-1] == pytest.approx(astuple(alone)[:-1], rel=1e-12)
        alone = choice_effect([Choice(*vote[:3], value) for vote, value in zip(votes, scores, strict=True)])
        assert alone is not None
        assert astuple(chosen)[:-1] == pytest.approx(astuple(alone)[:-1], rel=1e-12)
    assert (rated.votes, chosen.votes) == (len(votes) - 1, len(votes))


# of many designs, three in which rounding left an eigenvalue that a cut at 1e-15 takes for known
@pytest.mark.parametrize(("seed", "people"), [(27, 157), (102, 152), (139, 149)])
def test_an_effect_is_that_of_least_squares_on_all_columns_whatever_rounding_leaves_of_zero(
    seed: int, people: int
) -> None:
    rng = np.random.default_rng(seed)
    votes = []
    for person in range(people):
        for turn in range(30):
            site, asked, second, score = (int(rng.integers(*ends)) for ends in ((0, 15), (0, 2), (0, 2), (1, 8)))
            if asked:
                context = ("work", "free")[turn % 2]
                votes.append(ArmVote(f"p{person:03}", f"s{site}", "DSL", context, bool(second), float(score)))
    votes.sort()
    effect = rating_effect(votes)
    assert effect is not None
    of_site = Counter(vote.site for vote in votes)
    root = np.sqrt([1 / of_site[vote.site] for vote in votes])
    columns = [np.array([float(vote.second) for vote in votes])]
    for names in ([vote.participant for vote in votes], [(vote.site, vote.context) for vote in votes]):
        columns += [np.array([float(level == name) for level in names]) for name in dict.fromkeys(names)]
    scores = np.array([vote.score for vote in votes])
    exact = np.linalg.lstsq(np.column_stack(columns) * root[:, None], scores * root, rcond=None)[0][0]
    assert effect.estimate == pytest.approx(float(exact), abs=1e-11)


def test_a_fit_with_as_many_parameters_as_votes_has_no_error() -> None:
    answers = {("p1", "s1", False): 6, ("p1", "s2", True): 5, ("p2", "s1", True): 4, ("p2", "s2", False): 5}
    votes = [ArmVote(person, site, "DSL", "work", second, score) for (person, site, second), score in answers.items()]
    effect = rating_effect(votes)
    assert effect is not None
    assert effect.estimate == pytest.approx(-1)
    assert (effect.se, effect.freedom, effect.sd) == (None, None, None)
    more = rating_effect([*votes, ArmVote("p2", "s2", "DSL", "work", True, 3)])
    assert more is not None
    assert more.se is not None
    assert more.freedom == 1


def test_a_fit_that_few_votes_follow_exactly_by_chance_has_no_error() -> None:
    answers = {("p1", "s1", False): 6, ("p1", "s2", True): 5, ("p2", "s1", True): 4, ("p2", "s2", False): 5}
    votes = [ArmVote(person, site, "DSL", "work", second, score) for (person, site, second), score in answers.items()]
    effect = rating_effect([*votes, ArmVote("p2", "s2", "DSL", "work", True, 4)])
    assert effect is not None
    assert effect.sd == pytest.approx(0)
    assert (effect.se, effect.freedom) == (None, None)


def test_many_votes_without_any_spread_have_an_interval_without_width() -> None:
    votes = [
        ArmVote(f"p{person}", f"s{site}", "DSL", "work", second, 4 + second)
        for person in range(4)
        for site in range(3)
        for second in (False, True)
    ]
    effect = rating_effect(votes)
    assert effect is not None
    assert effect.estimate == pytest.approx(1)
    assert effect.se == pytest.approx(0, abs=1e-9)


def test_one_participant_who_tells_the_stacks_apart_gives_no_error() -> None:
    single = [ArmVote("p1", "s1", "DSL", "work", second, 4 + number) for second in (False, True) for number in range(3)]
    others = [ArmVote("p2", "s2", "DSL", "work", False, 3), ArmVote("p3", "s2", "DSL", "work", True, 7)]
    effect = rating_effect([*single, *others])
    assert effect is not None
    assert effect.estimate == pytest.approx(0)
    assert (effect.se, effect.freedom) == (None, None)
    assert effect.sd is not None


def test_degrees_of_freedom_are_at_most_those_that_the_votes_leave() -> None:
    votes = [
        ArmVote(f"p{person}", f"s{(person + second) % 4}", "DSL", "work", bool(second), 4 + person % 3)
        for person in range(12)
        for second in range(2)
    ]
    effect = rating_effect(votes[:-1])
    assert effect is not None
    assert effect.participants == 12
    found, _ = fitted(votes[:-1])
    assert effect.freedom == int(found.df_resid) == 7


def test_the_variance_of_ratings_is_at_least_that_of_independent_votes() -> None:
    rng = np.random.default_rng(5)
    votes = [
        ArmVote(f"p{person}", f"s{rng.integers(6)}", "DSL", "work", bool(rng.integers(2)), float(rng.integers(1, 8)))
        for person in range(14)
        for _ in range(2)
    ]
    effect = rating_effect(votes)
    contrast = rating_contrast(votes)
    assert effect is not None
    assert contrast is not None
    assert effect.se is not None
    assert effect.sd is not None
    # the same weights as in the product; the variance of a linear estimate of independent votes
    places = Counter((votes[at].site, votes[at].network) for at in contrast.kept)
    weighted = contrast.arm / np.array([places[votes[at].site, votes[at].network] for at in contrast.kept])
    moves = weighted / (weighted @ contrast.arm)
    assert effect.se == pytest.approx(effect.sd * float(np.sqrt(np.sum(moves**2))))


def leading(effect: Effect) -> tuple[str, float]:
    """Site and part, without errors of rounding."""
    assert effect.leading is not None
    site, part = effect.leading
    return site, round(part, 9)


def test_the_leading_site_of_choices_has_its_share_of_the_mean() -> None:
    votes = [Choice(f"p{p}", f"s{s}", "DSL", float(s == 2)) for p in range(4) for s in range(4)]
    effect = choice_effect(votes)
    assert effect is not None
    assert leading(effect) == ("s2", 0.25)
    against = choice_effect([vote._replace(value=-vote.value) for vote in votes])
    assert against is not None
    assert leading(against) == ("s2", -0.25)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_parts_of_sites_sum_to_the_estimate(seed: int) -> None:
    votes = [
        vote._replace(score=vote.score + 2.0 * vote.second * (vote.site == "s3"))
        for vote in drawn(seed, participants=14, sites=6)
        # a site with one stack only counts nowhere, and takes no other's place
        if vote.site != "s1" or vote.second
    ]
    effect, contrast = rating_effect(votes), rating_contrast(votes)
    assert effect is not None
    assert contrast is not None
    parts = contrast.parts_by_site(np.array([vote.score for vote in votes]))
    assert len(parts) == 5
    assert parts.sum() == pytest.approx(effect.estimate, abs=1e-12)
    assert leading(effect) == ("s3", round(float(parts.max()), 9))


def test_of_sites_that_differ_by_rounding_the_first_leads() -> None:
    orders = list(permutations((0.1, 0.2, 0.3, 0.7, 1.1)))
    votes = [Choice(f"p{p}", f"s{s}", "DSL", value) for s, order in enumerate(orders) for p, value in enumerate(order)]
    contrast, effect = choice_contrast(votes), choice_effect(votes)
    assert contrast is not None
    assert effect is not None
    parts = contrast.parts_by_site(np.array([vote.value for vote in votes]))
    assert parts.argmax() > 0, "rounding alone makes another part the largest"
    assert leading(effect)[0] == "s0"


def test_a_single_site_leads_nothing() -> None:
    effect = choice_effect([Choice(f"p{p}", "s0", "DSL", 1.0) for p in range(4)])
    assert effect is not None
    assert effect.leading is None
