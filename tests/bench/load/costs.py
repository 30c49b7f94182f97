"""Processor seconds and memory of a server's services, each with all of its processes."""

import os
from collections import defaultdict
from pathlib import Path

import processes

TICKS = os.sysconf("SC_CLK_TCK")
MIB = 1024
# words of a command line that tell a service; whatever has none of them serves the web
MARKS: dict[str, tuple[bytes, ...]] = {
    "PostgreSQL": (b"unix_socket_directories",),
    "Valkey": (b"unixsocket:",),
    "worker": (b"celery", b"worker"),
    "beat": (b"celery", b"beat"),
}


def platform_services(supervisor: int) -> dict[str, list[int]]:
    """The first processes of each service of an embedded platform, and its supervisor."""
    found: dict[str, list[int]] = defaultdict(list)
    for pid in processes.children(supervisor):
        line = b" ".join(processes.words(pid))
        found[next((name for name, marks in MARKS.items() if all(mark in line for mark in marks)), "web")].append(pid)
    return dict(found)


def processor_seconds(services: dict[str, list[int]]) -> dict[str, float]:
    """Used so far by each service: by its processes and by those that have ended below them."""
    return {name: sum(map(_seconds, _all(pids))) for name, pids in services.items()}


def memory_mib(services: dict[str, list[int]]) -> dict[str, float]:
    """In use by each service; what processes share is counted in parts."""
    return {name: sum(map(_proportional_kib, _all(pids))) / MIB for name, pids in services.items()}


def _all(first: list[int]) -> list[int]:
    return [pid for pid in first for pid in processes.descendants(pid)]


def _seconds(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    # its own, and that of the children it has waited for
    return sum(map(int, fields[11:15])) / TICKS


def _proportional_kib(pid: int) -> int:
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:"))
