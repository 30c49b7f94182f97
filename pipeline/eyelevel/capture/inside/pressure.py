"""Measures who used the processors while a page loaded: the run, the rest of the capture, others, the hypervisor.

Idle time and steal are the kernel's for all processors (/proc/stat), what the capture used is that of its control group
(see groups.py), or of all processes that descend from the capture worker where there is none. What is left was used by
others. The time of interrupts belongs to nobody.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

from eyelevel.capture.inside.groups import Group
from eyelevel_core.model.take import Pressure

TICKS = os.sysconf("SC_CLK_TCK")
DIGITS = 4


@dataclass(frozen=True)
class Reading:
    """Seconds of processor time so far, summed over `processors`; `at_s` is the moment.

    `run_s` and what `some` and `full` say of it (see Group.waited_s) are of the run alone, `prelaunched_s` of those
    that are prepared beside it; None where they are not counted apart.
    """

    at_s: float
    processors: int
    idle_s: float
    waiting_for_disk_s: float
    interrupts_s: float
    steal_s: float
    capture_s: float
    run_s: float | None = None
    prelaunched_s: float | None = None
    some_waited_s: float | None = None
    full_waited_s: float | None = None

    @property
    def known_s(self) -> float:
        """All but what others used."""
        return self.idle_s + self.waiting_for_disk_s + self.interrupts_s + self.steal_s + self.capture_s


def pressure(before: Reading, after: Reading) -> Pressure | None:
    """Who used the processors between the two; None if no time has passed."""
    passed_s = after.at_s - before.at_s
    if passed_s <= 0:
        return None
    whole_s = passed_s * after.processors
    return Pressure(
        outside_share=_share(whole_s - (after.known_s - before.known_s), whole_s),
        steal_share=_share(after.steal_s - before.steal_s, whole_s),
        capture_share=_share(after.capture_s - before.capture_s, whole_s),
        run_share=_grown(before.run_s, after.run_s, whole_s),
        prelaunched_share=_grown(before.prelaunched_s, after.prelaunched_s, whole_s),
        waiting_some_share=_grown(before.some_waited_s, after.some_waited_s, passed_s),
        waiting_full_share=_grown(before.full_waited_s, after.full_waited_s, passed_s),
    )


def idle_share(before: Reading, after: Reading) -> float | None:
    """The share of processor time between the two that nobody used; None if no time has passed."""
    passed_s = (after.at_s - before.at_s) * after.processors
    return _share(after.idle_s - before.idle_s, passed_s) if passed_s > 0 else None


def _grown(before_s: float | None, after_s: float | None, whole_s: float) -> float | None:
    return None if before_s is None or after_s is None else _share(after_s - before_s, whole_s)


def _share(part_s: float, whole_s: float) -> float:
    """Between 0 and 1: counters of different precision may miss that by a tick."""
    return round(min(1.0, max(0.0, part_s / whole_s)), DIGITS)


def reading(capture: Group | None, run: Group | None, proc: Path = Path("/proc")) -> Reading:
    """The counters now. `run` is the run's own group in `capture`."""
    counted = _machine(proc)
    if capture is None or run is None:
        return Reading(**counted, capture_s=descendants_s(os.getpid(), proc))
    others = [Group(path) for path in capture.path.glob("*/") if path != run.path]
    some_s, full_s = run.waited_s() or (None, None)
    return Reading(
        **counted,
        capture_s=capture.used_s(),
        run_s=run.used_s(),
        prelaunched_s=sum(other.used_s() for other in others),
        some_waited_s=some_s,
        full_waited_s=full_s,
    )


def _machine(proc: Path) -> dict[str, Any]:
    """What /proc/stat counts for all processors."""
    lines = (proc / "stat").read_text().splitlines()
    # user, nice, system, idle, iowait, irq, softirq, steal
    seconds = [int(word) / TICKS for word in lines[0].split()[1:9]]
    return {
        "at_s": monotonic(),
        "processors": sum(line.startswith("cpu") for line in lines) - 1,
        "idle_s": seconds[3],
        "waiting_for_disk_s": seconds[4],
        "interrupts_s": seconds[5] + seconds[6],
        "steal_s": seconds[7],
    }


def descendants_s(root: int, proc: Path = Path("/proc")) -> float:
    """Processor time of a process, its descendants, and of those of them that have ended and were waited for."""
    parents: dict[int, int] = {}
    used: dict[int, int] = {}
    for path in proc.glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended meanwhile
            continue
        pid = int(path.parent.name)
        parents[pid], used[pid] = int(fields[1]), sum(map(int, fields[11:15]))

    def ours(pid: int) -> bool:
        while pid != root and pid in parents:
            pid = parents[pid]
        return pid == root

    return sum(ticks for pid, ticks in used.items() if ours(pid)) / TICKS
