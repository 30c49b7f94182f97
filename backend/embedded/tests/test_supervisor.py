"""Services start when what they need answers, start again for as long as it takes, and stop in reverse order."""

import itertools
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from embedded import processes
from embedded import supervisor as supervisor_module
from embedded.processes import ServerError
from embedded.supervisor import Answer, Doing, Service, Supervisor

WAIT_S = 20.0
SLEEP = "import time; time.sleep(60)"
BUSY = "while True: pass"


def python(program: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", program])


def sleeper(started: list[str], name: str) -> Callable[[], subprocess.Popen[bytes]]:
    def start() -> subprocess.Popen[bytes]:
        started.append(name)
        return python(SLEEP)

    return start


def wait_for(fact: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT_S
    while not fact():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


def watch_until(supervisor: Supervisor, fact: Callable[[], bool]) -> None:
    """Start, and watch until `fact` holds; then stop all, whatever happened."""

    def end() -> None:
        try:
            wait_for(fact)
        finally:
            os.kill(os.getpid(), signal.SIGTERM)

    supervisor.start()
    thread = threading.Thread(target=end)
    thread.start()
    try:
        supervisor.watch()
    finally:
        thread.join()
        supervisor.stop()
    assert fact()


def first_process(supervisor: Supervisor, place: int = 0) -> subprocess.Popen[bytes]:
    attempt = supervisor._units[place].attempt
    assert attempt is not None
    return attempt.process


@pytest.fixture(autouse=True)
def _keep_signal_handlers() -> Iterator[None]:
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [signal.getsignal(number) for number in numbers]
    yield
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor_module, "POLL_S", 0.02)
    monkeypatch.setattr(supervisor_module, "FIRST_PAUSE_S", 0.05)


def test_what_was_started_is_stopped_when_a_later_service_fails() -> None:
    processes: list[subprocess.Popen[bytes]] = []

    def first() -> subprocess.Popen[bytes]:
        processes.append(sleeper([], "first")())
        return processes[-1]

    def second() -> subprocess.Popen[bytes]:
        raise OSError("no room")

    with pytest.raises(ServerError, match=r"^second did not start: no room$"):
        Supervisor([Service("first", first), Service("second", second)], say=lambda _: None).start()
    assert [process.poll() for process in processes] == [-signal.SIGTERM]


def test_a_service_that_ends_before_it_answers_the_first_time_is_named_with_its_last_words(tmp_path: Path) -> None:
    log = tmp_path / "web.log"
    log.write_text("Loading\nPort 80 is taken\n")
    service = Service("web", lambda: python("raise SystemExit(3)"), lambda: Answer.SILENT, log=log)
    with pytest.raises(ServerError) as caught:
        Supervisor([service], say=lambda _: None).start()
    assert str(caught.value) == f"web ended with status 3 while starting; {log} ends with: Port 80 is taken"


def test_a_service_starts_when_those_that_it_needs_answer() -> None:
    started: list[str] = []
    answers = iter([Answer.SILENT, Answer.COMING, Answer.YES])
    asked: list[list[str]] = []

    def database_answers() -> Answer:
        asked.append(list(started))
        return next(answers)

    supervisor = Supervisor(
        [
            Service("web", sleeper(started, "web"), needs=("database",)),
            Service("database", sleeper(started, "database"), database_answers),
        ],
        say=lambda _: None,
    )
    supervisor.start()
    supervisor.stop()
    assert started == ["database", "web"]
    assert asked == [["database"]] * 3


def test_a_killed_service_is_started_again_and_a_signal_stops_all() -> None:
    started: list[str] = []
    said: list[str] = []
    noted: list[list[Doing]] = []
    supervisor = Supervisor(
        [Service("one", sleeper(started, "one")), Service("two", sleeper(started, "two"))], said.append, noted.append
    )
    supervisor.start()
    assert started == ["one", "two"]
    victim = first_process(supervisor, 1)

    def disturb() -> None:
        victim.kill()
        wait_for(lambda: started == ["one", "two", "two"])
        os.kill(os.getpid(), signal.SIGTERM)

    thread = threading.Thread(target=disturb)
    thread.start()
    supervisor.watch()
    running = [first_process(supervisor, place) for place in (0, 1)]
    supervisor.stop()
    thread.join()
    assert started == ["one", "two", "two"]
    assert said[2] == "two ended with status -9; restarting it in 0.05 s"
    assert [process.poll() for process in running] == [-signal.SIGTERM, -signal.SIGTERM]
    assert {(each.name, each.state) for facts in noted for each in facts} >= {("two", "waiting")}
    assert [each.ends for each in noted[-1]] == [0, 1]


def test_once_it_has_served_no_failure_ends_it_and_pauses_grow() -> None:
    """A start that fails again and again is tried again; what fails at first would have ended it."""
    said: list[str] = []
    launches: list[float] = []

    def launch() -> subprocess.Popen[bytes]:
        launches.append(time.monotonic())
        if len(launches) == 1:
            return python("import time; time.sleep(0.3)")
        if len(launches) == 2:
            raise ServerError("PostgreSQL 18 is not installed.")
        if len(launches) == 3:
            raise OSError("no space left on device")
        return python("raise SystemExit(1)" if len(launches) == 4 else SLEEP)

    answers = {4: Answer.SILENT}
    service = Service("database", launch, lambda: answers.get(len(launches), Answer.YES))
    supervisor = Supervisor([service], said.append)
    watch_until(supervisor, lambda: said[-1:] == ["database runs"] and len(launches) == 5)
    assert said == [
        "database runs",
        "database ended with status 0; restarting it in 0.05 s",
        "database did not start: PostgreSQL 18 is not installed; restarting it in 0.1 s",
        "database did not start: no space left on device; restarting it in 0.2 s",
        "database ended with status 1 while starting; restarting it in 0.4 s",
        "database runs",
    ]
    pauses = [later - earlier for earlier, later in itertools.pairwise(launches[1:])]
    assert all(pause >= least for pause, least in zip(pauses, (0.1, 0.2, 0.4), strict=True))


def test_a_slow_start_that_makes_progress_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "STALLED_S", 0.3)
    monkeypatch.setattr(supervisor_module, "SLOW_START_S", 0.6)
    said: list[str] = []
    ready_at = time.monotonic() + 1.5
    service = Service("web", lambda: python(BUSY), lambda: Answer.YES if time.monotonic() > ready_at else Answer.SILENT)
    supervisor = Supervisor([service], said.append)
    supervisor.start()
    supervisor.stop()
    slow, runs = said
    assert slow == "web takes long to start; still waiting"
    # about 1.5 s, later on a busy machine
    assert re.fullmatch(r"web runs, after [1-9] s", runs)


