"""Sets the processor weights of sessions, so that servers, emulation and film have priority over the browser."""

from contextlib import suppress
from pathlib import Path

# for servers, emulation, screen and film, which a page load must not delay
FIRST = -10
# for the browser, its driver and the worker: the kernel's default
USUAL = 0
# for computations that can wait: a tenth of the browser's share if both need the processors
BEHIND = 10
# the kernel's lowest weight, 1/640 of FIRST's: it runs only on idle processors
LAST = 19
SWITCH = Path("/proc/sys/kernel/sched_autogroup_enabled")


def can_hold_back(switch: Path = SWITCH, cgroups: Path = Path("/sys/fs/cgroup"), proc: Path = Path("/proc")) -> bool:
    """Returns whether this kernel distributes processor time by sessions, and no control group of ours overrides that.

    Sessions count only for the processes of the root group: not in most containers, nor in some services.
    """
    try:
        groups = [line.split(":", 2) for line in (proc / "self/cgroup").read_text().splitlines()]
        return switch.read_text().strip() == "1" and not any(_apart(cgroups, *group) for group in groups)
    except (OSError, ValueError, TypeError):
        return False


def _apart(cgroups: Path, _: str, controllers: str, path: str) -> bool:
    """Whether a line of /proc/self/cgroup is a group with its own share of the processors."""
    if controllers:
        return "cpu" in controllers.split(",") and path != "/"
    # a process in a cgroup namespace sees its own root, which has a weight; the real root has none
    return (cgroups / path.lstrip("/") / "cpu.weight").exists()


def weigh(pid: int, nice: int) -> None:
    """Sets the weight of a process's session; does nothing if the kernel has none, or without permission."""
    with suppress(OSError):
        Path(f"/proc/{pid}/autogroup").write_text(str(nice))
