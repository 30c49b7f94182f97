"""Freezes a study: the JSON value whose digest identifies it."""

from typing import Any

from eyelevel_core.assignment.clip import Chosen
from eyelevel_core.assignment.selection import Selection
from eyelevel_core.study.file import StudyFile
from eyelevel_core.study.frozen import CONTRACT
from eyelevel_kinds import KINDS


def freeze(file: StudyFile, selection: Selection, *, batch: str) -> dict[str, Any]:
    """The resolved study over the batch with the digest `batch`, and its stimuli.

    The study is identified by the SHA-256 of the canonical JSON of this value.
    """
    blocks = zip(file.resolved["trials"], selection.design.blocks, strict=True)
    trials = [
        block | {"training": typed.training} | ({"identical": typed.identical} if typed.has_identical else {})
        for block, typed in blocks
    ]
    return {
        "contract": CONTRACT,
        "study": {**file.resolved, "trials": trials, "batch": batch},
        "batch": batch,
        # texts and scale of a trial belong to its kind's version
        "kinds": {name: KINDS[name].version for name in sorted({block.kind for block in selection.design.blocks})},
        "stimuli": [_stimulus(stimulus) for stimulus in selection.chosen],
    }


def _stimulus(chosen: Chosen) -> dict[str, object]:
    clip = chosen.clip
    return {
        "block": chosen.block,
        "kind": chosen.kind,
        "role": chosen.role,
        "context": chosen.context,
        "clip": clip.sha256,
        "site": clip.site,
        "network": clip.network,
        "run": clip.run,
        "stacks": list(clip.stacks),
        "duration_ms": clip.duration_ms,
    }