def test_a_recovering_server_that_says_so_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "STALLED_S", 0.3)
    ready_at = time.monotonic() + 1.0
    service = Service(
        "database", lambda: python(SLEEP), lambda: Answer.YES if time.monotonic() > ready_at else Answer.COMING
    )
    supervisor = Supervisor([service], lambda _: None)
    supervisor.start()
    supervisor.stop()


def test_a_start_that_does_nothing_is_killed_and_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "STALLED_S", 0.3)
    monkeypatch.setattr(supervisor_module, "STALLED_S", 0.3)
    said: list[str] = []
    launched: list[subprocess.Popen[bytes]] = []

    def launch() -> subprocess.Popen[bytes]:
        launched.append(python("import time; time.sleep(0.2)" if len(launched) == 0 else SLEEP))
        return launched[-1]

    service = Service("web", launch, lambda: Answer.SILENT if len(launched) == 2 else Answer.YES)
    watch_until(Supervisor([service], said.append), lambda: len(launched) == 3)
    assert launched[1].poll() == -signal.SIGKILL
    assert any(line.startswith("web made no progress for 0 s while starting and was killed") for line in said)


def test_what_an_earlier_process_left_is_waited_for_then_ended(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(supervisor_module, "LEFTOVERS_S", 0.2)
    monkeypatch.setattr(supervisor_module, "LEFTOVERS_FORCE_S", 0.5)
    is_deaf = tmp_path / "is-deaf"
    ignore = "import pathlib, signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)"
    deaf = python(f"{ignore}; pathlib.Path({str(is_deaf)!r}).touch(); {SLEEP}")
    wait_for(is_deaf.exists)
    thread = threading.Thread(target=deaf.wait)
    thread.start()
    started: list[str] = []
    said: list[str] = []

    def leftovers() -> list[psutil.Process]:
        return [psutil.Process(deaf.pid)] if thread.is_alive() else []

    supervisor = Supervisor([Service("web", sleeper(started, "web"), leftovers=leftovers)], said.append)
    supervisor.start()
    supervisor.stop()
    assert said == [
        f"web waits for earlier processes to end: {deaf.pid}",
        f"web: sent SIGTERM to the earlier processes {deaf.pid}",
        f"web: sent SIGKILL to the earlier processes {deaf.pid}",
        "web runs",
    ]
    assert deaf.returncode == -signal.SIGKILL


def test_a_service_that_does_not_go_is_killed(tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    ignore = "import signal, time, pathlib; signal.signal(signal.SIGTERM, signal.SIG_IGN)"
    deaf = f"{ignore}; pathlib.Path({str(ready)!r}).touch(); time.sleep(60)"
    said: list[str] = []
    service = Service("deaf", lambda: subprocess.Popen([sys.executable, "-c", deaf]), stop_timeout_s=0.2)
    supervisor = Supervisor([service], said.append)
    supervisor.start()
    wait_for(ready.exists)
    process = first_process(supervisor)
    supervisor.stop()
    assert process.poll() == -signal.SIGKILL
    assert said[-1] == "deaf did not stop within 0.2 s and is killed"
