"""A mean opinion score counts people, knows its spread, and equals what others compute from the same votes."""

import csv
import os
import random
from collections import defaultdict
from pathlib import Path
from statistics import fmean, stdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from eyelevel_stats.opinion import Opinion, opinions, opinions_of_codes

SHARED = Path(os.environ.get("EYELEVEL_SHARED", Path(__file__).resolve().parents[4] / "shared"))
NETFLIX = SHARED / "oracles" / "ratings" / "nflx_public_raw.csv"


def of_one_group(votes: list[tuple[str, float]]) -> Opinion:
    return opinions(["page"] * len(votes), [who for who, _ in votes], [score for _, score in votes])["page"]


def test_five_participants() -> None:
    found = of_one_group([("ann", 5), ("ben", 6), ("cem", 7), ("dea", 4), ("eve", 3)])
    assert (found.n, found.votes, found.mos) == (5, 5, 5.0)
    # sd sqrt(2.5), half width 2.776445 * sqrt(2.5) / sqrt(5)
    assert found.sd == pytest.approx(1.581139, abs=1e-6)
    assert (found.ci_low, found.ci_high) == pytest.approx((3.036757, 6.963243), abs=1e-6)


def test_votes_of_one_participant_are_averaged_first() -> None:
    found = of_one_group([("ann", 1), ("ann", 2), ("ann", 3), ("ben", 6)])
    assert (found.n, found.votes, found.mos) == (2, 4, 4.0)
    assert found.sd == pytest.approx(2.828427, abs=1e-6)


def test_one_vote_has_a_mean_and_no_spread() -> None:
    assert of_one_group([("ann", 5)]) == Opinion(n=1, votes=1, mos=5.0, sd=None, ci_low=None, ci_high=None)


def test_many_votes_of_one_participant_have_no_spread() -> None:
    assert of_one_group([("ann", 5), ("ann", 7)]) == Opinion(1, 2, 6.0, None, None, None)


def test_constant_votes_have_an_interval_of_width_zero() -> None:
    assert of_one_group([("ann", 4), ("ben", 4), ("cem", 4)]) == Opinion(3, 3, 4.0, 0.0, 4.0, 4.0)


def test_an_interval_ends_where_the_scale_does() -> None:
    votes = ["ann", "ben"], [5.0, 6.0]
    # half width 12.7062 * sqrt(0.5) / sqrt(2): two votes say next to nothing
    free = opinions(["x", "x"], *votes)["x"]
    assert (free.ci_low, free.ci_high) == pytest.approx((-0.853102, 11.853102), abs=1e-6)
    cut = opinions(["x", "x"], *votes, scale=(1, 7))["x"]
    assert (cut.mos, cut.sd, cut.ci_low, cut.ci_high) == (5.5, free.sd, 1.0, 7.0)
    # only the end that reaches beyond is cut
    high = opinions(["x"] * 5, list("abcde"), [7, 7, 7, 6, 7], scale=(1, 7))["x"]
    assert high.ci_low == pytest.approx(6.244711, abs=1e-6)
    assert high.ci_high == 7.0


def test_a_score_beyond_its_scale_is_refused() -> None:
    with pytest.raises(ValueError, match="Scores are 0 to 5, but their scale is 1 to 7"):
        opinions(["x", "x"], ["ann", "ben"], [0, 5], scale=(1, 7))


@pytest.mark.parametrize("people", [2, 5])
def test_a_cut_interval_holds_the_true_mean_as_often(people: int) -> None:
    """Scores of 1 to 7 from a known distribution with most mass at one end, 4000 samples at once."""
    draw = random.Random(people)
    scores, weights = range(1, 8), [30, 20, 20, 10, 10, 5, 5]
    true = sum(score * weight for score, weight in zip(scores, weights, strict=True)) / 100
    groups = [sample for sample in range(4000) for _ in range(people)]
    persons = list(range(people)) * 4000
    given = draw.choices(scores, weights, k=len(groups))

    def holds(scale: tuple[float, float] | None) -> set[int]:
        found = opinions(groups, persons, given, scale=scale)
        return {
            sample for sample, estimate in found.items() if (estimate.ci_low or 0) <= true <= (estimate.ci_high or 0)
        }

    assert holds((1, 7)) == holds(None)
    assert 2000 < len(holds(None)) < 4000


