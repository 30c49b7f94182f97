"""Maps the frames of a clip to moments of its film: lead-in, end, delay. Arithmetic on times."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil

from eyelevel_core.model.campaign import ClipRules

# frames a second of every clip, whatever its films were made at (definitions, M4)
FRAME_RATE = 60


@dataclass(frozen=True)
class Timing:
    """What all clips of a site and network have in common, so that a clip's length tells nothing of its stack.

    `still_frames` come before navigation start; `end_ms` counts from navigation start.
    """

    still_frames: int
    end_ms: float
    # the last picture stays for so many frames more
    more_frames: int = 0
    frame_rate: int = FRAME_RATE

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
        return float(Fraction(1000 * self.still_frames) / self.frame_rate)

    @property
    def frame_ms(self) -> float:
        return 1000 / self.frame_rate

    @property
    def last_ms(self) -> float:
        """When the last frame begins, since navigation start: later changes are not seen."""
        return self.moment_ms(self.count - 1)

    def moment_ms(self, frame: int) -> float:
        """When a frame begins, since navigation start; below 0 during the lead-in."""
        return float(Fraction(1000 * (frame - self.still_frames)) / self.frame_rate)

    def frame_of(self, ms: float) -> int:
        """The first frame that begins at this moment since navigation start or later."""
        return self.still_frames + ceil(Fraction(ms) * self.frame_rate / 1000)


def timing(ends_ms: Iterable[float], *, rules: ClipRules) -> Timing:
    """One common end: the latest of `ends_ms` (when each take settled) and the tail, but not later than the cap."""
    return Timing(
        still_frames=ceil(Fraction(rules.still_ms) * FRAME_RATE / 1000),
        end_ms=round(min(max(ends_ms) + rules.tail_ms, rules.cap_ms), 3),
    )


def frame_count(end_ms: float, frame_rate: float) -> int:
    """How many frames it takes from navigation start until whatever came until `end_ms` shows."""
    return ceil(Fraction(end_ms) * Fraction(frame_rate) / 1000) + 1


def changes(times_ms: Sequence[float], timing: Timing) -> list[tuple[int, int]]:
    """The frames of a clip at which its picture changes, each with the index of the film's frame that it shows.

    The lead-in shows the picture of navigation start. From there on a frame shows the film's last frame whose time is
    not later than its own beginning, so frame k shows the state at its moment and never an earlier one. Frames of the
    film that lie between two beginnings are not seen, and the last one stays. Where the film starts after navigation
    start, its first frame stands in.
    """
    shown = {0: 0}
    for index, ms in enumerate(times_ms[1:], 1):
        frame = timing.frame_of(ms) if ms > 0 else 0
        if frame < timing.count:
            shown[frame] = index
    return sorted(shown.items())
