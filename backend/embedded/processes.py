"""Processes of the platform: their user, start and end, and leftovers of earlier ones."""

import ctypes
import os
import pwd
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypedDict

import psutil

PR_SET_PDEATHSIG = 1
# marks the processes of a Python service; children inherit it
SERVICE_VARIABLE = "EYELEVEL_SERVICE"
# a starting process that uses less than this share of a processor for STALLED_S hangs
IDLE_SHARE = 0.01
STALLED_S = 60.0


class ServerError(Exception):
    """A service cannot be found or started; the message says what to do."""


class Identity(TypedDict, total=False):
    user: int
    group: int
    extra_groups: list[int]


def unprivileged_user(default: str = "nobody") -> str | None:
    """The user of the services: `default` if we are root (initdb rejects root), else None for the current user."""
    return default if os.geteuid() == 0 else None


def as_user(user: str | None) -> Identity:
    """Arguments of Popen that run a program as `user`."""
    if user is None:
        return {}
    account = _account(user)
    return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}


def make_private(folder: Path, *, user: str | None) -> None:
    """Create `folder` if it is missing, accessible to `user` only."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    if user is not None:
        account = _account(user)
        os.chown(folder, account.pw_uid, account.pw_gid)
        check_reachable(folder / "inside", user=user)


def check_reachable(path: Path, *, user: str | None) -> None:
    """Raise ServerError, with the folder that is closed, if `user` cannot reach `path`."""
    if user is None:
        return
    account = _account(user)
    groups = set(os.getgrouplist(user, account.pw_gid))
    for folder in reversed(path.resolve().parents):
        status = folder.stat()
        shift = 6 if status.st_uid == account.pw_uid else 3 if status.st_gid in groups else 0
        if not status.st_mode >> shift & 0o1:
            raise ServerError(f"The user {user} cannot enter {folder}, which leads to {path}; move it, or chmod o+x.")


def die_with_parent(with_signal: signal.Signals) -> Callable[[], None] | None:
    """A function for a child to call before exec, so that the kernel signals it when its parent dies; Linux only."""
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None, use_errno=True)
    return lambda: libc.prctl(PR_SET_PDEATHSIG, int(with_signal), 0, 0, 0)


def spawn(
    command: list[str],
    *,
    folder: Path,
    log: Path,
    user: str | None,
    environment: Mapping[str, str],
    dies_by: signal.Signals,
) -> subprocess.Popen[bytes]:
    """Start a service in `folder` with its output in `log`; the kernel sends it `dies_by` when we die."""
    with log.open("ab") as output:
        return subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=environment,
            # Ctrl-C in the terminal must reach only the supervisor, which stops services in order
            start_new_session=True,
            preexec_fn=die_with_parent(dies_by),  # noqa: PLW1509 - the hook only calls prctl
            **as_user(user),
        )


def working_in(folder: Path, programs: Collection[str]) -> list[psutil.Process]:
    """All processes of these programs whose working folder is `folder`, as servers have their data folder."""
    return list(_those(lambda process: process.name() in programs and process.cwd() == str(folder.resolve())))


def marked(mark: str) -> list[psutil.Process]:
    """All processes with `mark` in SERVICE_VARIABLE, which children inherit."""
    return list(_those(lambda process: process.environ().get(SERVICE_VARIABLE) == mark))


def signal_all(processes: Iterable[psutil.Process], number: signal.Signals) -> None:
    """Send a signal to each process; ignores processes that have ended meanwhile."""
    for process in processes:
        try:
            process.send_signal(number)
        except psutil.NoSuchProcess:
            continue


@dataclass
class Activity:
    """Progress of a starting process and its children, measured by processor time and size of the log."""

    pid: int
    log: Path | None
    _used_s: float = 0.0
    _log_bytes: int = 0
    _moved_at: float = field(default_factory=time.monotonic)

    def stalled(self, now: float) -> bool:
        """Whether nothing happened for STALLED_S; `now` is time.monotonic()."""
        used_s, log_bytes = _used_s(self.pid), _size(self.log)
        if used_s > self._used_s + IDLE_SHARE * STALLED_S or log_bytes != self._log_bytes:
            self.moved(now)
            self._used_s, self._log_bytes = used_s, log_bytes
        return now - self._moved_at > STALLED_S

    def moved(self, now: float) -> None:
        """Record progress that was observed in another way."""
        self._moved_at = now


def last_line(log: Path) -> str:
    """The last line of a log, as the second half of a sentence."""
    try:
        lines = log.read_text(errors="replace").strip().splitlines()
    except OSError:
        lines = []
    return f"{log} ends with: {lines[-1]}" if lines else f"{log} is empty."


def _those(wanted: Callable[[psutil.Process], bool]) -> Iterator[psutil.Process]:
    for process in psutil.process_iter():
        try:
            if process.pid != os.getpid() and process.status() != psutil.STATUS_ZOMBIE and wanted(process):
                yield process
        except (psutil.Error, OSError):
            # it has ended, or belongs to another user
            continue


def _used_s(pid: int) -> float:
    used = 0.0
    try:
        first = psutil.Process(pid)
        for process in (first, *first.children(recursive=True)):
            times = process.cpu_times()
            used += times.user + times.system
            if process is first:
                used += times.children_user + times.children_system
    except psutil.Error:
        pass
    return used


def _size(log: Path | None) -> int:
    try:
        return log.stat().st_size if log is not None else 0
    except OSError:
        return 0


def _account(user: str) -> pwd.struct_passwd:
    try:
        return pwd.getpwnam(user)
    except KeyError:
        raise ServerError(f"This machine has no user {user}; set EYELEVEL_USER to another unprivileged user.") from None
