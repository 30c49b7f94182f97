"""Measures the use of the processors while a page loaded: by the run, the rest of the capture, others, the hypervisor.

Idle time and steal are the kernel's values for all processors (/proc/stat). The capture's time is that of its control
group (see groups.py), or without one, of all descendants of the capture worker. The remaining time was used by others.

Interrupts. A kernel that measures their time (CONFIG_IRQ_TIME_ACCOUNTING) subtracts it from the tasks' time, so it is
known separately. Any other kernel counts it as time of the interrupted task, and /proc/stat only samples it by the
tick: subtracting it would count the capture's own interrupts twice, and hide as much time of others. Therefore it is
not subtracted there. The outside share is then never too small; it is too large by the interrupts of idle processors,
and by their transitions into and out of idle (ADR 18 has figures). Only the first kind of kernel counts hardware
interrupts: in the other, the tick cannot sample them, because it is one itself, and interrupts do not nest.
"""

import os
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic

from eyelevel.loads.inside.groups import Group
from eyelevel_core.model.take import Pressure

TICKS = os.sysconf("SC_CLK_TCK")
DIGITS = 4


@dataclass(frozen=True)
class Reading:
    """The seconds of processor time so far, summed over `processors`, at the time `at_s`.

    `run_s`, `some_waited_s` and `full_waited_s` (see Group.waited_s) are of the run alone, `prelaunched_s` is of the
    sessions that are prepared beside it; None if they are not counted separately.
    """

    at_s: float
    processors: int
    idle_s: float
    waiting_for_disk_s: float
    interrupts_s: float
    steal_s: float
    capture_s: float
    interrupts_apart: bool = False
    run_s: float | None = None
    prelaunched_s: float | None = None
    some_waited_s: float | None = None
    full_waited_s: float | None = None

    @property
    def nobodys_s(self) -> float:
        """Returns the time that no task used."""
        return self.idle_s + self.waiting_for_disk_s + self.steal_s


def pressure(before: Reading, after: Reading) -> Pressure | None:
    """Returns the use of the processors between two readings; None if no time has passed."""
    passed_s = after.at_s - before.at_s
    if passed_s <= 0:
        return None
    whole_s = passed_s * after.processors
    outside_s = whole_s - (after.nobodys_s - before.nobodys_s) - (after.capture_s - before.capture_s)
    if before.interrupts_apart:
        outside_s -= after.interrupts_s - before.interrupts_s
    return Pressure(
        outside_share=_share(outside_s, whole_s),
        steal_share=_share(after.steal_s - before.steal_s, whole_s),
        capture_share=_share(after.capture_s - before.capture_s, whole_s),
        run_share=_grown(before.run_s, after.run_s, whole_s),
        prelaunched_share=_grown(before.prelaunched_s, after.prelaunched_s, whole_s),
        waiting_some_share=_grown(before.some_waited_s, after.some_waited_s, passed_s),
        waiting_full_share=_grown(before.full_waited_s, after.full_waited_s, passed_s),
    )


def idle_share(before: Reading, after: Reading) -> float | None:
    """Returns the share of idle processor time between two readings; None if no time has passed."""
    passed_s = (after.at_s - before.at_s) * after.processors
    return _share(after.idle_s - before.idle_s, passed_s) if passed_s > 0 else None


def _grown(before_s: float | None, after_s: float | None, whole_s: float) -> float | None:
    return None if before_s is None or after_s is None else _share(after_s - before_s, whole_s)


def _share(part_s: float, whole_s: float) -> float:
    """The share, limited to 0 to 1, because counters of different precision may exceed that by a tick."""
    return round(min(1.0, max(0.0, part_s / whole_s)), DIGITS)


def reading(capture: Group | None, run: Group | None, proc: Path = Path("/proc")) -> Reading:
    """Returns the current counters; `run` is the run's group in `capture`."""
    counted = _machine(proc)
    if capture is None or run is None:
        return replace(counted, capture_s=descendants_s(os.getpid(), proc))
    others = [Group(path) for path in capture.path.glob("*/") if path != run.path]
    some_s, full_s = run.waited_s() or (None, None)
    return replace(
        counted,
        capture_s=capture.used_s(),
        run_s=run.used_s(),
        prelaunched_s=sum(other.used_s() for other in others),
        some_waited_s=some_s,
        full_waited_s=full_s,
    )


def _machine(proc: Path) -> Reading:
    """The counters of /proc/stat for all processors, without the capture's time."""
    lines = (proc / "stat").read_text().splitlines()
    # user, nice, system, idle, iowait, irq, softirq, steal
    seconds = [int(word) / TICKS for word in lines[0].split()[1:9]]
    return Reading(
        at_s=monotonic(),
        processors=sum(line.startswith("cpu") for line in lines) - 1,
        idle_s=seconds[3],
        waiting_for_disk_s=seconds[4],
        interrupts_s=seconds[5] + seconds[6],
        interrupts_apart=seconds[5] > 0,
        steal_s=seconds[7],
        capture_s=0.0,
    )


def descendants_s(root: int, proc: Path = Path("/proc")) -> float:
    """Returns the processor time of a process and its descendants, with those that have ended and were waited for."""
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
