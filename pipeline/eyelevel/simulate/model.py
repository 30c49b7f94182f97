"""Who a simulated person is, and how they behave; all randomness comes in. What they answer is each kind's to say."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from random import Random
from typing import Any

BIAS_SD = 0.6
NOISE_SD = 0.6

LAPTOP_PX = (1440, 900)
PHONE_PX = (390, 844)
PHONE_SHARE = 0.15


@dataclass(frozen=True)
class Person:
    """What stays the same in one simulated person: bias in points, and how noisy their answers are."""

    bias: float
    noise_sd: float
    screen_px: tuple[int, int]


def person(draw: Random) -> Person:
    return Person(
        bias=draw.gauss(0, BIAS_SD),
        noise_sd=NOISE_SD * draw.uniform(0.5, 1.5),
        screen_px=PHONE_PX if draw.random() < PHONE_SHARE else LAPTOP_PX,
    )


def answer_ms(draw: Random) -> float:
    """From the film's end to the answer: 3 s at the median, never under half a second."""
    return round(max(500.0, draw.lognormvariate(log(3000), 0.5)), 1)


def answers(questions: Sequence[Mapping[str, Any]], draw: Random) -> dict[str, str]:
    """One choice for every question about the person; a question that may be left out is, one time in five."""
    return {
        question["key"]: draw.choice(question["choices"])["key"]
        for question in questions
        if question["required"] or draw.random() >= 0.2
    }
