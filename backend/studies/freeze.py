"""What a published study is: the file with its defaults written out, and the clips it chose. Plain values."""

import copy
import math
from collections.abc import Mapping, Sequence
from typing import Any

from eyelevel_kinds import KINDS
from studies.resolve import Chosen
from studies.texts import INSTRUCTIONS

CONTRACT = "eyelevel/frozen-study/1"
QUOTA_SESSIONS = 100
# rough times a participant needs besides watching; only for the promise on the first page
INTRODUCTION_S = 90
ANSWER_S = 8


def freeze(design: Mapping[str, Any], *, batch: str, chosen: Sequence[Chosen]) -> dict[str, Any]:
    """The value whose canonical JSON is the study's identity."""
    written_out = copy.deepcopy(dict(design)) | {"batch": batch}
    written_out.setdefault("quota", {"sessions": QUOTA_SESSIONS})
    written_out.setdefault("instructions", {language: INSTRUCTIONS[language] for language in design["languages"]})
    for question in written_out.setdefault("questions", []):
        question.setdefault("required", True)
    written_out["trials"] = [KINDS[block["kind"]].defaults() | block for block in written_out["trials"]]
    used = sorted({block["kind"] for block in written_out["trials"]})
    return {
        "contract": CONTRACT,
        "study": written_out,
        "batch": batch,
        # words and scale of a trial belong to its kind's version
        "kinds": {name: KINDS[name].version for name in used},
        "stimuli": [_stimulus(item) for item in chosen],
    }


def trial_count(design: Mapping[str, Any]) -> int:
    return sum(block["count"] for block in design["trials"])


def minutes(frozen: Mapping[str, Any]) -> int:
    """How long a session takes about, in whole minutes."""
    seconds: float = INTRODUCTION_S
    for number, block in enumerate(frozen["study"]["trials"]):
        durations = [item["duration_ms"] / 1000 for item in frozen["stimuli"] if item["block"] == number]
        seconds += block["count"] * (sum(durations) / len(durations) + ANSWER_S)
    return math.ceil(seconds / 60)


def _stimulus(item: Chosen) -> dict[str, Any]:
    clip = item.clip
    return {
        "block": item.block,
        "kind": item.kind,
        "context": item.context,
        "clip": clip.sha256,
        "site": clip.site,
        "network": clip.network,
        "run": clip.run,
        "stacks": list(clip.stacks),
        "duration_ms": clip.duration_ms,
    }
