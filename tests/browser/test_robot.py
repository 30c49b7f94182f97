"""Tests that a session can be completed by reading accessible names alone."""

import random

import pytest
from platform_process import Platform

from .conftest import NewContext, Publish
from .export import exported_votes
from .robot import Robot, StuckError

pytestmark = [pytest.mark.browser, pytest.mark.services]

FASTER = "Which website loaded faster for you?"
SATISFYING = "How satisfying was the speed of the loading process to you?"
SURE = "How sure are you?"
SIDES = {"Left": "left", "Right": "right", "I see no difference": "none"}
# takes from every radio group the words that say what is asked
MUTE = """new MutationObserver(() => {
  for (const group of document.querySelectorAll('[role=radiogroup]')) group.removeAttribute('aria-labelledby');
}).observe(document, {subtree: true, childList: true})"""


def test_a_robot_that_only_reads_pages_comes_to_its_code(
    platform: Platform, publish: Publish, new_context: NewContext
) -> None:
    study = publish("robot", rate=2, compare=2, slider=1, training=1, controls=True)
    robot = Robot(new_context().new_page(), random.Random(4))
    code = robot.walk(study["link"])
    assert len(code) >= 6
    assert robot.answers[0][0] == "What is your gender?"
    assert "Websites while they load" in [answer for _, answer in robot.answers]
    assert robot.pressed.count("Start video") == 6
    assert robot.headings[-1] != robot.headings[0]

    votes = sorted(exported_votes(platform, study, at_least=6), key=lambda vote: int(vote["position"]))
    answers = [answer for question, answer in robot.answers if question in (FASTER, SATISFYING)]
    assert len(votes) == len(answers) == 6
    kinds = [vote["trial_kind"] for vote in votes]
    assert sorted(kinds) == ["compare", "compare", "rate", "rate", "rate", "slider"]
    assert [vote["choice"] for vote in votes if vote["choice"]] == [
        SIDES[answer] for answer in answers if answer in SIDES
    ]
    assert [float(vote["value"]) for vote in votes if vote["value"]] == [
        float(answer) for answer in answers if answer.replace(".", "").isdigit()
    ]
    assert sum(question == SURE for question, _ in robot.answers) == kinds.count("compare")


def test_a_question_without_words_stops_it(publish: Publish, new_context: NewContext) -> None:
    study = publish("mute", rate=1, compare=1)
    context = new_context()
    context.add_init_script(MUTE)
    robot = Robot(context.new_page(), random.Random(4))
    with pytest.raises(StuckError, match="something without a name: - radiogroup"):
        robot.walk(study["link"])
