"""Tables of the multiverse of exclusions: rows, columns, and the rules that vary."""

from dataclasses import dataclass
from typing import Literal

from eyelevel_stats.conformance.rules import RULES

NEWER = ("R8", "R9")
VARIED = tuple(rule for rule in RULES if rule not in NEWER)
# as a cell's rules: no session is excluded
NO_RULE = "none"

COLUMNS = {
    "rules": "rules R1 to R7 of the cell, none for the empty subset; sessions that break one are excluded",
    "newer": "yes: sessions that break R8 or R9 are excluded, too; no: these rules are not applied",
    "sessions": "completed sessions that the cell uses",
    "hypothesis": "key of the hypothesis in the study's plan",
    "network": "network, or pooled",
    "estimate": "the hypothesis's effect from the votes of these sessions, as in effects.csv; empty where they do "
    "not compare the stacks",
    "ci_low": "lower end of the interval of level 1 - alpha, as in effects.csv",
    "ci_high": "upper end of the same interval",
    "verdict": "verdict of the effect, as in effects.csv; empty without an estimate",
    "cells": "combinations of rules",
    "session_sets": "different sets of sessions that they use",
    "answered": "combinations that have an estimate",
    "least_estimate": "least estimate over all combinations",
    "greatest_estimate": "greatest estimate over all combinations",
    "plan_rules": "the rules by which the study itself excludes, or none; no cell has exactly these where the study "
    "applies only one of R8 and R9",
    "plan_estimate": "estimate with the rules by which the study itself excludes; empty where there is none",
    "plan_verdict": "verdict with these rules",
    "same_verdict": "combinations with the verdict plan_verdict; empty where there is none",
    "share_same_verdict": "same_verdict / cells",
}


@dataclass(frozen=True)
class MultiverseRow:
    """One effect under one combination of rules; COLUMNS describes the fields."""

    rules: str
    newer: Literal["yes", "no"]
    sessions: int
    hypothesis: str
    network: str
    estimate: float | None
    ci_low: float | None
    ci_high: float | None
    verdict: str | None


@dataclass(frozen=True)
class MultiverseSummaryRow:
    """One effect over all combinations of rules; COLUMNS describes the fields."""

    hypothesis: str
    network: str
    cells: int
    session_sets: int
    answered: int
    least_estimate: float
    greatest_estimate: float
    plan_rules: str
    plan_estimate: float | None
    plan_verdict: str | None
    same_verdict: int | None
    share_same_verdict: float | None
