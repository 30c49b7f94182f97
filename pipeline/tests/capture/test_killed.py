"""kill -9 before every file operation of a campaign, and at random moments: the resumed campaign has the same takes."""

import json
import multiprocessing
import os
import random
import signal
import sys
from collections import Counter
from multiprocessing.synchronize import Event
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from eyelevel.capture.resuming.resume import lines
from eyelevel_core.batch_folder import BatchFolder
from tests.capture import fake

# audit events of what changes files; opening counts where it is for writing
CHANGES = frozenset({"os.rename", "os.mkdir", "os.remove", "os.rmdir"})
RANDOM_KILLS = 150


def work(batch: Path, changes: dict[str, Any], *, slow_s: float = 0, begun: Event | None = None) -> None:
    if begun is not None:
        begun.set()
    quick = fake.loads()

    def attempt(*given: Any) -> Any:
        sleep(slow_s)
        return quick(*given)

    fake.command(batch, attempt, **changes)


def work_until(operations: int, batch: Path, changes: dict[str, Any]) -> None:
    """Die by SIGKILL just before the file operation after so many."""
    left = operations

    def count(event: str, details: tuple[Any, ...]) -> None:
        nonlocal left
        writes = event == "open" and isinstance(details[1], str) and not set(details[1]).isdisjoint("wax+")
        if writes or event in CHANGES:
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(count)
    work(batch, changes)


def takes(batch: Path) -> dict[str, Any]:
    found = batch.glob("takes/*/*/*/*/take.json")
    return {str(path.parent.relative_to(batch)): json.loads(path.read_text()) for path in found}


def check_resumed(batch: Path, calm: dict[str, Any]) -> None:
    assert takes(batch) == calm
    assert {path.name for path in batch.iterdir()} <= {"takes", "attempts.jsonl"}
    completed = Counter(line.run for line in lines(BatchFolder(batch)) if line.outcome in ("valid", "censored"))
    assert completed == Counter(dict.fromkeys(calm, 1))


def calm_campaign(batch: Path, changes: dict[str, Any], *, slow_s: float = 0) -> dict[str, Any]:
    work(batch, changes, slow_s=slow_s)
    calm = takes(batch)
    assert 0 < len(calm) < len(fake.runs(**changes))
    return calm


@pytest.mark.parametrize("paired", [False, True], ids=["runs", "blocks"])
def test_a_campaign_killed_before_any_file_operation_ends_with_the_same_takes(tmp_path: Path, *, paired: bool) -> None:
    changes = {"paired": paired, "runs": 4, "max_attempts": 2}
    calm = calm_campaign(tmp_path / "calm", changes)
    batch = tmp_path / "killed"
    killed = 0
    while True:
        # each process lives for one operation longer than the one before, so that kills come at every stage of a run
        process = multiprocessing.get_context("fork").Process(target=work_until, args=(killed, batch, changes))
        process.start()
        process.join()
        if process.exitcode == 0:
            break
        assert process.exitcode == -signal.SIGKILL
        assert takes(batch).items() <= calm.items()
        killed += 1
    assert killed > 15
    check_resumed(batch, calm)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("paired", [False, True], ids=["runs", "blocks"])
def test_a_campaign_killed_at_random_moments_ends_with_the_same_takes(
    tmp_path: Path, seed: int, *, paired: bool
) -> None:
    changes = {"paired": paired, "runs": 8, "max_attempts": 3}
    since = monotonic()
    calm = calm_campaign(tmp_path / "calm", changes, slow_s=0.002)
    # a kill lets a tenth of the campaign pass at most, and ever less, so that there are many on a machine of any speed
    longest_s = (monotonic() - since) / 10
    moments = random.Random(seed)
    batch = tmp_path / "killed"
    context = multiprocessing.get_context("fork")
    killed, ended = 0, False
    while killed < RANDOM_KILLS and not ended:
        begun = context.Event()
        process = context.Process(target=work, args=(batch, changes), kwargs={"slow_s": 0.002, "begun": begun})
        process.start()
        assert begun.wait(60)  # however slow the machine is to fork, a kill hits work
        process.join(moments.uniform(0, longest_s * 0.9**killed))
        ended = process.exitcode is not None
        if not ended:
            process.kill()
            process.join()
            killed += 1
    assert killed > 5
    work(batch, changes)
    check_resumed(batch, calm)
