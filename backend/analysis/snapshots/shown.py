"""What participants saw of a clip: its stacks, delays and metrics, in the columns of an export."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from analysis.snapshots.verdicts import yes_or_no
from eyelevel_core.model.censoring import final, until
from eyelevel_core.model.metrics import CLIP_FIELDS, MetricValues
from stimuli.models import Clip


def clip_cells(clip: Clip) -> dict[str, Any]:
    """The clip's cells in a row of votes.csv; None where unknown."""
    names = ("delays_ms", "cut", "moving", "metrics", "start_ms", "duration_ms", "frame_rate")
    takes = [(take.metrics, take.outcome) for take in clip.takes]
    known = {name: getattr(clip, name) for name in ("site", "network", "start_ms", "duration_ms")}
    return known | shown(clip.stacks, takes, {name: getattr(clip, name) for name in names})


def shown(stacks: Sequence[str], takes: Iterable[tuple[MetricValues, str]], clip: Mapping[str, Any]) -> dict[str, Any]:
    """What was to be seen: one stack, its take's metrics and delay, or those of the left and of the right one.

    `takes` are the metrics and outcome of each.

    Metrics are unknown that were not final when a take ended, and of a clip that was cut those after its end.
    """
    sides = ("",) if len(stacks) == 1 else ("left_", "right_")
    cells: dict[str, Any] = {name: None if clip[name] is None else yes_or_no(clip[name]) for name in ("cut", "moving")}
    for place, (side, stack, (values, outcome)) in enumerate(zip(sides, stacks, takes, strict=True)):
        delay_ms = clip["delays_ms"][place] if clip["delays_ms"] else None
        settled = outcome == "settled"
        of_take = final(values, settled=settled)
        if clip["cut"]:
            start_ms = clip["start_ms"] + (delay_ms or 0)
            of_take = until(clip["duration_ms"] - 1000 / clip["frame_rate"] - start_ms, of_take)
        on_frames = clip["metrics"][place] if clip["metrics"] else {}
        own = {"stack": stack, "delay_ms": delay_ms, "settled": yes_or_no(settled), **of_take}
        own |= {column: on_frames.get(name) for name, column in CLIP_FIELDS.items()}
        cells |= {f"{side}{name}": value for name, value in own.items()}
    return cells
