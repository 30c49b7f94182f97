"""The screening rules with a study's thresholds, and the consequence of breaking each."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# in the order of the funnel
RULES = ("R1", "R2", "R3", "R4", "R5", "R6", "R7")
# a study keeps the meaning that it was published with: version 1 let an answer from the start of a play end it (R1)
VERSIONS = (1, 2)


@dataclass(frozen=True)
class Consequence:
    """`use`: who breaks the rule is left out of analyses. `pay`: is paid all the same."""

    use: bool
    pay: bool


@dataclass(frozen=True)
class Rules:
    """A study's rules. `max_score` is None in a study without control videos."""

    version: int
    consequences: Mapping[str, Consequence]
    stall_ms: float
    away_ms: float
    tolerance_ms: float
    time_limit_minutes: float
    videos_wrong_at_most: int
    questions_wrong_at_most: int
    max_score: int | None


def rules_of(design: Mapping[str, Any]) -> Rules:
    """The rules of a frozen design, whose defaults are written out; raise ValueError for a version we do not know."""
    own = design["conformance"]
    if own["version"] not in VERSIONS:
        known = " and ".join(map(str, VERSIONS))
        raise ValueError(f"conformance.version is {own['version']}, but only versions {known} are known here.")
    videos = design["controls"].get("videos")
    return Rules(
        version=own["version"],
        consequences={rule: Consequence(use=own[rule]["use"], pay=own[rule]["pay"]) for rule in RULES},
        stall_ms=own["R2"]["stall_ms"],
        away_ms=own["R3"]["away_ms"],
        tolerance_ms=own["R4"]["tolerance_ms"],
        time_limit_minutes=design["session"]["time_limit_minutes"],
        videos_wrong_at_most=own["R6"]["wrong_at_most"],
        questions_wrong_at_most=own["R7"]["wrong_at_most"],
        max_score=None if videos is None else videos["max_score"],
    )
