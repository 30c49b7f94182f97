"""Reads what the recorder says while it records, and judges from that whether a film is of use. Pure."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

# How late frames were, and how many short-lived states were lost, is compared between stacks and voids nothing: a stack
# that keeps the processors busy would keep its lucky runs only (definitions, M6). The recorder comes before everything
# else on its processor, so that no load keeps it for as long as this: it did not run.
MOST_LATE_MS = 2_000


@dataclass(frozen=True)
class Frame:
    """A picture that differs from the one before: its time in milliseconds since 1970.

    `colour` is #rrggbb if all of it has this colour. It was fetched `late_ms` after the first change since the frame
    before; `lost` states of the screen between the two stood and were not fetched. An `unquiet` one was fetched
    while painting went on, and may be torn.
    """

    time_ms: float
    colour: str | None
    late_ms: float = 0.0
    lost: int = 0
    unquiet: bool = False


@dataclass(frozen=True)
class Clock:
    """The wall clock, in milliseconds since 1970, when the monotonic clock was 0: read once, and valid for the film."""

    at_zero_ms: float

    def at_ms(self, monotonic_ms: float) -> float:
        return self.at_zero_ms + monotonic_ms


@dataclass(frozen=True)
class Until:
    """All changes until this time, in milliseconds since 1970, have been told."""

    time_ms: float


@dataclass(frozen=True)
class End:
    """The end of the film, and what the recorder counted.

    Paints that became part of a picture with others, pictures dropped because they equalled the one before, and states
    lost since the last picture.
    """

    time_ms: float
    merged: int
    equal: int
    lost: int


@dataclass(frozen=True)
class Losses:
    """What a film lacks: states that were not recorded, the latest fetch, and how many frames may be torn."""

    lost: int
    late_ms: float
    unquiet: int


def parse(line: str) -> Clock | Frame | Until | End:
    """One line of the recorder's output."""
    told = json.loads(line)
    if "clock_us" in told:
        return Clock(told["clock_us"] / 1000)
    if "until_us" in told:
        return Until(told["until_us"] / 1000)
    if "end_us" in told:
        return End(told["end_us"] / 1000, told["merged"], told["equal"], told["lost"])
    return Frame(told["time_us"] / 1000, told["colour"], told["late_us"] / 1000, told["lost"], told["unquiet"])


def since_navigation(frames: Sequence[Frame], zero_ms: float) -> list[Frame]:
    """The frames from the last one before navigation start on: what was on the screen then, and after."""
    first = max((i for i, frame in enumerate(frames) if frame.time_ms <= zero_ms), default=0)
    return list(frames[first:])


def cut(frames: Sequence[Frame], end: End, until_ms: float) -> tuple[list[Frame], End]:
    """The film until that moment, and its end, as if it had been stopped then."""
    shown = [frame for frame in frames if frame.time_ms <= until_ms]
    return shown, end if len(shown) == len(frames) and end.time_ms <= until_ms else replace(
        end, time_ms=until_ms, lost=0
    )


def losses(shown: Sequence[Frame], end: End) -> Losses:
    """What a film lacks after its first frame, which was there before."""
    later = shown[1:]
    return Losses(
        lost=sum(frame.lost for frame in later) + end.lost,
        late_ms=max((frame.late_ms for frame in later), default=0.0),
        unquiet=sum(frame.unquiet for frame in later),
    )


def too_late(found: Losses) -> bool:
    return found.late_ms > MOST_LATE_MS
