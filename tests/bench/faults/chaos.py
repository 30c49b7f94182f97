"""kill -9 of one service of a platform that this bench started, found by descent from its supervisor, and by id."""

import os
import signal
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from platform_process import Platform

# words of the command line that tell a service's first process
SERVICES: dict[str, tuple[bytes, ...]] = {
    "web": (b"gunicorn",),
    "worker": (b"celery", b"worker"),
    "Valkey": (b"-server", b"unixsocket:"),
    "PostgreSQL": (b"unix_socket_directories",),
}
WAIT_S = 120.0


@dataclass
class Chaos:
    """`back_s` has, per service, the seconds from each kill until all of the platform was well again."""

    platform: Platform
    back_s: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def kill(self, service: str) -> None:
        """End the service's processes by force; the supervisor is to start them again."""
        first = self._first(service)
        for pid in [first, *_children(first)]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue

    def wait_until_well(self, service: str, since: float) -> None:
        """Wait until all services answer again, the killed one in another process."""
        end = since + WAIT_S
        while time.monotonic() < end:
            time.sleep(0.25)
            if self._is_well():
                self.back_s[service].append(time.monotonic() - since)
                return
        raise SystemExit(f"The platform was not well again within {WAIT_S:.0f} s after kill -9 of {service}.")

    def _is_well(self) -> bool:
        try:
            answer = httpx.get(f"{self.platform.url}/api/health", timeout=5, trust_env=False)
        except httpx.HTTPError:
            return False
        return answer.status_code == httpx.codes.OK

    def _first(self, service: str) -> int:
        end = time.monotonic() + WAIT_S
        while time.monotonic() < end:
            for pid in _children(self.platform.process.pid):
                words = _command(pid)
                if all(any(word in part for part in words) for word in SERVICES[service]):
                    return pid
            time.sleep(0.2)
        raise SystemExit(f"There is no {service} under the supervisor {self.platform.process.pid}.")


def _children(pid: int) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            # the parent is the second field after the name, which may hold anything in its brackets
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            continue
        if parent == pid:
            found.append(int(entry.name))
    return found


def _command(pid: int) -> list[bytes]:
    try:
        return (Path("/proc") / str(pid) / "cmdline").read_bytes().split(b"\0")
    except OSError:
        return []
