"""A simulated person prefers what loads faster, as far as they can see it, and uses the whole scale."""

from collections import Counter
from math import log2
from random import Random
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyelevel.simulate import model

CALM = model.Person(bias=0.0, noise_sd=0.0, screen_px=model.LAPTOP_PX)


def people(count: int) -> list[tuple[model.Person, Random]]:
    draws = [Random(f"test/{number}") for number in range(count)]
    return [(model.person(draw), draw) for draw in draws]


@pytest.mark.parametrize(
    ("si_ms", "expected"), [(100, 7), (500, 6), (1000, 6), (2000, 5), (8000, 3), (60000, 1), (None, 1)]
)
def test_a_calm_person_scores_by_the_logarithm_of_si(si_ms: float | None, expected: int) -> None:
    assert model.score(si_ms, CALM, Random(1)) == expected


def test_the_crowds_mean_falls_by_the_models_slope() -> None:
    crowd = people(4000)
    means = [fmean(model.score(si_ms, who, draw) for who, draw in crowd) for si_ms in (1000, 4000)]
    assert (means[0] - means[1]) / log2(4) == pytest.approx(model.POINTS_PER_DOUBLING, abs=0.1)


def test_a_crowd_uses_every_score_and_every_choice() -> None:
    crowd = people(300)
    scores = {model.score(si_ms, who, draw) for who, draw in crowd for si_ms in (150, 1000, 9000, 40000)}
    assert scores == {1, 2, 3, 4, 5, 6, 7}
    answers = [model.compare(1000, right, who, draw) for who, draw in crowd for right in (700, 1000, 1500)]
    assert set(Counter(choice for choice, _ in answers)) == {"left", "right", "none"}
    assert {sureness for _, sureness in answers} == {1, 2, 3, 4, 5}


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
    assert model.compare(left, right, CALM, Random(1))[0] == choice


@given(a=st.floats(1, 1e6), b=st.floats(1, 1e6), seed=st.integers(0, 1000))
def test_less_waiting_never_scores_worse_with_the_same_dice(a: float, b: float, seed: int) -> None:
    who = model.person(Random(seed))
    fast, slow = (model.score(si_ms, who, Random(seed)) for si_ms in sorted((a, b)))
    assert 7 >= fast >= slow >= 1


def test_required_questions_are_always_answered_and_others_sometimes() -> None:
    choices = [{"key": "a"}, {"key": "b"}]
    questions = [
        {"key": "age", "required": True, "choices": choices},
        {"key": "job", "required": False, "choices": choices},
    ]
    given_answers = [model.answers(questions, Random(seed)) for seed in range(60)]
    assert all(found["age"] in {"a", "b"} for found in given_answers)
    assert {"job" in found for found in given_answers} == {True, False}


def test_nobody_answers_within_half_a_second() -> None:
    assert min(model.answer_ms(Random(seed)) for seed in range(30_000)) == 500.0


def test_some_people_come_with_a_phone() -> None:
    share = Counter(who.screen_px for who, _ in people(2000))[model.PHONE_PX] / 2000
    assert share == pytest.approx(model.PHONE_SHARE, abs=0.03)
