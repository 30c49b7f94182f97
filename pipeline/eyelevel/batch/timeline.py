"""Maps the frames of a clip to times of its film: lead-in, end, delay. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil

from eyelevel_core.model.campaign import ClipRules

# frames per second of every clip, independent of its films (definitions, M4)
FRAME_RATE = 60


@dataclass(frozen=True)
class Timing:
    """Timing that all clips of a site and network share, so that a clip's length does not reveal its stack.

    `still_frames` is the lead-in; `end_ms` counts from navigation start.
    """

    still_frames: int
    end_ms: float
    # number of further frames with the last picture
    more_frames: int = 0
    frame_rate: int = FRAME_RATE

    @property
    def count(self) -> int:
        """The number of frames of a clip."""
        return self.still_frames + frame_count(self.end_ms, self.frame_rate) + self.more_frames

    def longer(self, frames: int) -> "Timing":
        """Returns the timing with this number of further frames of the last picture."""
        return replace(self, more_frames=self.more_frames + frames)

    def delayed(self, frames: int) -> "Timing":
        """Returns the timing with navigation delayed, at the same length; raises ValueError if the load doesn't fit."""
        if frames > self.more_frames:
            raise ValueError(f"a load delayed by {frames} frames needs as many after it, not {self.more_frames}")
        return replace(self, still_frames=self.still_frames + frames, more_frames=self.more_frames - frames)

    @property
    def start_ms(self) -> float:
        """The time of the clip at which navigation starts."""
        return float(Fraction(1000 * self.still_frames) / self.frame_rate)

    @property
    def frame_ms(self) -> float:
        return 1000 / self.frame_rate

    @property
    def last_ms(self) -> float:
        """The begin of the last frame, since navigation start; later changes are not seen."""
        return self.moment_ms(self.count - 1)

    def moment_ms(self, frame: int) -> float:
        """Returns the begin of a frame since navigation start; below 0 during the lead-in."""
        return float(Fraction(1000 * (frame - self.still_frames)) / self.frame_rate)

    def frame_of(self, ms: float) -> int:
        """Returns the first frame that begins at this time since navigation start or later."""
        return self.still_frames + ceil(Fraction(ms) * self.frame_rate / 1000)


def timing(ends_ms: Iterable[float], *, rules: ClipRules) -> Timing:
    """Returns a timing with a common end: the latest of `ends_ms` (settling of takes) plus the tail, up to the cap."""
    return Timing(
        still_frames=ceil(Fraction(rules.still_ms) * FRAME_RATE / 1000),
        end_ms=round(min(max(ends_ms) + rules.tail_ms, rules.cap_ms), 3),
    )


def frame_count(end_ms: float, frame_rate: float) -> int:
    """Returns the number of frames from navigation start that show all changes until `end_ms`."""
    return ceil(Fraction(end_ms) * Fraction(frame_rate) / 1000) + 1


def changes(times_ms: Sequence[float], timing: Timing) -> list[tuple[int, int]]:
    """Returns the frames of a clip at which its picture changes, each with the index of the film's frame that it shows.

    The lead-in shows the picture of navigation start. After that, a frame shows the last film frame whose time is not
    later than its own begin, so frame k shows the state at its time and never an earlier one. Only the last of several
    film frames between two begins is seen. Before the first film frame, this frame is shown.
    """
    shown = {0: 0}
    for index, ms in enumerate(times_ms[1:], 1):
        frame = timing.frame_of(ms) if ms > 0 else 0
        if frame < timing.count:
            shown[frame] = index
    return sorted(shown.items())
