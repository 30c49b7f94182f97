"""Plans clips with a known right answer: A/A pairs, and control clips in which one load is delayed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import ceil

from eyelevel.batch.choose import MEDOID
from eyelevel.batch.planned import Plan, Shown
from eyelevel.batch.timeline import Timing


def identical(chosen: Mapping[str, Shown], pairs: Sequence[Sequence[str]], times: Timing) -> Iterator[Plan]:
    """A/A pairs of the stack that each pair names first: its medoid twice, and beside another run in both orders."""
    for stack in dict.fromkeys(pair[0] for pair in pairs):
        shown = chosen.get(stack, {})
        if (medoid := shown.get(MEDOID)) is None:
            continue
        yield Plan((medoid, medoid), MEDOID, medoid.run, times, purpose="identical")
        others = ((role, take) for role, take in shown.items() if role != MEDOID)
        for role, other in list(others)[:1]:
            yield Plan((medoid, other), role, medoid.run, times, purpose="identical")
            yield Plan((other, medoid), role, medoid.run, times, purpose="identical")


def controls(clips: Sequence[Plan], *, delay_ms: float) -> Iterator[Plan]:
    """Per site the medoid of its shortest scene, held back: alone, and on either side beside itself.

    Of several stacks the quickest is taken, so that nothing but the delay can be seen.
    """
    quickest: dict[str, Plan] = {}
    for clip in clips:
        if clip.kind == "single" and clip.audience == "participant" and clip.role == MEDOID:
            known = quickest.setdefault(clip.takes[0].site, clip)
            quickest[clip.takes[0].site] = min(known, clip, key=_length)
    for clip in quickest.values():
        frames = ceil(delay_ms * clip.timing.frame_rate / 1000)
        held = replace(clip, timing=clip.timing.longer(frames), purpose="control", held_back=(frames,))
        yield held
        for sides in ((frames, 0), (0, frames)):
            yield replace(held, takes=clip.takes * 2, held_back=sides)


def _length(clip: Plan) -> tuple[float, float]:
    return (clip.timing.end_ms, clip.takes[0].changed_ms)
