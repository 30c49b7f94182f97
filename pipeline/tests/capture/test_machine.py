"""Two captures on one machine take turns; one that is killed holds nobody up."""

import subprocess
import sys
from pathlib import Path

from eyelevel.capture.machine import alone

HOLDER = """
import sys
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
