"""Model of simulated participants: traits and behaviour, from a random generator; answers come from the kinds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from random import Random
from typing import Literal

from eyelevel.simulate.session import Question

BIAS_SD = 0.6
NOISE_SD = 0.6

LAPTOP_PX = (1440, 900)
PHONE_PX = (390, 844)
PHONE_DEVICE_PIXEL_RATIO = 3.0
PHONE_SHARE = 0.15

# behaviour of a careless person, with the rule of conformance that it breaks; the time limit (R5) is not simulated,
# because a program would have to wait an hour and a half
Fault = Literal["leaves", "rushes", "guesses", "skims"]
FAULTS: dict[Fault, str] = {"leaves": "R3", "rushes": "R4", "guesses": "R6", "skims": "R7"}


@dataclass(frozen=True)
class Person:
    """The traits of a simulated person: bias in points, noise of answers, screen, and faults."""

    bias: float
    noise_sd: float
    screen_px: tuple[int, int]
    device_pixel_ratio: float = 1.0
    faults: frozenset[Fault] = frozenset()


def person(draw: Random, *, careless: float = 0.0) -> Person:
    """Draws a person, who is careless with this probability, and then has one or two faults."""
    bias, noise_sd = draw.gauss(0, BIAS_SD), NOISE_SD * draw.uniform(0.5, 1.5)
    on_phone = draw.random() < PHONE_SHARE
    return Person(
        bias=bias,
        noise_sd=noise_sd,
        screen_px=PHONE_PX if on_phone else LAPTOP_PX,
        device_pixel_ratio=PHONE_DEVICE_PIXEL_RATIO if on_phone else 1.0,
        faults=frozenset(draw.sample(list(FAULTS), draw.randint(1, 2))) if draw.random() < careless else frozenset(),
    )


# on the page of instructions, and on one with a question
READING_S = 10.0
QUESTION_S = 3.0


def answer_ms(draw: Random) -> float:
    """Draws the time from the film's end to the answer: a median of 3 s, and at least half a second."""
    return round(max(500.0, draw.lognormvariate(log(3000), 0.5)), 1)


def away_ms(draw: Random) -> float:
    """Draws the time for which a person leaves the page in a trial."""
    return round(draw.uniform(12_000, 90_000), 1)


def guessed_si_ms(draw: Random) -> float:
    """Draws a random Speed Index, on which a person who guesses bases the answer."""
    return draw.lognormvariate(log(2000), 1.0)


def answers(questions: Sequence[Question], draw: Random) -> dict[str, str]:
    """Draws a choice for every question about the person; one in five optional questions is left out."""
    return {
        question.key: draw.choice(question.choices).key
        for question in questions
        if question.required or draw.random() >= 0.2
    }


def control_choice(question: Question, who: Person, draw: Random, *, language: str, right: str | None = None) -> str:
    """Returns the choice in a control question: the right one, or a wrong one for a person who skims."""
    meant = right or named_choice(question, language) or first_choice(question)
    if "skims" not in who.faults:
        return meant
    return draw.choice([choice.key for choice in question.choices if choice.key != meant])


def named_choice(question: Question, language: str) -> str | None:
    """Returns the choice whose label is in a control question's text ("please choose blue"); None if there is none.

    If it contains several labels, such as "blue" and "light blue", the longest one counts.
    """
    text = _text(question.label, language).casefold()
    labels = {choice.key: _text(choice.label, language).casefold() for choice in question.choices}
    named = [key for key, label in labels.items() if label in text]
    return max(named, key=lambda key: len(labels[key]), default=None)


def first_choice(question: Question) -> str:
    """Returns the choice that counts as right if a control question names none."""
    return question.choices[0].key


def _text(texts: Mapping[str, str], language: str) -> str:
    return texts.get(language) or next(iter(texts.values()))
