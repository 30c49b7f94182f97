"""Supervisor: starts services once their dependencies answer, restarts those that end, and stops all in reverse order.

Once all services have answered, it never gives up: a service that ends or does not start is restarted after a growing
pause. It waits for processes that an earlier start left behind, and ends them if they stay.
"""

import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from types import FrameType

import psutil

from embedded.logs import rotate
from embedded.processes import STALLED_S, Activity, ServerError, last_line, signal_all

POLL_S = 0.2
FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 10.0
STEADY_S = 30.0  # a service that answered this long starts again with the first pause
# processes left of an earlier start: wait before a signal, and before SIGKILL
LEFTOVERS_S, LEFTOVERS_FORCE_S = 5.0, 30.0
SLOW_START_S = 30.0
LOGS_S = 60.0
SLOW = "takes long to start; still waiting"


class Answer(StrEnum):
    """State of a starting service; `COMING` counts as progress, `SILENT` does not."""

    YES = "yes"
    COMING = "coming"
    SILENT = "silent"


@dataclass(frozen=True)
class Service:
    """A service to supervise.

    `launch` starts its process and returns immediately; it raises ServerError for a problem that a person must solve.
    `answers` returns within some seconds whether it has started. `leftovers` returns processes of the same service that
    an earlier supervisor started.
    """

    name: str
    launch: Callable[[], subprocess.Popen[bytes]]
    answers: Callable[[], Answer] = lambda: Answer.YES
    needs: Sequence[str] = ()
    leftovers: Callable[[], list[psutil.Process]] = list
    log: Path | None = None
    stop_signal: signal.Signals = signal.SIGTERM
    stop_timeout_s: float = 20.0


class State(StrEnum):
    WAITING = "waiting"
    STARTING = "starting"
    RUNNING = "running"


@dataclass(frozen=True)
class Doing:
    """The state of a service, as written to `services.json`; `since` is an ISO 8601 time."""

    name: str
    state: State
    since: str
    ends: int
    reason: str | None


@dataclass
class Attempt:
    """A process of a service, from start to end."""

    process: subprocess.Popen[bytes]
    activity: Activity
    has_answered: bool = False


@dataclass
class Leftovers:
    """Start of the wait for earlier processes, and the last signal sent to them."""

    since: float
    last_signal: signal.Signals | None = None


@dataclass
class Unit:
    """A service and its current state; times are those of time.monotonic()."""

    service: Service
    attempt: Attempt | None = None
    leftovers: Leftovers | None = None
    since: float = field(default_factory=time.monotonic)
    since_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    # earliest time of the next start
    due: float = 0.0
    pause_s: float = field(default_factory=lambda: FIRST_PAUSE_S)
    ends: int = 0
    # why it does not run
    reason: str | None = None

    @property
    def state(self) -> State:
        if self.attempt is None:
            return State.WAITING
        return State.RUNNING if self.attempt.has_answered else State.STARTING

    @property
    def doing(self) -> Doing:
        since = self.since_at.isoformat(timespec="seconds")
        return Doing(self.service.name, self.state, since, self.ends, self.reason)

    def changed(self) -> None:
        self.since, self.since_at = time.monotonic(), datetime.now(UTC)


