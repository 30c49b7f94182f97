"""When a clip begins and ends, and which frame of a film shows at which of its moments; plain arithmetic on times."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor

from eyelevel_core.model.campaign import ClipRules


@dataclass(frozen=True)
class Timing:
    """What all clips of a site and network have in common, so that a clip's length tells nothing of its stack.

    `still_frames` come before navigation start; `end_ms` counts from navigation start.
    """

    frame_rate: float
    still_frames: int
    end_ms: float
    # the last picture stays for so many frames more
    more_frames: int = 0

    @property
    def count(self) -> int:
        """How many frames a clip has."""
        return self.still_frames + frame_count(self.end_ms, self.frame_rate) + self.more_frames

    def longer(self, frames: int) -> "Timing":
        """The same load, followed by so many frames more of its last picture."""
        return replace(self, more_frames=self.more_frames + frames)

    def held_back(self, frames: int) -> "Timing":
        """The same length, with navigation so many frames later; raises ValueError where the load would not fit."""
        if frames > self.more_frames:
            raise ValueError(f"a load held back by {frames} frames wants as many after it, not {self.more_frames}")
        return replace(self, still_frames=self.still_frames + frames, more_frames=self.more_frames - frames)

    @property
    def start_ms(self) -> float:
        """The moment of the clip at which navigation starts."""
        return float(Fraction(1000 * self.still_frames) / Fraction(self.frame_rate))

    @property
    def last_ms(self) -> float:
        """When the last frame begins, since navigation start: later changes are not seen."""
        return self.moment_ms(self.count - 1)

    def moment_ms(self, frame: int) -> float:
        """When a frame begins, since navigation start; below 0 while the clip stands still."""
        return float(Fraction(1000 * (frame - self.still_frames)) / Fraction(self.frame_rate))


def timing(ends_ms: Iterable[float], *, frame_rate: float, rules: ClipRules) -> Timing:
    """One common end: the slowest of `ends_ms` and what comes after it, but not later than the cap."""
    return Timing(
        frame_rate=frame_rate,
        still_frames=ceil(Fraction(rules.still_ms) * Fraction(frame_rate) / 1000),
        end_ms=round(min(max(ends_ms) + rules.after_ms, rules.cap_ms), 3),
    )


def frame_count(end_ms: float, frame_rate: float) -> int:
    """How many frames it takes from navigation start until the moment `end_ms` still shows."""
    return floor(Fraction(end_ms) * Fraction(frame_rate) / 1000) + 1


def picks(times_ms: Sequence[float], timing: Timing) -> list[int]:
    """For each frame of a clip, the index of the film's frame that it shows.

    While it stands still, that of navigation start. From there on a frame shows the film's last frame whose time is not
    later than its own beginning; frames of the film that lie between two beginnings are not seen, and the last one
    stays. Where the film starts after navigation start, its first frame stands in.
    """
    rate = Fraction(timing.frame_rate)
    moments_ms = (Fraction(1000 * max(0, k - timing.still_frames)) / rate for k in range(timing.count))
    return [max(0, bisect_right(times_ms, moment) - 1) for moment in moments_ms]
