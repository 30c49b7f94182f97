"""Latent opinions cut into answers, and the shift that makes the difference true, against draws and loops."""

from math import sqrt

import numpy as np
import pytest
from scipy import stats

from eyelevel_core.study.design import Hypothesis
from eyelevel_stats.observations import Comparison, Rating
from eyelevel_stats.planning.asked import asked_about
from eyelevel_stats.planning.generator import draw, shift_for_sites_like_these, shift_for_these_sites
from eyelevel_stats.planning.latent import assumed_choices, assumed_ratings

RATED = Hypothesis("H1", "says", "rate", pair=("A", "B"), networks="pooled", expects="higher", margin=0.5)
COMPARED = Hypothesis("H2", "says", "compare", pair=("A", "B"), networks="pooled", expects="higher", margin=0.2)


def ratings(participants: int, sites: int) -> list[Rating]:
    """Everyone rates both stacks on two networks, of which one is shown in two contexts."""
    return [
        Rating(f"p{p}", f"s{s}", network, stack, context, f"{s}{network}{stack}", 0.0)
        for p in range(participants)
        for s in range(sites)
        for network, context in (("DSL", "work"), ("DSL", "plane"), ("LTE", "work"))
        for stack in "AB"
    ]


def test_answers_are_whole_points_of_the_scale_cut_half_way() -> None:
    found = assumed_ratings(1.2).answers(np.array([-3.0, 1.49, 1.51, 4.0, 6.6, 99.0]))
    assert found.tolist() == [1, 1, 2, 4, 7, 7]
    low, high = assumed_choices().cuts
    assert assumed_choices().answers(np.array([low - 0.1, 0.0, high + 0.1])).tolist() == [-1, 0, 1]


@pytest.mark.parametrize("mean", [1.5, 4.0, 6.8])
def test_the_expected_answer_is_the_mean_over_the_normal_density(mean: float) -> None:
    model = assumed_ratings(1.2)
    latent = np.linspace(mean - 9, mean + 9, 200_001)
    density = stats.norm.pdf(latent, mean, 1.3)
    expected = np.sum(model.answers(latent) * density) / np.sum(density)
    assert model.expected(np.array([mean]), 1.3)[0] == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("sd", [0.8, 1.2])
def test_scores_of_one_clip_spread_as_the_plan_expects(sd: float) -> None:
    model = assumed_ratings(sd)
    latent = np.random.default_rng(1).normal(model.mean, model.spreads.within(0.5), 400_000)
    assert model.answers(latent).std() == pytest.approx(sd, rel=0.01)
    assert model.spreads.within(0.5) ** 2 + 1 / 12 == pytest.approx(sd**2)
    assert model.spreads.participant**2 == pytest.approx(0.25 * sd**2)


def test_equal_stacks_have_as_many_answers_without_a_difference_as_for_either() -> None:
    model = assumed_choices()
    latent = np.random.default_rng(2).normal(0, model.spreads.over_all(1), 400_000)
    assert np.unique(model.answers(latent), return_counts=True)[1] / 400_000 == pytest.approx([1 / 3] * 3, abs=0.003)


@pytest.mark.parametrize("difference", [-0.5, 0.0, 0.5, 2.0])
def test_over_many_studies_ratings_differ_by_the_difference_asked_for(difference: float) -> None:
    model = assumed_ratings(1.2)
    asked = asked_about(RATED, ratings(20, 10), [])
    assert asked is not None
    drawn = draw(asked, model, studies=4000, rng=np.random.default_rng(3))
    shift = shift_for_sites_like_these(difference, model, 0.5)
    answers = model.answers(drawn.latent + asked.arm[:, None] * shift)
    second = asked.arm > 0
    means = answers[second].mean(axis=0) - answers[~second].mean(axis=0)
    assert means.mean() == pytest.approx(difference, abs=4 * means.std() / sqrt(4000))
    # the latent difference is larger than that of answers at the ends of the scale
    assert abs(shift) >= abs(difference)


def test_over_many_studies_comparisons_differ_by_the_difference_asked_for() -> None:
    model = assumed_choices()
    votes = [Comparison(f"p{p}", f"s{s}", "DSL", "A", "B", "work", "none") for p in range(20) for s in range(10)]
    asked = asked_about(COMPARED, [], votes)
    assert asked is not None
    drawn = draw(asked, model, studies=4000, rng=np.random.default_rng(4))
    means = model.answers(drawn.latent + shift_for_sites_like_these(0.3, model, 1.0)).mean(axis=0)
    assert means.mean() == pytest.approx(0.3, abs=4 * means.std() / sqrt(4000))


def test_on_these_very_sites_each_study_differs_by_the_difference_asked_for() -> None:
    """The expected answers of all clips by loops: equal weights for sites, networks, contexts and clips."""
    model = assumed_ratings(1.2)
    votes = [vote for vote in ratings(6, 2) if (vote.participant, vote.network) != ("p1", "LTE")]
    asked = asked_about(RATED, votes, [])
    assert asked is not None
    drawn = draw(asked, model, studies=3, rng=np.random.default_rng(5))
    (claim,) = asked.claims
    shift = shift_for_these_sites(0.7, model, asked, drawn, claim)
    sd = model.spreads.within(0.5)
    for study in range(3):
        total = 0.0
        for site in ("s0", "s1"):
            for network, contexts in (("DSL", ("work", "plane")), ("LTE", ("work",))):
                for context in contexts:
                    for stack, arm in (("A", -0.5), ("B", 0.5)):
                        place = (site, network, stack, context)
                        row = next(n for n, vote in enumerate(votes) if vote[1:5] == place)
                        mean = drawn.means[row, study] + arm * shift[study]
                        expected = 1 + sum(stats.norm.cdf((mean - cut) / sd) for cut in model.cuts)
                        total += 2 * arm * expected / (2 * 2 * len(contexts))
        assert total == pytest.approx(0.7, abs=1e-6)


def test_effects_have_the_spreads_of_the_model() -> None:
    model = assumed_ratings(1.2)
    asked = asked_about(RATED, ratings(30, 30), [])
    assert asked is not None
    drawn = draw(asked, model, studies=200, rng=np.random.default_rng(6))
    assert drawn.latent.std() == pytest.approx(model.spreads.over_all(0.5), rel=0.02)
    assert (drawn.latent - drawn.means).std() == pytest.approx(model.spreads.within(0.5), rel=0.02)
