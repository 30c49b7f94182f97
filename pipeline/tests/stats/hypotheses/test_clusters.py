"""What fixed effects absorb of clustered variances, against matrices, closed forms and simulated answers."""

import numpy as np
import pytest
from numpy.typing import NDArray

from eyelevel_stats.hypotheses.clusters import absorbed, noise_of, restored
from eyelevel_stats.hypotheses.coded import ArmVote
from eyelevel_stats.hypotheses.estimand import rating_contrast
from eyelevel_stats.hypotheses.groups import Groups


def by_matrices(moves: NDArray[np.float64], weights: NDArray[np.float64], effects: Groups, clusters: Groups) -> float:
    """The same with a votes x votes matrix that subtracts the weighted mean of the effect's group."""
    together = effects.of[:, None] == effects.of[None, :]
    residual = np.eye(len(moves)) - together * weights / effects.sums(weights)[effects.of][:, None]
    left = sum(np.sum(((moves * (clusters.of == cluster)) @ residual) ** 2) for cluster in range(clusters.count))
    return float(1 - left / np.sum(moves**2))


def test_the_share_absorbed_is_that_of_the_whole_matrix() -> None:
    rng = np.random.default_rng(1)
    effects, clusters = (Groups.by(list(rng.integers(0, count, 60))) for count in (9, 5))
    moves, weights = rng.normal(size=60), rng.uniform(0.5, 2, 60)
    found = absorbed(moves, weights, effects, clusters)
    assert found == pytest.approx(by_matrices(moves, weights, effects, clusters), rel=1e-12)
    assert 0.05 < found < 0.3


def test_people_who_rate_four_sites_absorb_a_quarter_and_nothing_within_their_own_cluster() -> None:
    """Each has one vote on each of 4 sites, of either arm in turn."""
    people, sites = Groups.by([vote // 4 for vote in range(80)]), Groups.by([vote % 4 for vote in range(80)])
    moves = np.array([1.0 if (vote // 4 + vote) % 2 else -1.0 for vote in range(80)])
    assert absorbed(moves, np.ones(80), people, sites) == pytest.approx(1 / 4)
    assert absorbed(moves, np.ones(80), people, people) == pytest.approx(0)


def test_noise_and_what_clusters_add_are_both_restored() -> None:
    between, noise, share = 3.0, 2.0, 0.4
    left = np.array([between * 0.6**2 + noise * 0.6])
    assert noise_of(np.array([noise * 0.6]), share) == pytest.approx(noise)
    assert restored(left, np.array([noise]), share) == pytest.approx(between + noise)


def test_a_variance_is_never_restored_to_less_than_is_left() -> None:
    assert restored(np.array([0.1]), np.array([9.0]), 0.5) == pytest.approx(0.1)
    # less than nothing would be left, by the sum over both effects: at least a tenth is assumed
    assert restored(np.array([0.1]), np.array([0.1]), 1.02) == pytest.approx(0.1 * 100 - 0.1 * 9)
    assert noise_of(np.array([0.1]), 1.02) == pytest.approx(1)


@pytest.mark.parametrize("votes_each", [4, 12])
def test_the_variance_of_simulated_answers_is_the_one_that_effects_state(votes_each: int) -> None:
    """Sites and people differ in how much the stacks differ; as left by the effects, it is 12 to 20 % too small."""
    rng = np.random.default_rng(2)
    clips = [(site, second) for site in range(20) for second in (False, True)]
    asked = [(p, *clips[i]) for p in range(100) for i in rng.permutation(len(clips))[:votes_each]]
    contrast = rating_contrast([ArmVote(f"{p}", f"{site}", "DSL", "work", b, 0.0) for p, site, b in asked])
    assert contrast is not None
    people, sites, second = (np.array([vote[part] for vote in asked]) for part in range(3))
    arm, sets = second[:, None] - 0.5, 3000

    def effect(groups: NDArray[np.int64], sd: float) -> NDArray[np.float64]:
        return sd * rng.standard_normal((groups.max() + 1, sets))[groups]

    answers = effect(people, 0.6) + effect(2 * sites + second, 0.2) + rng.standard_normal((len(asked), sets))
    answers += arm * (effect(people, 0.3) + effect(sites, 0.4))
    effects = contrast.effects(answers)
    stated = np.mean([fitted.se**2 for fitted in effects if fitted.se is not None])
    # four standard errors of a variance of 3000 sets are 10 %
    assert stated / np.var([fitted.estimate for fitted in effects]) == pytest.approx(1, abs=0.07)
