"""Two captures on one machine take turns; one that is killed holds nobody up."""

import subprocess
import sys
import time
from pathlib import Path

from eyelevel.capture.machine import alone

HOLDER = """
import sys
import time
from pathlib import Path
from eyelevel.capture.machine import alone
with alone(Path(sys.argv[1]), waits=lambda: None):
    print("held", flush=True)
    sys.stdin.read()
"""


def never() -> None:
    raise AssertionError("nobody holds the machine")


def test_a_machine_that_is_free_is_taken_at_once(tmp_path: Path) -> None:
    for _ in range(2):
        with alone(tmp_path / "lock", waits=never):
            pass


def test_who_comes_second_is_told_and_waits_until_the_first_has_died(tmp_path: Path) -> None:
    place = tmp_path / "lock"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(place)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    told = []

    def waits() -> None:
        told.append(holder.poll())
        holder.kill()

    with alone(place, waits=waits):
        assert holder.wait(5) == -9
    holder.communicate()
    assert told == [None]


def test_who_lets_go_is_told_whether_somebody_waits(tmp_path: Path) -> None:
    place, parted = tmp_path / "lock", []
    with alone(place, waits=never, parts=lambda: parted.append("for nobody")):
        pass
    with alone(place, waits=never, parts=lambda: parted.append("for another")):
        waiter = subprocess.Popen(
            [sys.executable, "-c", HOLDER, str(place)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        until = time.monotonic() + 20
        while not _has_lock(waiter.pid, place.with_suffix(".waiting")) and time.monotonic() < until:
            time.sleep(0.02)
    assert waiter.stdout is not None
    assert waiter.stdout.readline() == "held\n"
    assert parted == ["for another"]
    waiter.communicate()


def _has_lock(pid: int, place: Path) -> bool:
    inode = place.stat().st_ino
    locks = [line.split() for line in Path("/proc/locks").read_text().splitlines()]
    return any(words[4] == str(pid) and words[5].endswith(f":{inode}") for words in locks if words[1] == "FLOCK")
