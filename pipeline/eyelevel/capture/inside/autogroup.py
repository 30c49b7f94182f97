"""Whom the kernel lets run first: it shares the processors among sessions, by a weight that each session has."""

from contextlib import suppress
from pathlib import Path

# of servers, emulation, screen and film, which a page load must not keep from their work
FIRST = -10
# the kernel's least weight, 1/640 of FIRST's: it runs where nobody else wants to
LAST = 19


def can_hold_back() -> bool:
    """Whether this kernel shares by sessions."""
    return Path("/proc/self/autogroup").exists()


def weigh(pid: int, nice: int) -> None:
    """Set the weight of that process's session; nothing where the kernel has none, or we may not."""
    with suppress(OSError):
        Path(f"/proc/{pid}/autogroup").write_text(str(nice))
