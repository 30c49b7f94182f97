"""What a study asks of its participants, worked out before any batch is known."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from eyelevel_contracts import schema

# Rough times for the promise to a participant; a clip's true length is known once a batch is.
INTRODUCTION_S = 90
CLIP_S = 10
ANSWER_S = 8


@dataclass(frozen=True)
class Summary:
    """Counts per participant, and over all sessions of the quota."""

    name: str
    languages: Sequence[str]
    questions: int
    trials: Mapping[str, int]
    minutes: int
    sessions: int
    votes_by_context: Mapping[str, int]

    @property
    def trial_count(self) -> int:
        return sum(self.trials.values())


def summary(study: Mapping[str, Any]) -> Summary:
    """Summarise a value that keeps the contract study.1.

    Votes are balanced over stimuli, so that a context gets its share of a block by how many of the block's networks it
    has, given that the batch holds as many clips of each.
    """
    sessions = study.get("quota", schema("study.1")["properties"]["quota"]["default"])["sessions"]
    trials: dict[str, int] = {}
    votes = {context["key"]: 0.0 for context in study["contexts"]}
    for block in study["trials"]:
        trials[block["kind"]] = trials.get(block["kind"], 0) + block["count"]
        shares = {c["key"]: len(_networks(block, c)) for c in study["contexts"]}
        for key, share in shares.items():
            votes[key] += sessions * block["count"] * share / sum(shares.values())
    count = sum(trials.values())
    return Summary(
        name=study["name"],
        languages=study["languages"],
        questions=len(study.get("questions", [])),
        trials=trials,
        minutes=math.ceil((INTRODUCTION_S + count * (CLIP_S + ANSWER_S)) / 60),
        sessions=sessions,
        votes_by_context={key: round(value) for key, value in votes.items()},
    )


def _networks(block: Mapping[str, Any], context: Mapping[str, Any]) -> list[str]:
    return [network for network in context["networks"] if network in block.get("networks", context["networks"])]
