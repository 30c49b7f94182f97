"""Services are started in order, restarted when they die, stopped in reverse order."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from embedded.supervisor import Service, Supervisor

WAIT_S = 20.0


def sleeper(started: list[str], name: str) -> Callable[[], subprocess.Popen[bytes]]:
    def start() -> subprocess.Popen[bytes]:
        started.append(name)
        return subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])

    return start


def wait_for(fact: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT_S
    while not fact():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


@pytest.fixture(autouse=True)
def _keep_signal_handlers() -> object:
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [signal.getsignal(number) for number in numbers]
    yield
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)


def test_what_was_started_is_stopped_when_a_later_service_fails() -> None:
    processes: list[subprocess.Popen[bytes]] = []

    def first() -> subprocess.Popen[bytes]:
        processes.append(sleeper([], "first")())
        return processes[-1]

    def second() -> subprocess.Popen[bytes]:
        raise OSError("no room")

    with pytest.raises(OSError, match="no room"):
        Supervisor([Service("first", first), Service("second", second)], say=lambda _: None).start()
    assert [process.poll() for process in processes] == [-signal.SIGTERM]


def test_a_killed_service_is_started_again_and_a_signal_stops_all() -> None:
    started: list[str] = []
    said: list[str] = []
    supervisor = Supervisor(
        [Service("one", sleeper(started, "one")), Service("two", sleeper(started, "two"))], said.append
    )
    supervisor.start()
    assert started == ["one", "two"]
    victim = supervisor._running[1].process

    def disturb() -> None:
        victim.kill()
        wait_for(lambda: started == ["one", "two", "two"])
        os.kill(os.getpid(), signal.SIGTERM)

    thread = threading.Thread(target=disturb)
    thread.start()
    supervisor.watch()
    running = [each.process for each in supervisor._running]
    supervisor.stop()
    thread.join()
    assert started == ["one", "two", "two"]
    assert said[2] == "two ended with status -9; starting it again in 0.5 s"
    assert [process.poll() for process in running] == [-signal.SIGTERM, -signal.SIGTERM]


def test_a_service_that_does_not_go_is_killed(tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    ignore = "import signal, time, pathlib; signal.signal(signal.SIGTERM, signal.SIG_IGN)"
    deaf = f"{ignore}; pathlib.Path({str(ready)!r}).touch(); time.sleep(60)"
    said: list[str] = []
    service = Service("deaf", lambda: subprocess.Popen([sys.executable, "-c", deaf]), stop_timeout_s=0.2)
    supervisor = Supervisor([service], said.append)
    supervisor.start()
    wait_for(ready.exists)
    process = supervisor._running[0].process
    supervisor.stop()
    assert process.poll() == -signal.SIGKILL
    assert said[-1] == "deaf did not stop within 0.2 s and is killed"
