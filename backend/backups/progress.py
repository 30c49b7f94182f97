"""Progress of copying a known number of bytes, as lines with the time left."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from backups.archive import Readable

EVERY_S = 2.0


@dataclass
class Progress:
    """Reports progress: `tell` receives a line every two seconds and one at the end."""

    total_bytes: int
    tell: Callable[[str], None]
    doing: str = "Copying"
    done_bytes: int = 0
    _begun: float = field(default_factory=time.monotonic)
    _written_at: float = field(default_factory=time.monotonic)

    def add(self, size: int) -> None:
        self.done_bytes += size
        now = time.monotonic()
        if now - self._written_at >= EVERY_S and self.done_bytes < self.total_bytes:
            self._written_at = now
            left_s = (now - self._begun) * (self.total_bytes / self.done_bytes - 1) if self.done_bytes else 0
            self.tell(f"{self.doing}: {_mb(self.done_bytes)} of {_mb(self.total_bytes)}, about {left_s:.0f} s left")

    def end(self) -> None:
        self.tell(f"{self.doing}: {_mb(self.done_bytes)} in {time.monotonic() - self._begun:.0f} s")

    def counting(self, source: Readable) -> "Counting":
        return Counting(source, self)


@dataclass
class Counting:
    """Passes reads on and counts them."""

    source: Readable
    progress: Progress

    def read(self, size: int = 1 << 20, /) -> bytes:
        data = self.source.read(size)
        self.progress.add(len(data))
        return data


def _mb(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"
