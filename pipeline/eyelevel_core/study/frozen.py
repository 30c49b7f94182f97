"""Reads a frozen study: its design, the versions of its kinds, and the length of its clips."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eyelevel_core.study.design import Design
from eyelevel_core.study.resolve import design_of, resolve

CONTRACT = "eyelevel/frozen-study/1"


@dataclass(frozen=True)
class FrozenStudy:
    """`kinds` has the version of each kind that is used; `clip_s` is the mean length of each block's clips."""

    design: Design
    kinds: Mapping[str, int]
    clip_s: Sequence[float]


def read_frozen(text: str) -> FrozenStudy:
    """Parses the JSON text of a frozen study. Fields that are newer than the text have their defaults.

    Parsing and resolving take milliseconds; callers should keep the result.
    """
    value = json.loads(text)
    design = design_of(resolve(value["study"]))
    lengths_s: list[list[float]] = [[] for _ in design.blocks]
    for stimulus in value["stimuli"]:
        lengths_s[stimulus["block"]].append(stimulus["duration_ms"] / 1000)
    return FrozenStudy(design, value["kinds"], [sum(each) / len(each) for each in lengths_s])
