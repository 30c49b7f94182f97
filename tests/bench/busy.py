"""How much of a processor a process used, by its threads' clocks in /proc."""

import os
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def seconds(pid: int) -> dict[str, float]:
    """Processor time so far by the name of the process's threads, e.g. {"tokio-rt": 1.2}."""
    used: dict[str, float] = {}
    for path in Path(f"/proc/{pid}/task").glob("*/stat"):
        before, _, after = path.read_text().rpartition(")")
        fields = after.split()
        name = before.partition("(")[2]
        used[name] = used.get(name, 0.0) + (int(fields[11]) + int(fields[12])) / TICKS
    return used


def parent_named(name: str) -> int:
    """The nearest process above this one with that program; LookupError where there is none."""
    pid = os.getpid()
    while pid > 1:
        pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        if Path(f"/proc/{pid}/exe").resolve().name == name:
            return pid
    raise LookupError(f"no {name} above this process")


def here_with(argument: str) -> int:
    """The process of this network namespace with that argument; LookupError where there is none."""
    here = Path("/proc/self/ns/net").readlink()
    for path in Path("/proc").glob("[0-9]*"):
        try:
            # Chromium's children have their arguments in one line, with spaces
            words = (path / "cmdline").read_bytes().decode(errors="replace").replace("\0", " ").split(" ")
            if argument in words and (path / "ns" / "net").readlink() == here:
                return int(path.name)
        except OSError:  # it has ended meanwhile
            continue
    raise LookupError(f"no process with {argument} in this namespace")
