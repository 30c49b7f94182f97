"""Selects the training clips: the same for all participants, spread over the contrasts that the study shows."""

import math
from collections.abc import Collection, Hashable, Sequence

from eyelevel_core.assignment.clip import Clip


def training_clips(count: int, clips: Sequence[Clip], *, asked_sites: Collection[str]) -> list[Clip]:
    """Up to `count` clips, evenly spread by `contrast`: of two, the lowest and the highest.

    That is a fast and a slow load, or a pair without a difference and one with the largest. They come from sites that
    the study does not ask about if there are enough clips of such sites, else from all. The order of `clips` decides
    between equals.
    """
    known = [clip for clip in clips if contrast(clip) is not None]
    apart = _one_per_setting([clip for clip in known if clip.site not in asked_sites])
    offered = apart if len(apart) >= count else _one_per_setting(known)
    offered.sort(key=lambda clip: contrast(clip) or 0.0)
    most = min(count, len(offered))
    if most == 1:
        return [offered[len(offered) // 2]]
    return [offered[round(place * (len(offered) - 1) / (most - 1))] for place in range(most)]


def contrast(clip: Clip) -> float | None:
    """The contrast of a training clip: a single clip's Speed Index in ms, a pair's log ratio of both.

    A delay of a control clip counts. None where a Speed Index is unknown.
    """
    if clip.purpose == "identical":
        return 0.0
    delays_ms = clip.delays_ms or (0.0,) * len(clip.si_ms)
    seen_ms = [delay_ms + si_ms for si_ms, delay_ms in zip(clip.si_ms, delays_ms, strict=True) if si_ms]
    if not seen_ms or len(seen_ms) < len(clip.stacks):
        return None
    return seen_ms[0] if len(seen_ms) == 1 else abs(math.log(seen_ms[0] / seen_ms[1]))


def _one_per_setting(clips: Sequence[Clip]) -> list[Clip]:
    """One clip per setting and purpose; a medoid where the batch has marked one."""
    clip_of: dict[Hashable, Clip] = {}
    for clip in sorted(clips, key=lambda clip: clip.role != "medoid"):
        clip_of.setdefault((clip.setting, clip.purpose), clip)
    return list(clip_of.values())
