"""kill -9 of one service of a platform that this bench started, found by descent from its supervisor, and by id."""

import contextlib
import os
import signal
import time
from collections import defaultdict
from dataclasses import dataclass, field

import httpx
import processes
from platform_process import Platform

# words of the command line that tell a service's first process
SERVICES: dict[str, tuple[bytes, ...]] = {
    "web": (b"gunicorn",),
    "worker": (b"celery", b"worker@"),
    "Valkey": (b"-server", b"unixsocket:"),
    "PostgreSQL": (b"unix_socket_directories",),
}
ALL_SERVICES = SERVICES | {"in-depth": (b"celery", b"in-depth@"), "beat": (b"celery", b"beat")}
WAIT_S = 300.0


class NotWellError(Exception):
    """The platform did not come back, which ends the bench; says after what."""


@dataclass(frozen=True)
class Kill:
    service: str
    # the service's first process
    pid: int
    at: float


@dataclass
class Chaos:
    """`back_s` has, per service, the seconds from each kill until all of the platform was well again."""

    platform: Platform
    wait_s: float = WAIT_S
    back_s: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def kill(self, service: str, *, whole: bool = True) -> Kill:
        """End the service's processes by force, or only the first of them; the supervisor is to start them again."""
        end = time.monotonic() + self.wait_s
        # the last kill of it may have been just now
        while (first := self.first(service)) is None:
            if time.monotonic() > end:
                raise NotWellError(f"There is no {service} under the supervisor {self.platform.process.pid}.")
            time.sleep(0.2)
        done = Kill(service, first, time.monotonic())
        for pid in [first, *(processes.children(first) if whole else ())]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return done

    def wait_until_well(self, kill: Kill) -> None:
        """Wait until all services answer again, the killed one in another process; raise NotWellError if they don't."""
        end = kill.at + self.wait_s
        while time.monotonic() < end:
            time.sleep(0.25)
            if self.first(kill.service) not in (None, kill.pid) and self._is_well():
                self.back_s[kill.service].append(time.monotonic() - kill.at)
                return
        sentence = f"The platform was not well again within {self.wait_s:.0f} s after kill -9 of {kill.service}."
        raise NotWellError(sentence)

    def _is_well(self) -> bool:
        try:
            answer = httpx.get(f"{self.platform.url}/api/health", timeout=5, trust_env=False)
        except httpx.HTTPError:
            return False
        return answer.status_code == httpx.codes.OK

    def first(self, service: str) -> int | None:
        """The service's first process, if it runs."""
        for pid in processes.children(self.platform.process.pid):
            parts = processes.words(pid)
            if all(any(word in part for part in parts) for word in ALL_SERVICES[service]):
                return pid
        return None
