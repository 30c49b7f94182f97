"""What a study file means once nothing in it is left unsaid: the same for who checks it and who publishes it."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from eyelevel_core.contracts.check import schema
from eyelevel_core.contracts.defaults import with_defaults, within_maxima
from eyelevel_kinds import KINDS

# rough times of a participant besides watching; for the promise on the first page and the fair-pay line
INTRODUCTION_S = 90
ANSWER_S = 8

# parts of a published study by which the platform reckons times and verdicts
BOUNDED = ("session", "retention", "conformance")


def written_out(study: Mapping[str, Any]) -> dict[str, Any]:
    """A study that keeps the contract study.1, with every default written out.

    Besides those that the contract states: a group has the study's quota, a block all contexts.
    """
    design: dict[str, Any] = with_defaults(study, schema("study.1"))
    design["trials"] = [with_defaults(block, block_schema(block["kind"])) for block in design["trials"]]
    for group in design["groups"]:
        group.setdefault("quota", dict(design["quota"]))
    for block in design["trials"]:
        block.setdefault("contexts", [context["key"] for context in design["contexts"]])
    return design


def as_published(study: Mapping[str, Any]) -> dict[str, Any]:
    """A published study with every field that the contract has got since.

    Rules of conformance that it was published without mean what they first did; they are counted, but leave nobody out
    and cost nobody their pay. Who came back to it was let go on for a week. Times and limits that were frozen before
    there were maxima count as these, so that one can reckon with them.
    """
    parts = schema("study.1")["properties"]
    bounded = {part: within_maxima(study[part], parts[part]) for part in BOUNDED if part in study}
    rules = parts["conformance"]["properties"]
    harmless = {rule: {"use": False, "pay": True} for rule in rules if rule != "version"}
    then = {
        "session": {"resume_within_minutes": 10080} | bounded.get("session", {}),
        "conformance": {"version": 1} | harmless | bounded.get("conformance", {}),
    }
    return written_out({**study, **bounded, **then})


def block_schema(kind: str) -> dict[str, Any]:
    """The JSON Schema of a block of this kind: the fields that all blocks have, and the kind's own."""
    shared = schema("study.1")["properties"]["trials"]["items"]
    own = KINDS[kind].block
    return {
        "type": "object",
        "additionalProperties": False,
        "required": [*shared["required"], *own.get("required", [])],
        "properties": {**shared["properties"], "kind": {"const": kind}, **own["properties"]},
    }


def block_trials(block: Mapping[str, Any]) -> int:
    """Trials that a block asks of each participant, training and repeats included."""
    return int(block["count"] + block["training"] + block["repeats"])


def trial_count(design: Mapping[str, Any]) -> int:
    """Trials that a written-out study asks of each participant, control videos included."""
    return sum(map(block_trials, design["trials"])) + int(design["controls"]["videos"]["count"])


def minutes(design: Mapping[str, Any], *, clip_s: Sequence[float]) -> int:
    """How long a session takes about, in whole minutes; `clip_s` is a clip's mean length per block."""
    seconds = INTRODUCTION_S + ANSWER_S * (trial_count(design) + len(design["controls"]["questions"]))
    watched = sum(block_trials(block) * length for block, length in zip(design["trials"], clip_s, strict=True))
    controls = design["controls"]["videos"]["count"] * (sum(clip_s) / len(clip_s))
    return math.ceil(float(seconds + watched + controls) / 60)
