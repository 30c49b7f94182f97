"""Control groups of the kernel (cgroup v2) in which the processor time of a capture is counted.

    eyelevel-PID/           the capture worker PID, browser driver, film and watcher
    eyelevel-PID/run-N/     testbed (servers, emulation, screen) and browser of one run

They are only for counting. A group with a weight would remove its processes from the weights of sessions (see
autogroup.py), so it is not used. Then, or without permission to create groups, there is no group, and processes are
counted individually.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp

NAME = "eyelevel-"
# joins the group, then executes the command that follows
JOIN = 'echo $$ >"$0" && exec "$@"'


@dataclass(frozen=True)
class Group:
    """A control group, by its folder."""

    path: Path

    @property
    def members(self) -> Path:
        return self.path / "cgroup.procs"

    def used_s(self) -> float:
        """Returns the processor time of all processes that were ever in the group, or in a group in it."""
        return next(
            int(value) / 1e6
            for name, value in map(str.split, (self.path / "cpu.stat").read_text().splitlines())
            if name == "usage_usec"
        )

    def waited_s(self) -> tuple[float, float] | None:
        """Returns how long at least one process of the group, and how long all non-idle ones, waited for a processor.

        This is pressure stall information; None if the kernel has none.
        """
        try:
            lines = dict(line.split(" ", 1) for line in (self.path / "cpu.pressure").read_text().splitlines())
            some, full = (int(lines[kind].rpartition("total=")[2]) / 1e6 for kind in ("some", "full"))
        except (OSError, KeyError, ValueError):
            return None
        return some, full

    @contextmanager
    def inner(self) -> Iterator["Group"]:
        """Returns a context with a new group in this one."""
        group = Group(Path(mkdtemp(prefix="run-", dir=self.path)))
        try:
            yield group
        finally:
            group.remove()

    def remove(self) -> None:
        """Removes the group and all groups in it, except those that still have processes."""
        for path in sorted(self.path.glob("**/"), reverse=True):
            with suppress(OSError):
                path.rmdir()


def joining(group: Group | None) -> list[str]:
    """Returns the beginning of a command line that runs a program in the group."""
    return [] if group is None else ["sh", "-c", JOIN, str(group.members)]


@contextmanager
def own_group(proc: Path = Path("/proc")) -> Iterator[Group | None]:
    """Returns a context with a group for this process and its children; None if this is not possible."""
    above = _above(proc)
    group = _new_group(above) if above is not None else None
    try:
        yield group
    finally:
        if above is not None and group is not None:
            with suppress(OSError):
                (above / group.members.name).write_text(str(os.getpid()))
            group.remove()


def _new_group(above: Path) -> Group | None:
    for left in above.glob(f"{NAME}*"):  # left by a worker that was killed
        if not Path("/proc", left.name.removeprefix(NAME)).exists():
            Group(left).remove()
    group = Group(above / f"{NAME}{os.getpid()}")
    try:
        group.path.mkdir()
        if not (group.path / "cpu.weight").exists():
            group.members.write_text(str(os.getpid()))
            return group
    except OSError:
        pass
    group.remove()
    return None


def _above(proc: Path) -> Path | None:
    """The folder of the group that this process is in; None without cgroup v2."""
    with suppress(OSError, StopIteration, ValueError):
        lines = (proc / "self/cgroup").read_text().splitlines()
        group = next(Path(line[3:]) for line in lines if line.startswith("0::"))
        mounts = (line.split() for line in (proc / "self/mountinfo").read_text().splitlines())
        # ... the root of the mount, where it is mounted, options - its kind ...
        root, place = next((Path(each[3]), Path(each[4])) for each in mounts if each[each.index("-") + 1] == "cgroup2")
        return place / group.relative_to(root)
    return None
