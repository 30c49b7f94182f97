"""Checks on this machine for one need at a time. They change nothing and do not need root."""

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, entry_points, version
from pathlib import Path

from eyelevel.doctor.needs import UDP_BUFFER_BYTES, Kind, Need
from eyelevel.errors import ToolMissingError

VERSION = re.compile(r"\d+(?:\.\d+)+\S*")
PATIENCE_S = 20
# the platform's variables (backend/config/settings.py) by which a server on another machine is used
ELSEWHERE = {"PostgreSQL": "EYELEVEL_DATABASE_URL", "Valkey": "EYELEVEL_REDIS_URL"}
RMEM_MAX = Path("/proc/sys/net/core/rmem_max")
RT_RUNTIME = Path("/proc/sys/kernel/sched_rt_runtime_us")
BUILT_PAGES = Path(__file__).resolve().parents[3] / "frontend" / "dist"


@dataclass(frozen=True)
class Finding:
    """The result of a check: `found` is a version or `yes`, or None if the need is not met; `note` may say why."""

    found: str | None
    note: str = ""


def look(need: Need, *, finders: Mapping[Kind, Callable[[], object]]) -> Finding:
    """Checks one need. `finders` return the path of a program that need not be on PATH, or raise ToolMissingError."""
    finder = finders.get(need.kind)
    return LOOKS[need.kind](need) if finder is None else _by_finder(finder)


def _program(need: Need) -> Finding:
    if shutil.which(need.name) is None:
        return Finding(None)
    return Finding(_version_in(list(need.version)) or "yes")


def _package(need: Need) -> Finding:
    try:
        found = version(need.name)
    except PackageNotFoundError:
        return Finding(None)
    if need.version:
        tried = subprocess.run(need.version, capture_output=True, text=True, check=False, timeout=PATIENCE_S)
        if tried.returncode != 0:
            *_, reason = tried.stderr.strip().splitlines() or [f"exit status {tried.returncode}"]
            return Finding(None, f"it does not start (Debian: apt-get install libatomic1): {reason}")
    return Finding(found)


def _font(need: Need) -> Finding:
    if shutil.which("fc-list") is None:
        return Finding(None, "unknown, because fc-list is missing")
    language = need.name.rpartition(" ")[2]
    return Finding("yes" if _output(["fc-list", f":lang={language}", "family"]) else None)


def _by_finder(find: Callable[[], object]) -> Finding:
    try:
        return Finding(_version_in([str(find()), "--version"]) or "yes")
    except ToolMissingError as error:
        return Finding(None, str(error))


def _root(_: Need) -> Finding:
    return Finding("yes" if os.geteuid() == 0 else None)


def _namespaces(_: Need) -> Finding:
    """Creates namespaces and removes them at once; a user who is not root does so in a user namespace."""
    as_user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    if shutil.which("unshare") is None:
        return Finding(None, "unknown, because unshare is missing (apt-get install util-linux)")
    command = ["unshare", *as_user, "--net", "--pid", "--mount", "--fork", "true"]
    tried = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE_S)
    if tried.returncode == 0:
        return Finding("yes")
    if os.geteuid() != 0:
        return Finding(None, "unknown: only root can test it")
    return Finding(None, tried.stderr.strip())


def _udp_buffer(_: Need) -> Finding:
    """Compares the largest receive buffer that a program gets with what browsers ask for."""
    try:
        most = int(RMEM_MAX.read_text())
    except (OSError, ValueError):
        return Finding(None, f"unknown, because {RMEM_MAX} cannot be read")
    return Finding(f"{most} bytes" if most >= UDP_BUFFER_BYTES else None)


def _real_time(_: Need) -> Finding:
    """Runs a program with the servers' priority, unless the system allows real-time programs no time at all."""
    if shutil.which("chrt") is None:
        return Finding(None, "unknown, because chrt is missing (apt-get install util-linux)")
    try:
        if int(RT_RUNTIME.read_text()) == 0:
            return Finding(None, "sysctl -w kernel.sched_rt_runtime_us=950000, as root; it is 0")
    except (OSError, ValueError):
        return Finding(None, f"unknown, because {RT_RUNTIME} cannot be read")
    command = ["chrt", "--fifo", "1", "true"]
    tried = subprocess.run(command, capture_output=True, check=False, timeout=PATIENCE_S)
    if tried.returncode == 0:
        return Finding("yes")
    return Finding(None, "" if os.geteuid() == 0 else "unknown: only root can test it")


def _server(need: Need) -> Finding:
    """Asks the platform, by its entry point `missing_servers`; the platform may not be installed on this machine."""
    if os.environ.get(ELSEWHERE[need.name]):
        return Finding(f"elsewhere ({ELSEWHERE[need.name]})")
    checks = entry_points(group="eyelevel.doctor", name="missing_servers")
    if not checks:
        return Finding(None, "cannot check: the platform is not installed (pip install -e backend, or make setup)")
    missing: list[str] = next(iter(checks)).load()()
    return Finding(None if need.name in missing else "yes")


def _pages(_: Need) -> Finding:
    folder = Path(os.environ.get("EYELEVEL_FRONTEND_DIST") or BUILT_PAGES)
    return Finding("yes" if (folder / "index.html").is_file() else None)


def _version_in(command: list[str]) -> str | None:
    version_text = VERSION.search(_output(command)) if shutil.which(command[0]) else None
    return version_text.group() if version_text else None


def _output(command: list[str]) -> str:
    try:
        completed = subprocess.run(
            command, capture_output=True, text=True, errors="replace", check=False, timeout=PATIENCE_S
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return (completed.stdout + completed.stderr).strip()


LOOKS: Mapping[Kind, Callable[[Need], Finding]] = {
    Kind.PROGRAM: _program,
    Kind.PACKAGE: _package,
    Kind.FONT: _font,
    Kind.ROOT: _root,
    Kind.NAMESPACES: _namespaces,
    Kind.UDP_BUFFER: _udp_buffer,
    Kind.REAL_TIME: _real_time,
    Kind.SERVER: _server,
    Kind.PAGES: _pages,
}
