"""How a simulated person sees and answers; all randomness comes in.

Satisfaction falls with the logarithm of waiting (Weber and Fechner; for web pages ITU-T G.1030 annex A and S. Egger,
P. Reichl, T. Hossfeld, R. Schatz, "Time is bandwidth"?, ICC 2012). The constants on the seven-point scale are ours:
a page with a Speed Index of 1 s is good to excellent, and each doubling costs 0.9 points.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log, log2
from random import Random
from typing import Any, Literal

SCORE_AT_1_S = 5.6
POINTS_PER_DOUBLING = 0.9
# faster than this is at once, for everybody
AT_ONCE_MS = 100.0

BIAS_SD = 0.6
NOISE_SD = 0.6
# a difference in Speed Index of a quarter is what half of the people just notice
JUST_NOTICEABLE = 0.25
COMPARE_NOISE_SD = 0.5

LAPTOP_PX = (1440, 900)
PHONE_PX = (390, 844)
PHONE_SHARE = 0.15

Choice = Literal["left", "right", "none"]


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


def score(si_ms: float | None, who: Person, draw: Random) -> int:
    """1 (extremely bad) to 7 (ideal) for a film with this Speed Index; None, a page that never showed, is a 1."""
    if si_ms is None:
        return 1
    seen = SCORE_AT_1_S - POINTS_PER_DOUBLING * log2(max(si_ms, AT_ONCE_MS) / 1000)
    return min(7, max(1, round(seen + who.bias + draw.gauss(0, who.noise_sd))))


def compare(left_si_ms: float | None, right_si_ms: float | None, who: Person, draw: Random) -> tuple[Choice, int]:
    """Which side was faster and how sure, 1 to 5; a page that never showed loses against one that did."""
    if left_si_ms is None or right_si_ms is None:
        if left_si_ms is right_si_ms:
            return "none", 5
        return ("right" if left_si_ms is None else "left"), 5
    ratio = max(left_si_ms, AT_ONCE_MS) / max(right_si_ms, AT_ONCE_MS)
    # in just noticeable differences; above 0 the right side was faster
    seen = log(ratio) / log(1 + JUST_NOTICEABLE) + draw.gauss(0, COMPARE_NOISE_SD * who.noise_sd / NOISE_SD)
    sureness = min(5, 1 + int(2 * abs(abs(seen) - 1)))
    if abs(seen) < 1:
        return "none", sureness
    return ("right" if seen > 0 else "left"), sureness


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
