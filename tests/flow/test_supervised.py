"""Tests that the embedded platform comes back whatever is killed, on a machine that has no time for it.

Votes under kills are in `test_killed.py` and `bench/test_faults.py`; here it is only about coming back.
"""

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator

import platform_process
import processes
import pytest
from bench.faults.chaos import ALL_SERVICES, Chaos
from platform_process import Platform

pytestmark = [pytest.mark.services]

SEED = 37
KILLS = 20
# busy programs per processor
LOAD = 3
BUSY_S = 1500


@pytest.fixture
def busy() -> Iterator[None]:
    """Programs that want all processors; each ends by itself."""
    program = f"import time; end = time.monotonic() + {BUSY_S}\nwhile time.monotonic() < end: pass"
    hogs = [subprocess.Popen([sys.executable, "-c", program]) for _ in range(LOAD * (os.cpu_count() or 1))]
    yield
    for hog in hogs:
        hog.kill()
        hog.wait()


@pytest.fixture
def fresh() -> Iterator[Platform]:
    with platform_process.running() as platform:
        yield platform


def kill_all(chaos: Chaos, *, whole: bool) -> None:
    kills = [chaos.kill(service, whole=whole) for service in ALL_SERVICES]
    for kill in kills:
        chaos.wait_until_well(kill)


def states(platform: Platform) -> dict[str, str]:
    return {each["name"]: each["state"] for each in json.loads((platform.data / "services.json").read_text())}


def test_all_services_come_back_when_their_first_processes_are_killed_at_once(fresh: Platform) -> None:
    """PostgreSQL's other processes go on for a while, and it does not start before they have ended."""
    kill_all(Chaos(fresh), whole=False)
    assert states(fresh) == dict.fromkeys(ALL_SERVICES, "running")


@pytest.mark.soak
def test_postgres_comes_back_although_a_process_of_its_own_hangs(fresh: Platform) -> None:
    """It does not start beside what is left of an earlier one, and a process that is stopped never ends by itself."""
    chaos = Chaos(fresh)
    first = chaos.first("PostgreSQL")
    assert first is not None
    hung = processes.children(first)[0]
    os.kill(hung, signal.SIGSTOP)
    try:
        chaos.wait_until_well(chaos.kill("PostgreSQL", whole=False))
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(hung, signal.SIGKILL)


@pytest.mark.soak
@pytest.mark.usefixtures("busy")
def test_the_platform_comes_back_after_twenty_kills_in_random_order_and_of_all_at_once(fresh: Platform) -> None:
    draw = random.Random(SEED)
    chaos = Chaos(fresh)
    order = [service for _ in range(-(-KILLS // len(ALL_SERVICES))) for service in draw.sample([*ALL_SERVICES], k=6)]
    for service in order[:KILLS]:
        chaos.wait_until_well(chaos.kill(service, whole=draw.random() < 0.5))
    for whole in (True, False):
        kill_all(chaos, whole=whole)
    assert states(fresh) == dict.fromkeys(ALL_SERVICES, "running")
    assert fresh.process.poll() is None


def test_a_process_that_an_earlier_platform_left_is_ended_before_its_service_starts() -> None:
    with platform_process.running() as platform:
        # as gunicorn's workers are for some seconds after kill -9 of their first process
        left = subprocess.Popen(
            [sys.executable, "-c", "import time; time.sleep(600)"],
            env={**os.environ, "EYELEVEL_SERVICE": f"{platform.data}:beat"},
        )
        Chaos(platform).wait_until_well(Chaos(platform).kill("beat"))
        assert left.wait(timeout=1) != 0
