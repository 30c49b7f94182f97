"""Weights of the two-way bootstrap have the moments of their definition and agree with resampling by hand."""

import numpy as np
import pytest

from eyelevel_stats.bootstrap import percentile_interval, two_way_counts, two_way_weights, why_no_bootstrap
from eyelevel_stats.reasons import worded

SITES = [f"s{number}" for number in range(8)]
# each of three people rates every site, the first one twice
PEOPLE = ["ann", "ben", "cem"]
PARTICIPANTS = [person for person in PEOPLE for _ in SITES] + ["ann"] * 8
PLACES = SITES * 4


def drawn(*, draws: int = 2000, seed: int = 1) -> np.ndarray:
    return np.concatenate(list(two_way_weights(PARTICIPANTS, PLACES, draws=draws, rng=np.random.default_rng(seed))))


def test_each_draw_has_a_weight_for_each_vote() -> None:
    assert drawn(draws=7).shape == (7, 32)


def test_a_draw_takes_as_many_participants_and_sites_as_there_are() -> None:
    ((people, sites),) = two_way_counts(3, 8, draws=500, rng=np.random.default_rng(1))
    assert (people.sum(axis=1) == 3).all()
    assert (sites.sum(axis=1) == 8).all()
    assert set(np.unique(people)) == {0.0, 1.0, 2.0, 3.0}


def test_a_weight_is_the_product_of_its_participants_and_its_sites_count() -> None:
    weights = drawn(draws=50)
    ((people, sites),) = two_way_counts(3, 8, draws=50, rng=np.random.default_rng(1))
    for vote, (participant, place) in enumerate(zip(PARTICIPANTS, PLACES, strict=True)):
        np.testing.assert_array_equal(
            weights[:, vote], people[:, PEOPLE.index(participant)] * sites[:, SITES.index(place)]
        )


def test_weights_have_the_mean_and_variance_of_a_product_of_multinomial_counts() -> None:
    weights = drawn(draws=40_000)
    # a count has mean 1 and variance 1 - 1/n; E[product of squares] = (2 - 1/3)(2 - 1/8)
    assert weights.mean() == pytest.approx(1, abs=0.01)
    assert weights.var(axis=0) == pytest.approx(np.full(32, (2 - 1 / 3) * (2 - 1 / 8) - 1), abs=0.08)


def test_blocks_do_not_change_the_counts() -> None:
    whole = next(two_way_counts(5, 9, draws=30, rng=np.random.default_rng(4)))
    parts = list(two_way_counts(5, 9, draws=30, rng=np.random.default_rng(4), block=7))
    assert [len(people) for people, _ in parts] == [7, 7, 7, 7, 2]
    np.testing.assert_array_equal(whole[0], np.concatenate([people for people, _ in parts]))
    np.testing.assert_array_equal(whole[1], np.concatenate([sites for _, sites in parts]))


def test_the_same_seed_gives_the_same_weights_and_another_seed_others() -> None:
    np.testing.assert_array_equal(drawn(draws=20), drawn(draws=20))
    assert (drawn(draws=20) != drawn(draws=20, seed=2)).any()


def test_the_order_of_votes_does_not_matter() -> None:
    backwards = two_way_weights(PARTICIPANTS[::-1], PLACES[::-1], draws=20, rng=np.random.default_rng(1))
    np.testing.assert_array_equal(np.concatenate(list(backwards))[:, ::-1], drawn(draws=20))


@pytest.mark.parametrize(
    ("participants", "sites", "why"),
    [
        (2, 8, None),
        (1, 8, "too few participants: 1 of at least 2"),
        (9, 7, "too few sites: 7 of at least 8"),
    ],
)
def test_few_participants_or_sites_have_no_bootstrap(participants: int, sites: int, why: str | None) -> None:
    assert worded(why_no_bootstrap(participants=participants, sites=sites)) == why


def test_weights_of_too_few_sites_are_refused() -> None:
    with pytest.raises(ValueError, match="No bootstrap: too few sites: 2 of at least 8"):
        next(two_way_weights(["ann", "ben"], ["s1", "s2"], rng=np.random.default_rng(1)))


def test_columns_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match="Columns differ in length: 2, 1"):
        next(two_way_weights(["ann", "ben"], ["s1"], rng=np.random.default_rng(1)))


def test_the_interval_is_between_the_percentiles() -> None:
    found = percentile_interval(np.arange(1001.0))
    assert found is not None
    assert (found.low, found.high) == pytest.approx((25.0, 975.0))


@pytest.mark.parametrize(("units", "tail"), [(8, 0.0057375), (30, 0.0187539), (1_000_000, 0.025)])
def test_with_few_units_the_interval_is_between_further_percentiles(units: int, tail: float) -> None:
    found = percentile_interval(np.arange(1001.0), units=units)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((1000 * tail, 1000 * (1 - tail)), abs=1e-3)


def test_one_unit_has_no_percentiles() -> None:
    with pytest.raises(ValueError, match="needs at least two units; there is 1"):
        percentile_interval(np.arange(1001.0), units=1)


@pytest.mark.parametrize("estimates", [[], [1.0, float("nan")]])
def test_undefined_estimates_have_no_interval(estimates: list[float]) -> None:
    assert percentile_interval(np.array(estimates)) is None
