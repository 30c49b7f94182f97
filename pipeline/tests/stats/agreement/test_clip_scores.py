"""MOS of clips and its noise: participants count once, and a single score borrows the other clips' variance."""

import numpy as np
import pytest
from scipy import stats

from eyelevel_stats.agreement.clip_scores import ClipScore, ClipVote, clip_scores, score_half_widths, score_noise


def vote(participant: str, stimulus: str, score: float, *, site: str = "garden", network: str = "DSL") -> ClipVote:
    return ClipVote(participant, stimulus, site, network, score)


def test_a_clips_mos_and_variance_are_over_participants_in_order_of_stimuli() -> None:
    votes = [vote("ann", "b", 2), vote("ben", "b", 4), vote("cem", "b", 6), vote("ann", "a", 5, site="shop")]
    assert clip_scores(votes) == (
        ClipScore("a", "shop", "DSL", 1, 5.0, None),
        ClipScore("b", "garden", "DSL", 3, 4.0, 4.0),
    )


def test_several_votes_of_one_participant_count_as_their_mean() -> None:
    (clip,) = clip_scores([vote("ann", "a", 1), vote("ann", "a", 2), vote("ben", "a", 4.5)])
    assert (clip.n, clip.mos, clip.variance) == (2, 3.0, 4.5)


def test_no_votes_give_no_clips() -> None:
    assert clip_scores([]) == ()


@pytest.mark.parametrize("other", [{"site": "shop"}, {"network": "LTE"}])
def test_a_stimulus_of_two_places_is_refused(other: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="Stimulus a has votes of"):
        clip_scores([vote("ann", "a", 1), vote("ben", "a", 1, **other)])


def test_a_score_that_is_not_finite_is_refused() -> None:
    with pytest.raises(ValueError, match="leave unknown scores out"):
        clip_scores([vote("ann", "a", float("nan"))])


CLIPS = [
    ClipScore("a", "garden", "DSL", 4, 3.0, 2.0),
    ClipScore("b", "garden", "DSL", 2, 4.0, 0.5),
    ClipScore("c", "garden", "DSL", 1, 5.0, None),
]
# (3 * 2 + 1 * 0.5) / 4
POOLED = 1.625


def test_noise_is_variance_over_n_and_a_single_score_takes_the_pooled_variance() -> None:
    assert score_noise(CLIPS) == pytest.approx(np.array([0.5, 0.25, POOLED]))


def test_half_widths_are_students_with_the_degrees_of_freedom_of_the_variance() -> None:
    expected = [
        stats.t.ppf(0.975, 3) * np.sqrt(2 / 4),
        stats.t.ppf(0.975, 1) * np.sqrt(0.5 / 2),
        stats.t.ppf(0.975, 4) * np.sqrt(POOLED),
    ]
    assert score_half_widths(CLIPS) == pytest.approx(np.array(expected))


def test_clips_with_one_score_each_have_unknown_noise() -> None:
    assert score_noise(CLIPS[2:]) is None
    assert score_half_widths(CLIPS[2:]) is None
