"""Computes facts from the times and checksums of a film's frames. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

# A change seen only after a gap may have come anywhere in it: none may be off by more than a blink of an eye, whatever
# the frame rate. A gap across which nothing changed hides nothing, but a film that misses every fifth frame comes from
# a machine too busy to load pages on.
MOST_LOST_AT_A_CHANGE_MS = 100
MOST_LOST_SHARE = 0.2


@dataclass(frozen=True)
class Frame:
    """One grab of the screen: its time in milliseconds since 1970, and a hash of its pixels."""

    time_ms: float
    checksum: str


def parse_framehash(line: str) -> Frame | None:
    """One line of ffmpeg's framehash with a time base of 1/1000000; None for a header line."""
    if line.startswith("#"):
        return None
    parts = [part.strip() for part in line.split(",")]
    return Frame(int(parts[2]) / 1000, parts[5])


def stored(frames: Sequence[Frame]) -> list[Frame]:
    """The grabs that the film holds: the first, and those that differ from the one before."""
    return [frames[i] for i in (0, *changed(frames))] if frames else []


def changed(frames: Sequence[Frame]) -> list[int]:
    """The indexes of frames that differ from the one before."""
    return [i + 1 for i, (earlier, later) in enumerate(pairwise(frames)) if earlier.checksum != later.checksum]


def since_navigation(frames: Sequence[Frame], zero_ms: float) -> list[Frame]:
    """The frames from the last one before navigation start on: what was on the screen then, and after."""
    first = max((i for i, frame in enumerate(frames) if frame.time_ms <= zero_ms), default=0)
    return list(frames[first:])


def lost_in_gaps(frames: Sequence[Frame], frame_rate: float) -> list[int]:
    """For each pair of frames, how many ticks of the frame rate lie between them without a frame, rounded."""
    interval_ms = 1000 / frame_rate
    return [max(0, round((later.time_ms - earlier.time_ms) / interval_ms) - 1) for earlier, later in pairwise(frames)]


def lost_frames(frames: Sequence[Frame], frame_rate: float) -> int:
    return sum(lost_in_gaps(frames, frame_rate))


def lost_at_a_change(frames: Sequence[Frame], frame_rate: float) -> int:
    """The most ticks without a frame just before a change was seen."""
    gaps = lost_in_gaps(frames, frame_rate)
    return max((gaps[i - 1] for i in changed(frames)), default=0)


def too_many_lost(frames: Sequence[Frame], frame_rate: float) -> bool:
    lost = lost_frames(frames, frame_rate)
    uncertain = lost_at_a_change(frames, frame_rate) > MOST_LOST_AT_A_CHANGE_MS * frame_rate / 1000
    return uncertain or lost > MOST_LOST_SHARE * (lost + len(frames))
