"""Stacks, delays and metrics of a clip, in the columns of an export."""

from typing import Any

from analysis.snapshots.verdicts import yes_or_no
from eyelevel_core.model.censoring import final, until
from eyelevel_core.model.metrics import CLIP_FIELDS
from stimuli.models import Clip


def clip_cells(clip: Clip) -> dict[str, Any]:
    """The clip's cells in a row of votes.csv; None if unknown.

    A single clip shows one stack; a pair shows two, whose columns begin with left_ and right_. Metrics that were not
    final when a take ended are unknown, and so are metrics after the end of a clip that was cut.
    """
    sides = ("",) if len(clip.stacks) == 1 else ("left_", "right_")
    cells = {name: getattr(clip, name) for name in ("site", "network", "start_ms", "duration_ms")}
    cells |= {
        name: None if value is None else yes_or_no(value)
        for name, value in (("cut", clip.cut), ("moving", clip.moving))
    }
    for place, (side, stack, take) in enumerate(zip(sides, clip.stacks, clip.takes, strict=True)):
        delay_ms = clip.delays_ms[place] if clip.delays_ms else None
        settled = take.outcome == "settled"
        of_take = final(take.metrics, settled=settled)
        if clip.cut:
            start_ms = clip.start_ms + (delay_ms or 0)
            of_take = until(clip.duration_ms - 1000 / clip.frame_rate - start_ms, of_take)
        on_frames = clip.metrics[place] if clip.metrics else {}
        of_side = {"stack": stack, "delay_ms": delay_ms, "settled": yes_or_no(settled), **of_take}
        of_side |= {column: on_frames.get(name) for name, column in CLIP_FIELDS.items()}
        cells |= {f"{side}{name}": value for name, value in of_side.items()}
    return cells
