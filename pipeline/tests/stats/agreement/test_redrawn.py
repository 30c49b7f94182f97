"""Rank correlations of all draws agree with scipy on the clips and votes that each draw has, one draw at a time."""

import numpy as np
import pytest
from scipy import stats

from eyelevel_stats.agreement.redrawn import (
    ballot,
    observed_correlations,
    rank_correlations,
    redrawn_correlations,
    weighted_ranks,
)
from eyelevel_stats.bootstrap import two_way_counts
from eyelevel_stats.hypotheses.groups import Groups

SITES, STACKS, PEOPLE = 8, 3, 6
CLIPS = SITES * STACKS
PLACES = [site for site in range(SITES) for _ in range(STACKS)]


def scores(*, share: float, seed: int = 1) -> list[dict[str, float]]:
    """Whole-number scores of each clip by some of the people: many ties, and clips that a draw leaves without votes."""
    rng = np.random.default_rng(seed)
    return [
        {f"p{who}": float(rng.integers(1, 8)) for who in range(PEOPLE) if rng.random() < share or who == clip % PEOPLE}
        for clip in range(CLIPS)
    ]


def metrics(seed: int = 2) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.array([rng.normal(size=CLIPS), rng.integers(0, 3, CLIPS).astype(float)])


def one_draw(
    given: list[dict[str, float]], values: np.ndarray, cells: list[int], people: np.ndarray, sites: np.ndarray
) -> float:
    """The definition by hand: draw, average, leave out, centre, repeat the clips of sites drawn twice, correlate."""
    mos: dict[int, float] = {}
    for clip, votes in enumerate(given):
        weights = [people[int(who[1:])] for who in votes]
        if sum(weights) > 0:
            mos[clip] = np.average(list(votes.values()), weights=weights)
    kept = [clip for clip in mos if sum(cells[other] == cells[clip] for other in mos) > 1]
    x, y = [], []
    for clip in kept:
        beside = [other for other in kept if cells[other] == cells[clip]]
        count = int(sites[PLACES[clip]])
        x += [round(values[clip] - np.mean(values[beside]), 9)] * count
        y += [round(mos[clip] - np.mean([mos[other] for other in beside]), 9)] * count
    return 0.0 if np.ptp(x) == 0 or np.ptp(y) == 0 else stats.spearmanr(x, y).statistic


@pytest.mark.parametrize("share", [0.9, 0.1])
@pytest.mark.parametrize("cells", [PLACES, [site // 4 for site in PLACES]])
def test_every_draw_is_scipys_coefficient_of_its_clips(share: float, cells: list[int]) -> None:
    given, values = scores(share=share), metrics()
    found = redrawn_correlations(
        ballot(given), values, cells=Groups.by(cells), units=Groups.by(PLACES), draws=40, rng=np.random.default_rng(9)
    )
    ((people, sites),) = two_way_counts(PEOPLE, SITES, draws=40, rng=np.random.default_rng(9))
    assert found.shape == (40, 2)
    for draw in range(40):
        for metric in range(2):
            expected = one_draw(given, values[metric], cells, people[draw], sites[draw])
            assert found[draw, metric] == pytest.approx(expected, abs=1e-9)


def test_observed_correlations_have_every_vote_once() -> None:
    given, values = scores(share=0.5), metrics()
    found = observed_correlations(ballot(given), values, cells=Groups.by(PLACES))
    for metric in range(2):
        expected = one_draw(given, values[metric], PLACES, np.ones(PEOPLE), np.ones(SITES))
        assert found[metric] == pytest.approx(expected, abs=1e-9)


def test_blocks_do_not_change_the_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    def drawn() -> np.ndarray:
        return redrawn_correlations(
            ballot(scores(share=0.5)), metrics(), cells=Groups.by(PLACES), units=Groups.by(PLACES), draws=10,
            rng=np.random.default_rng(1),
        )  # fmt: skip

    whole = drawn()
    monkeypatch.setattr("eyelevel_stats.agreement.redrawn.BLOCK", 3 * CLIPS)
    np.testing.assert_allclose(drawn(), whole)


def test_weighted_ranks_are_scipys_of_repeated_values() -> None:
    values = np.array([[3.0, 1, 1, 2, 5], [0, 0, 0, 0, 1]])
    weights = np.array([[2.0, 1, 3, 0, 1], [1, 2, 0, 1, 1]])
    found = weighted_ranks(values, weights)
    for row in range(2):
        counts = weights[row].astype(int)
        expected = stats.rankdata(np.repeat(values[row], counts))
        np.testing.assert_allclose(np.repeat(found[row], counts) + 0.5, expected)


def test_points_that_do_not_vary_have_no_correlation() -> None:
    same, other, weights = np.full((1, 5), 0.1), np.arange(5.0)[None, :], np.full((1, 5), 3.0)
    assert rank_correlations(same, other, weights)[0] == 0
    assert rank_correlations(other, other, weights)[0] == pytest.approx(1)
    assert rank_correlations(other, other, np.zeros((1, 5)))[0] == 0
