"""What is to be made: a clip of one take or of two, and all clips of a batch. Plain values."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from eyelevel.batch.timeline import Timing
from eyelevel_core.batch_folder import FilmedTake
from eyelevel_core.batch_folder.folder import Audience

Kind = Literal["single", "pair"]
# identical: one stack beside itself; control: a side is held back, so that the right answer is known
Purpose = Literal["study", "identical", "control"]
# the takes of a setting that are shown, by role
Shown = Mapping[str, FilmedTake]


@dataclass(frozen=True)
class Plan:
    """A clip to be made from one take, or from two of one scene, left then right.

    `run` is the take's; of a pair, whose takes may be of two runs, that of the stack the campaign names first.
    """

    takes: tuple[FilmedTake, ...]
    role: str
    run: int
    timing: Timing
    audience: Audience = "participant"
    purpose: Purpose = "study"
    # of a control clip: by how many frames each side starts later than the clip's timing says
    held_back: tuple[int, ...] = ()

    @property
    def delays_ms(self) -> tuple[float, ...]:
        """The same in ms, left then right; empty where nothing is held back."""
        return tuple(round(frames * 1000 / self.timing.frame_rate, 3) for frames in self.held_back)

    def timing_of(self, side: int) -> Timing:
        """When navigation starts and ends on a side; all sides have the clip's length."""
        return self.timing.held_back(self.held_back[side]) if self.held_back else self.timing

    @property
    def kind(self) -> Kind:
        return "single" if len(self.takes) == 1 else "pair"

    @property
    def whole(self) -> tuple[object, ...]:
        """The same for the two orders of a pair: a question is asked with both of them or not at all."""
        takes = sorted(take.digest for take in self.takes)
        return (self.audience, self.purpose, *takes, *sorted(self.held_back))

    @property
    def name(self) -> str:
        """For people, to know a clip by."""
        site, network = self.takes[0].scene
        shown = " beside ".join(f"{take.stack} (run {take.run})" for take in self.takes)
        to = "" if self.purpose == "study" else f", {self.purpose}"
        return f"{site}, {network}, {shown}, for {self.audience}s{to}"


@dataclass(frozen=True)
class LeftOut:
    """A clip that is not in the batch, and why."""

    plan: Plan
    why: str


@dataclass(frozen=True)
class Plans:
    """Clips to make, the takes they show by scene and stack, each scene's times, and what a person should know."""

    clips: tuple[Plan, ...]
    shown: Mapping[tuple[tuple[str, str], str], Shown]
    timings: Mapping[tuple[str, str], Timing]
    warnings: tuple[str, ...]
