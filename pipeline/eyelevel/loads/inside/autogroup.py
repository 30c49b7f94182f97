"""Sets the processor weights of sessions, so that servers, emulation and film come before the browser."""

from contextlib import suppress
from pathlib import Path

# of servers, emulation, screen and film, which a page load must not keep from their work
FIRST = -10
# of the browser, its driver and the worker: the kernel's own
USUAL = 0
# of what is computed meanwhile and can wait: a tenth of the browser's share where both want the processors
BEHIND = 10
# the kernel's least weight, 1/640 of FIRST's: it runs where nobody else wants to
LAST = 19
SWITCH = Path("/proc/sys/kernel/sched_autogroup_enabled")


def can_hold_back(switch: Path = SWITCH, cgroups: Path = Path("/sys/fs/cgroup"), proc: Path = Path("/proc")) -> bool:
    """Whether this kernel shares by sessions, and no group of processes that we are in comes before that.

    Sessions count among the processes of the root group alone: not in most containers, nor in some services.
    """
    try:
        groups = [line.split(":", 2) for line in (proc / "self/cgroup").read_text().splitlines()]
        return switch.read_text().strip() == "1" and not any(_apart(cgroups, *group) for group in groups)
    except (OSError, ValueError, TypeError):
        return False


def _apart(cgroups: Path, _: str, controllers: str, path: str) -> bool:
    """Whether a line of /proc/self/cgroup tells of a group that has its own share of the processors."""
    if controllers:
        return "cpu" in controllers.split(",") and path != "/"
    # whoever is in a namespace of groups sees a root of its own, which has a weight; the real one has none
    return (cgroups / path.lstrip("/") / "cpu.weight").exists()


def weigh(pid: int, nice: int) -> None:
    """Set the weight of that process's session; nothing where the kernel has none, or we may not."""
    with suppress(OSError):
        Path(f"/proc/{pid}/autogroup").write_text(str(nice))
