"""What the times and checksums of a film's frames tell. Pure."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

# One missing picture in twenty moves one visual change in twenty by one frame; and no single change may be off by
# more than a blink of an eye (about 100 ms at 30 frames a second).
MOST_LOST_SHARE = 0.05
MOST_LOST_AT_ONCE = 3


@dataclass(frozen=True)
class Frame:
    """One frame of the film: its time in milliseconds since 1970, and the checksum of its pixels."""

    time_ms: float
    checksum: int


def parse_framecrc(line: str) -> Frame | None:
    """One line of ffmpeg's framecrc with a time base of 1/1000000; None for a header line."""
    if line.startswith("#"):
        return None
    parts = [part.strip() for part in line.split(",")]
    return Frame(int(parts[2]) / 1000, int(parts[5], 16))


def white_checksums(width_px: int, height_px: int) -> frozenset[int]:
    """The checksums that framecrc gives to a wholly white frame in bgr0, with the unused byte at 0 or at 255."""
    pixels = width_px * height_px
    return frozenset(zlib.adler32(pixel * pixels, 0) for pixel in (b"\xff\xff\xff\x00", b"\xff\xff\xff\xff"))


def changed(frames: Sequence[Frame]) -> list[int]:
    """The indexes of frames that differ from the one before."""
    return [i + 1 for i, (earlier, later) in enumerate(pairwise(frames)) if earlier.checksum != later.checksum]


def since_navigation(frames: Sequence[Frame], zero_ms: float) -> list[float]:
    """The times of the frames from navigation start on, in milliseconds since then."""
    return [frame.time_ms - zero_ms for frame in frames if frame.time_ms >= zero_ms]


def lost_in_gaps(times_ms: Sequence[float], frame_rate: float) -> list[int]:
    """For each pair of frames, how many ticks of the frame rate lie between them without a frame, rounded."""
    interval_ms = 1000 / frame_rate
    return [max(0, round((later - earlier) / interval_ms) - 1) for earlier, later in pairwise(times_ms)]


def lost_frames(times_ms: Sequence[float], frame_rate: float) -> int:
    return sum(lost_in_gaps(times_ms, frame_rate))


def too_many_lost(times_ms: Sequence[float], frame_rate: float) -> bool:
    """Whether a film misses more than MOST_LOST_SHARE of its frames, or more than MOST_LOST_AT_ONCE in one gap."""
    gaps = lost_in_gaps(times_ms, frame_rate)
    return max(gaps, default=0) > MOST_LOST_AT_ONCE or sum(gaps) > MOST_LOST_SHARE * (sum(gaps) + len(times_ms))
