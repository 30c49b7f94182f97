"""Supervisor: starts services in order, restarts a service that ends, and stops all in reverse order."""

import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import FrameType

POLL_S = 0.2
FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 10.0
STEADY_S = 30.0  # a service that ran this long starts again without a pause


@dataclass
class Service:
    """One service: how to start it (returns once it answers) and how to stop it."""

    name: str
    start: Callable[[], subprocess.Popen[bytes]]
    stop_signal: signal.Signals = signal.SIGTERM
    stop_timeout_s: float = 20.0


@dataclass
class _Running:
    service: Service
    process: subprocess.Popen[bytes]
    since: float
    pause_s: float = FIRST_PAUSE_S


@dataclass
class Supervisor:
    """Runs `services`; `say` gets one line per event for a person."""

    services: Sequence[Service]
    say: Callable[[str], None]
    _running: list[_Running] = field(default_factory=list)
    _stopping: bool = False

    def start(self) -> None:
        """Start all in order; what was started is stopped again if one fails."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)
        try:
            for service in self.services:
                if self._stopping:
                    break
                self._running.append(_Running(service, service.start(), time.monotonic()))
                self.say(f"{service.name} runs")
        except BaseException:
            self.stop()
            raise

    def watch(self) -> None:
        """Return when a signal asked to stop; until then start again whatever dies."""
        while not self._stopping:
            for running in self._running:
                if running.process.poll() is not None and not self._stopping:
                    self._restart(running)
            time.sleep(POLL_S)

    def stop(self) -> None:
        """Stop all in reverse order, by force where one does not go."""
        self._stopping = True
        for running in reversed(self._running):
            if running.process.poll() is not None:
                continue
            running.process.send_signal(running.service.stop_signal)
            try:
                running.process.wait(running.service.stop_timeout_s)
            except subprocess.TimeoutExpired:
                self.say(
                    f"{running.service.name} did not stop within {running.service.stop_timeout_s:g} s and is killed"
                )
                running.process.kill()
                running.process.wait()
        self._running.clear()

    def _restart(self, running: _Running) -> None:
        lasted_s = time.monotonic() - running.since
        if lasted_s > STEADY_S:
            running.pause_s = FIRST_PAUSE_S
        name, status = running.service.name, running.process.returncode
        self.say(f"{name} ended with status {status}; starting it again in {running.pause_s:g} s")
        end = time.monotonic() + running.pause_s
        while time.monotonic() < end and not self._stopping:
            time.sleep(POLL_S)
        running.pause_s = min(running.pause_s * 2, LONGEST_PAUSE_S)
        running.since = time.monotonic()
        if self._stopping:
            return
        try:
            running.process = running.service.start()
        except Exception as error:
            self.say(f"{running.service.name} did not start: {error}")

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        self._stopping = True