def test_no_votes_have_no_opinion() -> None:
    assert opinions([], [], []) == {}


def test_groups_do_not_mix() -> None:
    found = opinions(["x", "y", "x", "y"], ["ann", "ann", "ben", "ben"], [1, 7, 3, 7])
    assert [(group, estimate.n, estimate.mos) for group, estimate in found.items()] == [("x", 2, 2.0), ("y", 2, 7.0)]


def test_an_unknown_score_is_refused() -> None:
    with pytest.raises(ValueError, match="leave unknown scores out"):
        opinions(["x"], ["ann"], [float("nan")])


def test_columns_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match="Columns differ in length: 1, 2, 1"):
        opinions(["x"], ["ann", "ben"], [1])


def test_codes_in_arrays_give_the_same_as_names_and_none_for_a_group_without_votes() -> None:
    group, person = np.array([2, 0, 2, 0, 2]), np.array([0, 0, 1, 1, 0])
    found = opinions_of_codes(group, person, np.array([1.0, 7, 3, 7, 2]), groups=3, people=2, scale=(1, 7))
    named = opinions(list("cacac"), list("xxyyx"), [1, 7, 3, 7, 2], scale=(1, 7))
    assert found == (named["a"], None, named["c"])
    assert named["c"].mos == 2.25
    assert opinions_of_codes(group[:0], person[:0], np.array([]), groups=2, people=0) == (None, None)


votes = st.lists(st.tuples(st.sampled_from("abcdefgh"), st.integers(1, 7)), min_size=1, max_size=60)


@given(votes=votes)
def test_plain_python_gives_the_same(votes: list[tuple[str, float]]) -> None:
    by_person: defaultdict[str, list[float]] = defaultdict(list)
    for who, score in votes:
        by_person[who].append(score)
    means = [fmean(scores) for scores in by_person.values()]
    found = of_one_group(votes)
    assert found.n == len(by_person)
    assert found.mos == pytest.approx(fmean(means))
    if len(means) >= 2:
        assert found.sd == pytest.approx(stdev(means), abs=1e-9)
        half = stats.t.ppf(0.975, len(means) - 1) * stdev(means) / len(means) ** 0.5
        assert found.ci_high == pytest.approx(fmean(means) + half)


@given(votes=votes, seed=st.randoms())
def test_the_order_of_votes_does_not_matter(votes: list[tuple[str, float]], seed: random.Random) -> None:
    shuffled = list(votes)
    seed.shuffle(shuffled)
    in_order, reordered = of_one_group(votes), of_one_group(shuffled)
    assert in_order.n == reordered.n
    assert in_order.mos == pytest.approx(reordered.mos)


@pytest.mark.skipif(not NETFLIX.exists(), reason="the oracle ratings are not there: set EYELEVEL_SHARED")
def test_mos_of_the_netflix_ratings_is_the_published_one() -> None:
    with NETFLIX.open(newline="") as file:
        rows = list(csv.DictReader(file))
    found = opinions(
        [int(row["stimulus"]) for row in rows], [row["subject"] for row in rows], [float(row["score"]) for row in rows]
    )
    assert len(found) == 79
    assert found[0].mos == pytest.approx(4.884615384615385, abs=1e-12)
    assert found[10].mos == pytest.approx(2.076923076923077, abs=1e-12)
    assert fmean(estimate.mos for estimate in found.values()) == pytest.approx(3.54479065238559, abs=1e-12)
    assert {estimate.n for estimate in found.values()} == {26}
