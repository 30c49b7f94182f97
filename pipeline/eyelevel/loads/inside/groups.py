"""Control groups of the kernel (cgroup v2) in which the processor time of a capture is counted.

    eyelevel-PID/           the capture worker PID, browser driver, film and watcher
    eyelevel-PID/run-N/     testbed (servers, emulation, screen) and browser of one run

They only count. A group that has a weight would take its processes out of the sessions' weights (see autogroup.py), so
it is not used; nor is one where we may not make any. Then there is no group, and processes are counted one by one.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp

NAME = "eyelevel-"
# becomes the command that follows it, as a member of the group, before it starts anything
JOIN = 'echo $$ >"$0" && exec "$@"'


@dataclass(frozen=True)
class Group:
    path: Path

    @property
    def members(self) -> Path:
        return self.path / "cgroup.procs"

    def used_s(self) -> float:
        """Processor time of all that was ever in the group, or in a group in it."""
        return next(
            int(value) / 1e6
            for name, value in map(str.split, (self.path / "cpu.stat").read_text().splitlines())
            if name == "usage_usec"
        )

    def waited_s(self) -> tuple[float, float] | None:
        """How long some process of the group, and how long each that was not idle, waited for a processor so far.

        Pressure stall information; None where the kernel has none.
        """
        try:
            lines = dict(line.split(" ", 1) for line in (self.path / "cpu.pressure").read_text().splitlines())
            some, full = (int(lines[kind].rpartition("total=")[2]) / 1e6 for kind in ("some", "full"))
        except (OSError, KeyError, ValueError):
            return None
        return some, full

    @contextmanager
    def inner(self) -> Iterator["Group"]:
        """A group in this one, for as long as it is needed."""
        group = Group(Path(mkdtemp(prefix="run-", dir=self.path)))
        try:
            yield group
        finally:
            group.remove()

    def remove(self) -> None:
        """Remove it with all groups in it, as far as nobody is left there."""
        for path in sorted(self.path.glob("**/"), reverse=True):
            with suppress(OSError):
                path.rmdir()


def joining(group: Group | None) -> list[str]:
    """The command line that puts a program into the group, which follows it."""
    return [] if group is None else ["sh", "-c", JOIN, str(group.members)]


@contextmanager
def own_group(proc: Path = Path("/proc")) -> Iterator[Group | None]:
    """A group for this process and all that it starts; None where the kernel gives none that only counts."""
    above = _above(proc)
    group = _made(above) if above is not None else None
    try:
        yield group
    finally:
        if above is not None and group is not None:
            with suppress(OSError):
                (above / group.members.name).write_text(str(os.getpid()))
            group.remove()


def _made(above: Path) -> Group | None:
    for left in above.glob(f"{NAME}*"):  # by a worker that was killed
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
        own = next(Path(line[3:]) for line in lines if line.startswith("0::"))
        mounts = (line.split() for line in (proc / "self/mountinfo").read_text().splitlines())
        # ... the root of the mount, where it is mounted, options - its kind ...
        root, place = next((Path(each[3]), Path(each[4])) for each in mounts if each[each.index("-") + 1] == "cgroup2")
        return place / own.relative_to(root)
    return None
