"""Rows of the votes about a clip."""

from dataclasses import dataclass


@dataclass(frozen=True)
class AnswerCount:
    """`answer` as an export writes it: a score, or left, right or none."""

    answer: str
    votes: int


@dataclass(frozen=True)
class ClipVotesRow:
    """The votes about a clip of one kind of trial in one role; n counts participants.

    `mean` with its 95 % interval (Student's t over participants, cut at the ends of the scale) is in the unit of the
    kind's scale; None where answers are words. `answers` has a row per answer of the scale, also where nobody gave it;
    it is empty where a scale has many.
    """

    kind: str
    role: str
    n: int
    votes: int
    mean: float | None
    ci_low: float | None
    ci_high: float | None
    answers: tuple[AnswerCount, ...]
