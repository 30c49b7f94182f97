"""Two captures on one machine take turns; one that is killed holds nobody up; encoders pause while a film is made."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from eyelevel.disk import DiskFullError
from eyelevel.errors import EyelevelError
from eyelevel.giving_way import giving_way
from eyelevel.machine import Share, alone, holder

HOLDER = """
import sys
from pathlib import Path
from eyelevel.machine import alone
with alone("signs", waits=lambda _: None, films=Path(sys.argv[1], "films"), clips=Path(sys.argv[1], "clips")):
    print("held", flush=True)
    sys.stdin.read()
"""
SOON_S = 20


def never(holder: str = "") -> None:
    raise AssertionError(f"nobody holds the machine, but {holder}")


@contextmanager
def film(
    folder: Path, waits: Callable[[str], None] = never, parts: Callable[[], None] = lambda: None
) -> Iterator[None]:
    with alone("demo", waits=waits, parts=parts, films=folder / "films", clips=folder / "clips"):
        yield


def begun(folder: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def held(process: "subprocess.Popen[str]") -> bool:
    assert process.stdout is not None
    return process.stdout.readline() == "held\n"


def soon(fact: Callable[[], bool]) -> bool:
    until = time.monotonic() + SOON_S
    while not fact() and time.monotonic() < until:
        time.sleep(0.02)
    return fact()


def test_a_machine_that_is_free_is_taken_at_once(tmp_path: Path) -> None:
    for _ in range(2):
        with film(tmp_path):
            pass


def test_who_comes_second_is_told_by_whom_and_waits_until_the_first_has_died(tmp_path: Path) -> None:
    first = begun(tmp_path)
    assert held(first)
    holders = []

    def waits(holder: str) -> None:
        holders.append((first.poll(), holder))
        first.kill()

    with film(tmp_path, waits):
        assert first.wait(5) == -9
    first.communicate()
    ((alive, words),) = holders
    assert alive is None
    assert words.startswith(f"pid {first.pid} (-c {tmp_path}), campaign signs, since 20")


def test_the_name_that_a_killed_process_left_is_not_given_for_another(tmp_path: Path) -> None:
    first = begun(tmp_path)
    assert held(first)
    first.kill()
    first.communicate()
    assert str(first.pid) in (tmp_path / "films").read_text()
    assert holder(tmp_path / "films") == "an unknown process"


def test_who_lets_go_is_told_whether_somebody_waits(tmp_path: Path) -> None:
    parted: list[str] = []
    with film(tmp_path, parts=lambda: parted.append("for nobody")):
        pass
    with film(tmp_path, parts=lambda: parted.append("for another")):
        waiter = begun(tmp_path)
        assert soon(lambda: _has_lock(waiter.pid, tmp_path / "films.waiting"))
    assert held(waiter)
    assert parted == ["for another"]
    waiter.communicate()


def _has_lock(pid: int, place: Path) -> bool:
    inode = place.stat().st_ino
    locks = [line.split() for line in Path("/proc/locks").read_text().splitlines()]
    return any(words[4] == str(pid) and words[5].endswith(f":{inode}") for words in locks if words[1] == "FLOCK")


def background(folder: Path, work: Callable[[], object], holders: list[str] | None = None) -> object:
    return giving_way(
        work, waits=never if holders is None else holders.append, clips=folder / "clips", films=folder / "films"
    )


def test_work_in_the_background_returns_its_value_and_raises_its_error_with_its_cause(tmp_path: Path) -> None:
    def makes_clips() -> str:
        return "clips"

    assert background(tmp_path, makes_clips) == "clips"

    def fails() -> None:
        raise EyelevelError("no clip") from OSError(28, "full")

    with pytest.raises(EyelevelError, match="no clip") as caught:
        background(tmp_path, fails)
    assert isinstance(caught.value.__cause__, OSError)

    def full() -> None:
        raise DiskFullError(tmp_path, "no space")

    with pytest.raises(DiskFullError, match="no space"):
        background(tmp_path, full)


def test_the_worker_ends_without_a_word(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert background(tmp_path, lambda: 7) == 7
    assert capfd.readouterr() == ("", "")


INTERRUPTED = """
import os, signal, sys, time
from pathlib import Path
from eyelevel.giving_way import giving_way
folder = Path(sys.argv[1])
def work():
    part = folder / "clip.part"
    part.touch()
    try:
        time.sleep(60)
    finally:
        part.unlink()
signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    giving_way(work, waits=print, clips=folder / "clips", films=folder / "films")
except KeyboardInterrupt:
    print("interrupted")
"""


def test_ctrl_c_ends_the_worker_too_and_lets_it_clean_up(tmp_path: Path) -> None:
    part = tmp_path / "clip.part"
    command = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, str(tmp_path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert soon(part.exists)
    command.send_signal(signal.SIGINT)
    assert command.communicate(timeout=30) == ("interrupted\n", "")
    assert not part.exists()


def test_a_worker_that_dies_is_one_clear_sentence(tmp_path: Path) -> None:
    with pytest.raises(EyelevelError, match=r"ended unexpectedly \(status -9\); run the same command again"):
        background(tmp_path, lambda: os.kill(os.getpid(), 9))


def test_work_begins_when_the_film_is_over(tmp_path: Path) -> None:
    filming = begun(tmp_path)
    assert held(filming)
    holders: list[str] = []

    def waits(holder: str) -> None:
        holders.append(holder)
        filming.kill()

    def work() -> bool:
        return not _has_lock(filming.pid, tmp_path / "films")

    assert giving_way(work, waits=waits, clips=tmp_path / "clips", films=tmp_path / "films")
    filming.communicate()
    assert [words.split()[:2] for words in holders] == [["pid", str(filming.pid)]]


COUNTER = """
import os, subprocess, sys, time
from pathlib import Path
from eyelevel.giving_way import giving_way
folder = Path(sys.argv[1])
def work():
    # a program of its own, as an encoder is
    subprocess.run([sys.executable, "-c", '''
import os, sys, time
n, parent = 0, os.getppid()
while os.getppid() == parent:  # as an encoder ends whose pipe is closed
    n += 1
    open(sys.argv[1], "w").write(str(n))
    time.sleep(0.01)
''', str(folder / "count")])
giving_way(work, waits=lambda _: print("waits", flush=True), clips=folder / "clips", films=folder / "films")
"""


def test_an_encoder_pauses_for_a_film_goes_on_after_it_and_dies_with_its_command(tmp_path: Path) -> None:
    count = tmp_path / "count"

    def counted() -> str:
        return count.read_text() if count.exists() else ""

    command = subprocess.Popen([sys.executable, "-c", COUNTER, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    try:
        assert soon(lambda: counted() != "")
        with film(tmp_path):
            time.sleep(0.3)  # it is stopped within milliseconds
            before = counted()
            time.sleep(0.5)
            assert counted() == before
        assert soon(lambda: counted() not in ("", before))
    finally:
        command.kill()
    assert command.communicate()[0] == "waits\n"
    time.sleep(0.3)
    last = counted()
    time.sleep(0.3)
    assert counted() == last


def test_a_share_is_no_obstacle_where_the_lock_cannot_be_opened(tmp_path: Path) -> None:
    share = Share(tmp_path / "nowhere" / "clips")
    assert share.taken()
    assert share.offered()
    share.close()
