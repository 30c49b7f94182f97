"""A simulated person prefers what loads faster, as far as they can see it, and uses every answer of a kind."""

from collections import Counter
from dataclasses import dataclass
from math import log2
from random import Random
from statistics import fmean
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyelevel_kinds import KINDS
from eyelevel_kinds.scale import POINTS_PER_DOUBLING


@dataclass(frozen=True)
class Somebody:
    bias: float = 0.0
    noise_sd: float = 0.0


CALM = Somebody()


def crowd(count: int) -> list[tuple[Somebody, Random]]:
    draws = [Random(f"test/{number}") for number in range(count)]
    return [(Somebody(bias=draw.gauss(0, 0.6), noise_sd=0.6 * draw.uniform(0.5, 1.5)), draw) for draw in draws]


def rate(si_ms: float | None, who: Somebody, draw: Random) -> int:
    return int(KINDS["rate"].simulate([si_ms], who, draw)["score"])


def compare(left: float | None, right: float | None, who: Somebody, draw: Random) -> dict[str, Any]:
    return KINDS["compare"].simulate([left, right], who, draw)


@pytest.mark.parametrize(
    ("si_ms", "expected"), [(100, 7), (500, 7), (1000, 6), (3000, 4), (8000, 2), (60000, 1), (None, 1)]
)
def test_a_calm_person_scores_by_the_logarithm_of_si(si_ms: float | None, expected: int) -> None:
    assert rate(si_ms, CALM, Random(1)) == expected


def test_the_crowds_mean_falls_by_the_models_slope() -> None:
    people = crowd(4000)
    means = [fmean(rate(si_ms, who, draw) for who, draw in people) for si_ms in (1000, 4000)]
    assert (means[0] - means[1]) / log2(4) == pytest.approx(POINTS_PER_DOUBLING, abs=0.1)


def test_nearly_everybody_finds_a_page_bad_that_was_held_back_by_six_seconds() -> None:
    right = [KINDS["rate"].right({"score": rate(7000.0, who, draw)}, [6000.0], 3) for who, draw in crowd(2000)]
    assert fmean(right) > 0.85


def test_a_crowd_uses_every_score_and_every_choice() -> None:
    people = crowd(300)
    assert {rate(si_ms, who, draw) for who, draw in people for si_ms in (150, 1000, 9000, 40000)} == set(range(1, 8))
    answers = [compare(1000, right, who, draw) for who, draw in people for right in (700, 1000, 1500)]
    assert set(Counter(answer["choice"] for answer in answers)) == {"left", "right", "none"}
    assert {answer["sureness"] for answer in answers} == {1, 2, 3, 4, 5}


@pytest.mark.parametrize(
    ("left", "right", "choice"),
    [
        (1000, 2000, "left"),
        (2000, 1000, "right"),
        (1000, 1100, "none"),
        (50, 90, "none"),
        (None, 5000, "right"),
        (5000, None, "left"),
        (None, None, "none"),
    ],
)
def test_a_calm_person_chooses_the_faster_side_beyond_a_noticeable_difference(
    left: float | None, right: float | None, choice: str
) -> None:
    assert compare(left, right, CALM, Random(1))["choice"] == choice


def test_slider_and_rating_tell_the_same() -> None:
    for si_ms in (150.0, 1000.0, 3000.0, 60000.0):
        value = float(KINDS["slider"].simulate([si_ms], CALM, Random(1))["value"])
        assert round(1 + value * 6 / 100) == rate(si_ms, CALM, Random(1))


@given(a=st.floats(1, 1e6), b=st.floats(1, 1e6), seed=st.integers(0, 1000))
def test_less_waiting_never_scores_worse_with_the_same_dice(a: float, b: float, seed: int) -> None:
    ((who, _),) = crowd(1)
    fast, slow = (rate(si_ms, who, Random(seed)) for si_ms in sorted((a, b)))
    assert 7 >= fast >= slow >= 1


@pytest.mark.parametrize("name", KINDS)
def test_what_is_simulated_is_valid(name: str) -> None:
    kind = KINDS[name]
    sights: list[list[float | None]] = [[150.0, 9000.0], [None, 1000.0], [1000.0, None], [None, None], [60000.0, 1.0]]
    films = 2 if kind.clip_kind == "pair" else 1
    for who, draw in crowd(50):
        for sight in sights:
            data = kind.simulate(sight[:films], who, draw)
            assert kind.validate(data) == data
