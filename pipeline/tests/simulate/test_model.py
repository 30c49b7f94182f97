"""Simulated people differ, think before they answer, and answer what they must."""

from collections import Counter
from random import Random

import pytest

from eyelevel.simulate import model
from eyelevel.simulate.session import Choice, Question


def people(count: int) -> list[tuple[model.Person, Random]]:
    draws = [Random(f"test/{number}") for number in range(count)]
    return [(model.person(draw), draw) for draw in draws]


def test_required_questions_are_always_answered_and_others_sometimes() -> None:
    choices = (Choice("a", {}), Choice("b", {}))
    questions = [Question("age", {}, choices, required=True), Question("job", {}, choices, required=False)]
    given_answers = [model.answers(questions, Random(seed)) for seed in range(60)]
    assert all(found["age"] in {"a", "b"} for found in given_answers)
    assert {"job" in found for found in given_answers} == {True, False}


def test_nobody_answers_within_half_a_second() -> None:
    assert min(model.answer_ms(Random(seed)) for seed in range(30_000)) == 500.0


def test_some_people_come_with_a_phone() -> None:
    share = Counter(who.screen_px for who, _ in people(2000))[model.PHONE_PX] / 2000
    assert share == pytest.approx(model.PHONE_SHARE, abs=0.03)


def test_nobody_is_careless_unless_asked_for_and_then_as_often_as_said() -> None:
    assert not any(who.faults for who, _ in people(500))
    draws = [Random(f"careless/{number}") for number in range(2000)]
    crowd = [model.person(draw, careless=0.25) for draw in draws]
    assert sum(bool(who.faults) for who in crowd) / 2000 == pytest.approx(0.25, abs=0.03)
    assert {fault for who in crowd for fault in who.faults} == set(model.FAULTS)
    assert {len(who.faults) for who in crowd} == {0, 1, 2}


@pytest.mark.parametrize(
    ("label", "right", "expected"),
    [
        ("Please choose blue.", None, "blue"),
        ("Please choose light blue.", None, "light"),
        ("Which page was it?", None, "red"),
        ("Which page was it?", "blue", "blue"),
    ],
)
def test_a_control_question_is_answered_by_its_own_words(label: str, right: str | None, expected: str) -> None:
    names = {"red": "Red", "blue": "Blue", "light": "Light blue"}
    choices = tuple(Choice(key, {"en": name}) for key, name in names.items())
    question = Question("attention", {"en": label}, choices)
    reader, skimmer = (
        model.Person(bias=0.0, noise_sd=0.0, screen_px=model.LAPTOP_PX, faults=faults)
        for faults in (frozenset[model.Fault](), frozenset[model.Fault](["skims"]))
    )
    assert model.control_choice(question, reader, Random(1), language="de", right=right) == expected
    taken = {model.control_choice(question, skimmer, Random(n), language="de", right=right) for n in range(40)}
    assert taken == set(names) - {expected}
