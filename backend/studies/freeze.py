"""What a published study is: the file with its defaults written out, and the clips it chose. Plain values."""

from collections.abc import Mapping, Sequence
from typing import Any

from eyelevel_core.assignment.selection import Chosen, as_chosen
from eyelevel_core.study import design as designs
from eyelevel_kinds import KINDS
from studies.texts import INSTRUCTIONS

CONTRACT = "eyelevel/frozen-study/1"


def freeze(design: Mapping[str, Any], *, batch: str, chosen: Sequence[Chosen]) -> dict[str, Any]:
    """The value whose canonical JSON is the study's identity."""
    written_out = as_chosen(design, chosen) | {"batch": batch}
    written_out.setdefault("instructions", {language: INSTRUCTIONS[language] for language in design["languages"]})
    used = sorted({block["kind"] for block in written_out["trials"]})
    return {
        "contract": CONTRACT,
        "study": written_out,
        "batch": batch,
        # words and scale of a trial belong to its kind's version
        "kinds": {name: KINDS[name].version for name in used},
        "stimuli": [_stimulus(item) for item in chosen],
    }


def minutes(design: Mapping[str, Any], stimuli: Sequence[Mapping[str, Any]]) -> int:
    """How long a session takes about, in whole minutes; `stimuli` are the frozen ones."""
    return designs.minutes(design, clip_s=[_clip_s(stimuli, number) for number in range(len(design["trials"]))])


def _clip_s(stimuli: Sequence[Mapping[str, Any]], block: int) -> float:
    durations: list[float] = [item["duration_ms"] / 1000 for item in stimuli if item["block"] == block]
    return sum(durations) / len(durations)


def _stimulus(item: Chosen) -> dict[str, Any]:
    clip = item.clip
    return {
        "block": item.block,
        "kind": item.kind,
        "role": item.role,
        "context": item.context,
        "clip": clip.sha256,
        "site": clip.site,
        "network": clip.network,
        "run": clip.run,
        "stacks": list(clip.stacks),
        "duration_ms": clip.duration_ms,
    }