@dataclass
class Supervisor:
    """Runs `services`; `say` receives one line per event, `note` the state of all services after each change."""

    services: Sequence[Service]
    say: Callable[[str], None]
    note: Callable[[list[Doing]], None] = lambda _: None
    _units: list[Unit] = field(default_factory=list)
    _stopping: bool = False
    _has_served: bool = False

    def start(self) -> None:
        """Start all services, and return once all answer; if one fails, stop those that were started."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)
        self._units = [Unit(service) for service in self.services]
        try:
            while not self._stopping and any(unit.state is not State.RUNNING for unit in self._units):
                self._look()
            self._has_served = not self._stopping
        except BaseException:
            self.stop()
            raise

    def watch(self) -> None:
        """Restart services that end, until a signal requests a stop."""
        due = 0.0
        while not self._stopping:
            self._look()
            if time.monotonic() > due:
                due = time.monotonic() + LOGS_S
                for unit in self._units:
                    if unit.service.log is not None:
                        rotate(unit.service.log)

    def stop(self) -> None:
        """Stop all services in reverse order; kills those that do not stop in time."""
        self._stopping = True
        for unit in reversed(self._units):
            if unit.attempt is None or unit.attempt.process.poll() is not None:
                continue
            process, service = unit.attempt.process, unit.service
            process.send_signal(service.stop_signal)
            try:
                process.wait(service.stop_timeout_s)
            except subprocess.TimeoutExpired:
                self.say(f"{service.name} did not stop within {service.stop_timeout_s:g} s and is killed")
                process.kill()
                process.wait()
        self._units.clear()

    def _look(self) -> None:
        for unit in self._units:
            if self._stopping:
                return
            before = unit.state, unit.reason
            self._step(unit)
            if (unit.state, unit.reason) != before:
                self.note([each.doing for each in self._units])
        time.sleep(POLL_S)

    def _step(self, unit: Unit) -> None:
        if unit.attempt is None:
            if time.monotonic() >= unit.due and self._may_start(unit):
                self._launch(unit)
        elif (status := unit.attempt.process.poll()) is not None:
            self._ended(unit, status)
        elif not unit.attempt.has_answered:
            self._wait_for_answer(unit, unit.attempt)

    def _may_start(self, unit: Unit) -> bool:
        answering = {each.service.name for each in self._units if each.state is State.RUNNING}
        return answering.issuperset(unit.service.needs) and not self._waits_for_leftovers(unit)

    def _waits_for_leftovers(self, unit: Unit) -> bool:
        left = unit.service.leftovers()
        if not left:
            unit.leftovers = None
            return False
        now, names = time.monotonic(), ", ".join(str(process.pid) for process in left)
        if unit.leftovers is None:
            unit.leftovers = Leftovers(now)
            unit.reason = f"waits for earlier processes to end: {names}"
            self.say(f"{unit.service.name} {unit.reason}")
        waited_s = now - unit.leftovers.since
        number = signal.SIGKILL if waited_s > LEFTOVERS_FORCE_S else unit.service.stop_signal
        if waited_s > LEFTOVERS_S and unit.leftovers.last_signal is not number:
            unit.leftovers.last_signal = number
            self.say(f"{unit.service.name}: sent {number.name} to the earlier processes {names}")
            signal_all(left, number)
        return True

    def _launch(self, unit: Unit) -> None:
        try:
            process = unit.service.launch()
        except (ServerError, OSError) as error:
            self._failed(unit, f"did not start: {error}")
        else:
            unit.attempt = Attempt(process, Activity(process.pid, unit.service.log))
            unit.changed()

    def _wait_for_answer(self, unit: Unit, attempt: Attempt) -> None:
        answer = unit.service.answers()
        now = time.monotonic()
        took_s = now - unit.since
        if answer is Answer.YES:
            attempt.has_answered, unit.reason = True, None
            unit.changed()
            self.say(f"{unit.service.name} runs" + (f", after {took_s:.0f} s" if took_s > SLOW_START_S else ""))
            return
        if answer is Answer.COMING:
            attempt.activity.moved(now)
        if attempt.activity.stalled(now):
            attempt.process.kill()
            attempt.process.wait()
            self._failed(unit, f"made no progress for {STALLED_S:.0f} s while starting and was killed")
        elif took_s > SLOW_START_S and unit.reason != SLOW:
            unit.reason = SLOW
            self.say(f"{unit.service.name} {SLOW}")

    def _ended(self, unit: Unit, status: int) -> None:
        end = f"ended with status {status}"
        if unit.state is State.STARTING:
            end += f" while starting; {last_line(unit.service.log)}" if unit.service.log else " while starting"
        elif time.monotonic() - unit.since > STEADY_S:
            unit.pause_s = FIRST_PAUSE_S
        self._failed(unit, end)

    def _failed(self, unit: Unit, reason: str) -> None:
        if not self._has_served:
            raise ServerError(f"{unit.service.name} {reason}")
        self.say(f"{unit.service.name} {reason.rstrip('.')}; restarting it in {unit.pause_s:g} s")
        unit.attempt, unit.reason, unit.ends = None, reason, unit.ends + 1
        unit.changed()
        unit.due = time.monotonic() + unit.pause_s
        unit.pause_s = min(unit.pause_s * 2, LONGEST_PAUSE_S)

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        self._stopping = True
