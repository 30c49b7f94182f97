"""Answers to a study's hypotheses that may be shown: of planned looks during data collection, of all votes after it."""

from dataclasses import dataclass
from typing import Any

from analysis.models import Result, ResultOrigin
from analysis.origins import of_origin

Row = dict[str, Any]


@dataclass(frozen=True)
class Answers:
    """Rows of hypotheses.csv and effects.csv. `look`: the planned look of the answers, or None for all votes."""

    look: int | None
    hypotheses: list[Row]
    effects: list[Row]


def looks_reached(result: Result) -> list[Row]:
    """The planned looks that the number of people's used sessions has reached; simulated sessions do not count."""
    people = of_origin(result, ResultOrigin.PERSON)
    looks = [] if people is None else people.tables.get("looks", [])
    return [look for look in looks if not look["is_final"]]


def answers_of(result: Result, *, collecting: bool) -> Answers:
    """The answers that may be shown.

    During data collection these are the answers of the last planned look reached, because any other look would be a
    further test (definition E7). A result with simulated sessions has no answers during that time.
    """
    if not collecting:
        return Answers(None, result.tables["hypotheses"], result.tables["effects"])
    reached = looks_reached(result)
    if not reached or result.origin == ResultOrigin.ALL:
        return Answers(None, [], [])
    return Answers(reached[-1]["number"], reached[-1]["hypotheses"], reached[-1]["effects"])
