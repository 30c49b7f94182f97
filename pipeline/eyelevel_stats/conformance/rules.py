"""The rules of conformance with a study's thresholds, and the consequences of breaking each."""

from collections.abc import Mapping
from dataclasses import dataclass

from eyelevel_core.study.design import Design

# in the order of the funnel
RULES = ("R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "R9")
# a study keeps the meaning of the rules that it was published with
VERSION = 3


@dataclass(frozen=True)
class Consequence:
    """The consequences of a broken rule. `use`: excluded from analyses. `pay`: paid nevertheless."""

    use: bool
    pay: bool


@dataclass(frozen=True)
class Rules:
    """A study's rules; `max_score` is the highest rating that is right for a control video."""

    version: int
    consequences: Mapping[str, Consequence]
    stall_ms: float
    away_ms: float
    tolerance_ms: float
    time_limit_minutes: float
    videos_wrong_at_most: int
    questions_wrong_at_most: int
    max_score: int


def rules_of(design: Design) -> Rules:
    """Returns the rules of a study; raises ValueError for an unknown version."""
    version, rules = design.conformance.version, design.conformance.rules
    if version != VERSION:
        raise ValueError(f"conformance.version is {version}, but only version {VERSION} is known; update Eyelevel.")
    return Rules(
        version=version,
        consequences={name: Consequence(use=rules[name].use, pay=rules[name].pay) for name in RULES},
        stall_ms=rules["R2"].thresholds["stall_ms"],
        away_ms=rules["R3"].thresholds["away_ms"],
        tolerance_ms=rules["R4"].thresholds["tolerance_ms"],
        time_limit_minutes=design.session.time_limit_minutes,
        videos_wrong_at_most=int(rules["R6"].thresholds["wrong_at_most"]),
        questions_wrong_at_most=int(rules["R7"].thresholds["wrong_at_most"]),
        max_score=design.controls.videos.max_score,
    )
