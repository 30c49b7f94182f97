"""Records when a run reached which step, and the idle share of the processors during the load."""

import os
from pathlib import Path
from time import time

TICKS = os.sysconf("SC_CLK_TCK")


class Marks:
    """Moments by name, in milliseconds since 1970: the same clock as outside, and as frames have."""

    def __init__(self) -> None:
        self.ms: dict[str, float] = {}

    def reach(self, name: str) -> None:
        self.ms[name] = time() * 1000


def cpu_ticks() -> tuple[int, int]:
    """Idle and all processor time so far, summed over processors; from the first line of /proc/stat."""
    # user, nice, system, idle, iowait, irq, softirq, steal; what guests took is in user already
    ticks = [int(word) for word in Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
    return ticks[3], sum(ticks)


def idle_share(before: tuple[int, int], after: tuple[int, int]) -> float | None:
    """The share of processor time between the two that nobody used; None if no time has passed."""
    passed = after[1] - before[1]
    return round((after[0] - before[0]) / passed, 4) if passed > 0 else None
