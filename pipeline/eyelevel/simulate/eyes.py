"""Measures the Speed Index of a clip, or of both halves, as input of simulated answers; once per clip."""

import hashlib
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Protocol

from eyelevel.video import Frame, decode, frame_times_ms, inspect

TimedFrames = Iterable[tuple[float, Frame]]
# (frames with their times in ms) -> Speed Index; None if nothing changed
SpeedIndex = Callable[[TimedFrames], float | None]


@dataclass(frozen=True)
class Sight:
    """The measurements of a clip; `si_ms` has one value, or two (left, right) for a pair, since navigation start.

    None means that nothing changed.
    """

    si_ms: tuple[float | None, ...]
    duration_ms: float


class Eyes(Protocol):
    """A measurement of the bytes of a clip; `halves`: two films are side by side.

    The clip has a lead-in of `start_ms` before navigation, which does not count.
    """

    def look(self, clip: bytes, *, halves: bool, start_ms: float) -> Sight: ...


class MeasuringEyes:
    """Measures each clip once, regardless of the number of participants who see it."""

    def __init__(self, speed_index: SpeedIndex) -> None:
        self._speed_index = speed_index
        self._seen: dict[tuple[str, bool], Sight] = {}
        # several participants may look at once
        self._lock = Lock()

    def look(self, clip: bytes, *, halves: bool, start_ms: float) -> Sight:
        """Measures a clip; raises BadInputError if the bytes are not a video."""
        # clip ids differ between sessions, so the bytes identify the clip
        seen = hashlib.sha256(clip).hexdigest(), halves
        with self._lock:
            if seen not in self._seen:
                with tempfile.NamedTemporaryFile(suffix=".mp4") as file:
                    file.write(clip)
                    file.flush()
                    self._seen[seen] = self._measure(Path(file.name), halves, start_ms)
        return self._seen[seen]

    def _measure(self, path: Path, halves: bool, start_ms: float) -> Sight:
        times_ms = frame_times_ms(path)
        video = inspect(path)
        middle = video.width_px // 2
        parts = [slice(0, middle), slice(middle, None)] if halves else [slice(None)]
        since_navigation = [ms - start_ms for ms in times_ms]
        si_ms = tuple(self._speed_index(_part(path, since_navigation, part)) for part in parts)
        return Sight(si_ms=si_ms, duration_ms=times_ms[-1] + 1000 / (video.frame_rate or 30))


def _part(path: Path, times_ms: list[float], columns: slice) -> Iterator[tuple[float, Frame]]:
    for ms, frame in zip(times_ms, decode(inspect(path)), strict=True):
        yield ms, frame[:, columns]
