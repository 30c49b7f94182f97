"""Finds processes that a test or a benchmark started, by descent and by command line."""

import os
from pathlib import Path

PROC = Path("/proc")


def children(pid: int) -> list[int]:
    return [child for child, parent in _parents().items() if parent == pid]


def descendants(pid: int) -> list[int]:
    """The process itself, its children, theirs, and so on, each after its parent."""
    parents = _parents()
    found = [pid]
    for ancestor in found:
        found += [child for child, parent in parents.items() if parent == ancestor]
    return found


def words(pid: int) -> list[bytes]:
    """The command line; nothing where the process is gone."""
    try:
        return (PROC / str(pid) / "cmdline").read_bytes().split(b"\0")
    except OSError:
        return []


def state(pid: int) -> str:
    """One letter of the kernel: R runs, S sleeps, T is stopped, Z is dead; empty where it is gone."""
    fields = _fields(pid)
    return fields[0] if fields else ""


def everything() -> list[int]:
    return [int(entry.name) for entry in PROC.iterdir() if entry.name.isdigit()]


def naming(folder: Path) -> list[int]:
    """Other processes whose command line or environment names the folder."""
    name, mine = os.fsencode(folder), os.getpid()
    return [pid for pid in everything() if pid != mine and name in _told(pid)]


def _told(pid: int) -> bytes:
    try:
        return (PROC / str(pid) / "cmdline").read_bytes() + (PROC / str(pid) / "environ").read_bytes()
    except OSError:
        return b""


def _parents() -> dict[int, int]:
    return {pid: int(fields[1]) for pid in everything() if len(fields := _fields(pid)) > 1}


def _fields(pid: int) -> list[str]:
    """From the state on: before it stands the name, which may hold anything in its brackets."""
    try:
        return (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
