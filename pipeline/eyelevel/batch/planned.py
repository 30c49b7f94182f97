"""Planned clips of a batch. Plain values."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from eyelevel.batch.timeline import Timing
from eyelevel_core.batch_folder import FilmedTake
from eyelevel_core.batch_folder.folder import Audience

Kind = Literal["single", "pair"]
# identical: one stack beside itself; control: a side is delayed, so that the right answer is known
Purpose = Literal["study", "identical", "control"]
# the takes of a setting that are shown, by role
Shown = Mapping[str, FilmedTake]


@dataclass(frozen=True)
class Plan:
    """A planned clip of one take, or of two takes of one scene, left then right.

    `run` is the take's run; for a pair, it is that of the stack that the campaign names first.
    """

    takes: tuple[FilmedTake, ...]
    role: str
    run: int
    timing: Timing
    audience: Audience = "participant"
    purpose: Purpose = "study"
    # delay of each side of a control clip, in frames
    delay_frames: tuple[int, ...] = ()

    @property
    def delays_ms(self) -> tuple[float, ...]:
        """The delays in ms, left then right; empty if no side is delayed."""
        return tuple(round(frames * 1000 / self.timing.frame_rate, 3) for frames in self.delay_frames)

    def timing_of(self, side: int) -> Timing:
        """Returns the timing of a side, with its delay; all sides have the clip's length."""
        return self.timing.delayed(self.delay_frames[side]) if self.delay_frames else self.timing

    @property
    def kind(self) -> Kind:
        return "single" if len(self.takes) == 1 else "pair"

    @property
    def whole(self) -> tuple[object, ...]:
        """A key that both orders of a pair share, because only both together are included."""
        takes = sorted(take.digest for take in self.takes)
        return (self.audience, self.purpose, *takes, *sorted(self.delay_frames))

    @property
    def name(self) -> str:
        """A description of the clip for messages."""
        site, network = self.takes[0].scene
        shown = " beside ".join(f"{take.stack} (run {take.run})" for take in self.takes)
        to = "" if self.purpose == "study" else f", {self.purpose}"
        return f"{site}, {network}, {shown}, for {self.audience}s{to}"


@dataclass(frozen=True)
class LeftOut:
    """A clip that is not in the batch, with the reason."""

    plan: Plan
    why: str


@dataclass(frozen=True)
class Plans:
    """Clips to make, the takes that they show by scene and stack, the timing of each scene, and warnings."""

    clips: tuple[Plan, ...]
    shown: Mapping[tuple[tuple[str, str], str], Shown]
    timings: Mapping[tuple[str, str], Timing]
    warnings: tuple[str, ...]
