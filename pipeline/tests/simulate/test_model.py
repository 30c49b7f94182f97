"""Simulated people differ, think before they answer, and answer what they must."""

from collections import Counter
from random import Random

import pytest

from eyelevel.simulate import model


def people(count: int) -> list[tuple[model.Person, Random]]:
    draws = [Random(f"test/{number}") for number in range(count)]
    return [(model.person(draw), draw) for draw in draws]


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
