"""Speed Index of a clip, or of both its halves, as input of the simulated answers; measured once per clip."""

import hashlib
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Protocol

from eyelevel.video import Frame, decode, frame_times_ms, inspect

TimedFrames = Iterable[tuple[float, Frame]]
# the Speed Index of frames with their times in ms; None where nothing ever changed
SpeedIndex = Callable[[TimedFrames], float | None]


@dataclass(frozen=True)
class Sight:
    """`si_ms` has one value for a single film, two (left, right) for a pair, from navigation; None: nothing changed."""

    si_ms: tuple[float | None, ...]
    duration_ms: float


class Eyes(Protocol):
    """Something that can look at the bytes of a clip; `halves` where two films are beside each other.

    The clip stands still for `start_ms` before navigation; nobody takes that for loading.
    """

    def look(self, clip: bytes, *, halves: bool, start_ms: float) -> Sight: ...


class MeasuringEyes:
    """Eyes that measure what is to be seen; each clip once, however many people see it."""

    def __init__(self, speed_index: SpeedIndex) -> None:
        self._speed_index = speed_index
        self._seen: dict[tuple[str, bool], Sight] = {}
        # several participants may look at once
        self._lock = Lock()

    def look(self, clip: bytes, *, halves: bool, start_ms: float) -> Sight:
        """Raise BadInputError where the bytes are no video."""
        # a session names its clips by ids of its own, so the bytes say which clip it is
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
        found = tuple(self._speed_index(_part(path, since_navigation, part)) for part in parts)
        return Sight(si_ms=found, duration_ms=times_ms[-1] + 1000 / (video.frame_rate or 30))


def _part(path: Path, times_ms: list[float], columns: slice) -> Iterator[tuple[float, Frame]]:
    for ms, frame in zip(times_ms, decode(inspect(path)), strict=True):
        yield ms, frame[:, columns]
