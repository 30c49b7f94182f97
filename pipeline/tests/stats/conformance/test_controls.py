"""R5 to R7: the session's length, and what has a right answer."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from eyelevel_kinds import KINDS
from eyelevel_stats.conformance import Trial

from .people import NOON, control, design, finding, person, question, trial

LEFT_IS_RIGHT = (0.0, 6000.0)


@pytest.mark.parametrize(
    ("took", "broken", "reason"),
    [
        (timedelta(minutes=90), "no", "took 90 minutes, at most 90 allowed"),
        (timedelta(minutes=90, milliseconds=1), "yes", "took 90 minutes, at most 90 allowed"),
        (timedelta(minutes=97, seconds=30), "yes", "took 97.5 minutes, at most 90 allowed"),
    ],
)
def test_r5_is_the_time_from_consent_to_code(took: timedelta, broken: str, reason: str) -> None:
    found = finding("R5", person(completed_at=NOON + took))
    assert (found.broken, found.reason) == (broken, reason)


def test_r6_cannot_tell_of_a_control_video_that_was_skipped() -> None:
    right = control(4, choice("left"), *LEFT_IS_RIGHT)
    for answered, of in (((), 1), ((right,), 2)):
        found = finding("R6", replace(person(), trials=answered, skipped_controls=1))
        assert (found.broken, found.unknown) == ("unknown", 1)
        assert found.reason == f"0 of {of} control videos wrong, at most 0 allowed"


def choice(which: str) -> dict[str, Any]:
    return {"choice": which, "sureness": 3}


@pytest.mark.parametrize(
    ("planted", "broken"),
    [
        (control(4, choice("left"), *LEFT_IS_RIGHT), "no"),
        (control(4, choice("right"), *LEFT_IS_RIGHT), "yes"),
        (control(4, choice("none"), *LEFT_IS_RIGHT), "yes"),
        (control(4, choice("right"), 6000.0, 0.0), "no"),
        (control(4, choice("left"), 6000.0, 0.0), "yes"),
        (control(4, choice("left"), 2000.0, 8000.0), "no"),
        (control(4, choice("left"), 6000.0, 6000.0), "unknown"),
        (control(4, choice("left")), "unknown"),
        (control(4, {"score": 3}, 6000.0), "no"),
        (control(4, {"score": 4}, 6000.0), "yes"),
        (control(4, {"score": 4}), "unknown"),
        (control(4, {"score": 7}, 6000.0, 0.0), "unknown"),
        (replace(control(4, {"score": 7}, 6000.0), kind="of a later platform"), "unknown"),
        # only controls have a right answer
        (trial(4, data={"score": 7}), "no"),
    ],
)
def test_r6_knows_what_a_control_video_deserves(planted: Trial, broken: str) -> None:
    found = finding("R6", person(planted))
    assert (found.broken, found.trials) == (broken, (4,) if broken == "yes" else ())


def test_r6_gives_its_figures() -> None:
    compared = finding("R6", person(control(4, choice("none"), *LEFT_IS_RIGHT), control(9, {"score": 5}, 6000.0)))
    assert compared.reason == (
        "2 of 2 control videos wrong, at most 0 allowed; trial 4: answered none, but the right side was delayed by "
        "6 s; trial 9: answered 5, but the video was delayed by 6 s, so at most 3 of 7 is right"
    )


def test_r6_asks_each_kind_what_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def right(data: Any, delays_ms: Any, max_score: float) -> bool:
        asked.append((data, delays_ms, max_score))
        return False

    slower = replace(KINDS["rate"], name="slower", right=right)
    monkeypatch.setitem(KINDS, "slower", slower)
    planted = replace(control(4, {"score": 1}, 6000.0), kind="slower")
    assert finding("R6", person(planted)).broken == "yes"
    assert asked == [({"score": 1}, (6000.0,), 3)]


def test_r6_allows_as_many_as_the_study_does() -> None:
    wrong, right = control(4, choice("right"), *LEFT_IS_RIGHT), control(5, choice("left"), *LEFT_IS_RIGHT)
    lenient = design("R6", wrong_at_most=1)
    assert finding("R6", person(wrong, right), lenient).broken == "no"
    assert finding("R6", person(wrong, right, control(6, choice("none"), *LEFT_IS_RIGHT)), lenient).broken == "yes"
    # the third cannot be judged, and would decide
    third = control(6, choice("left"))
    assert finding("R6", person(wrong, right, third), lenient).broken == "unknown"
    assert finding("R6", person(right, third), lenient).broken == "no"


@pytest.mark.parametrize(
    ("choices", "wrong_at_most", "broken", "unknown"),
    [
        (["red"], 0, "no", 0),
        (["blue"], 0, "yes", 0),
        (["blue", "red"], 1, "no", 0),
        (["blue", "blue"], 1, "yes", 0),
        ([None], 0, "unknown", 1),
        ([None, "red"], 1, "no", 1),
        ([None, "blue"], 0, "yes", 1),
        ([], 0, "no", 0),
    ],
)
def test_r7_counts_wrong_choices(choices: list[str | None], wrong_at_most: int, broken: str, unknown: int) -> None:
    questions = tuple(question(taken, key=f"q{number}") for number, taken in enumerate(choices))
    found = finding("R7", person(questions=questions), design("R7", wrong_at_most=wrong_at_most))
    assert (found.broken, found.unknown) == (broken, unknown)


def test_r7_names_the_question_and_both_choices() -> None:
    found = finding("R7", person(questions=(question("blue"), question("red", key="colour"))))
    assert (
        found.reason
        == "1 of 2 control questions wrong, at most 0 allowed; attention: answered blue, the right answer is red"
    )
