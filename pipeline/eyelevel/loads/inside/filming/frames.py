"""Reads the recorder's reports, and judges from them whether a film can be used. Pure."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

# How late frames were, and how many short-lived states were lost, is compared between stacks, but makes no run void:
# otherwise a stack that keeps the processors busy would keep only its lucky runs (definitions, M6). The recorder has
# the highest priority, so that no load can delay it for this long: if it is so late, it did not run.
MOST_LATE_MS = 2_000


@dataclass(frozen=True)
class Frame:
    """A picture that differs from the one before, with its time in milliseconds since 1970.

    `colour` is #rrggbb if the whole picture has this colour. It was fetched `late_ms` after the first change since the
    frame before; `lost` states of the screen between the two were not fetched. An `unquiet` frame was fetched during
    painting, and may be torn.
    """

    time_ms: float
    colour: str | None
    late_ms: float = 0.0
    lost: int = 0
    unquiet: bool = False


@dataclass(frozen=True)
class Clock:
    """The wall clock at 0 of the monotonic clock, in milliseconds since 1970, read once for the whole film."""

    at_zero_ms: float

    def at_ms(self, monotonic_ms: float) -> float:
        """Returns the wall clock at a time of the monotonic clock."""
        return self.at_zero_ms + monotonic_ms


@dataclass(frozen=True)
class Until:
    """The time, in milliseconds since 1970, until which all changes have been reported."""

    time_ms: float


@dataclass(frozen=True)
class End:
    """The end of the film, with the recorder's counts.

    `merged` are paints that share a picture with others, `equal` are pictures dropped because they equal the one
    before, and `lost` are states lost since the last picture.
    """

    time_ms: float
    merged: int
    equal: int
    lost: int


@dataclass(frozen=True)
class Losses:
    """The losses of a film: states that were not recorded, the latest fetch, and how many frames may be torn."""

    lost: int
    late_ms: float
    unquiet: int


def parse(line: str) -> Clock | Frame | Until | End:
    """Returns the report in a line of the recorder's output."""
    fields = json.loads(line)
    if "clock_us" in fields:
        return Clock(fields["clock_us"] / 1000)
    if "until_us" in fields:
        return Until(fields["until_us"] / 1000)
    if "end_us" in fields:
        return End(fields["end_us"] / 1000, fields["merged"], fields["equal"], fields["lost"])
    return Frame(
        fields["time_us"] / 1000, fields["colour"], fields["late_us"] / 1000, fields["lost"], fields["unquiet"]
    )


def since_navigation(frames: Sequence[Frame], zero_ms: float) -> list[Frame]:
    """Returns the frames from navigation start on, with the one that was on the screen then."""
    first = max((i for i, frame in enumerate(frames) if frame.time_ms <= zero_ms), default=0)
    return list(frames[first:])


def cut(frames: Sequence[Frame], end: End, until_ms: float) -> tuple[list[Frame], End]:
    """Returns the frames until `until_ms`, and the end, as if the film had been stopped then."""
    shown = [frame for frame in frames if frame.time_ms <= until_ms]
    return shown, end if len(shown) == len(frames) and end.time_ms <= until_ms else replace(
        end, time_ms=until_ms, lost=0
    )


def losses(shown: Sequence[Frame], end: End) -> Losses:
    """Returns the losses of a film after its first frame, which was on the screen before."""
    later = shown[1:]
    return Losses(
        lost=sum(frame.lost for frame in later) + end.lost,
        late_ms=max((frame.late_ms for frame in later), default=0.0),
        unquiet=sum(frame.unquiet for frame in later),
    )


def too_late(losses: Losses) -> bool:
    """Returns whether a frame was so late that the recorder did not run."""
    return losses.late_ms > MOST_LATE_MS
