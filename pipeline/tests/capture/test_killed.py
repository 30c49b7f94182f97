"""kill -9 at random moments, then the same command again: the same set of takes as without a kill, none twice."""

import json
import multiprocessing
import random
from collections import Counter
from multiprocessing.synchronize import Event
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from eyelevel.capture.resume import lines
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.model.attempt import Outcome
from tests.capture import fake

KILLS = 40
# where the calm campaign met a busy machine and this one does not: kills follow each other faster
HASTIER = 4


def work(batch: Path, changes: dict[str, Any], begun: Event | None = None) -> None:
    if begun is not None:
        begun.set()
    slow = fake.loads()

    def attempt(*given: Any) -> Any:
        sleep(0.002)
        return slow(*given)

    fake.command(batch, attempt, **changes)


def takes(batch: Path) -> dict[str, Any]:
    found = batch.glob("takes/*/*/*/*/take.json")
    return {str(path.parent.relative_to(batch)): json.loads(path.read_text()) for path in found}


def kill_again_and_again(batch: Path, changes: dict[str, Any], longest_s: float) -> tuple[int, int]:
    """How often it was killed before it ended or had enough, and how many takes the last kill left."""
    context = multiprocessing.get_context("fork")
    moments = random.Random(5)
    killed, there = 0, 0
    while killed < KILLS:
        begun = context.Event()
        process = context.Process(target=work, args=(batch, changes, begun))
        process.start()
        assert begun.wait(60)  # however slow the machine is to fork, a kill hits work
        process.join(moments.uniform(0, longest_s))
        if process.exitcode is not None:
            break
        there = len(takes(batch))
        process.kill()
        process.join()
        killed += 1
    return killed, there


@pytest.mark.parametrize("paired", [False, True], ids=["runs", "blocks"])
def test_a_campaign_killed_at_random_moments_ends_with_the_same_takes_as_one_that_was_not(
    tmp_path: Path, *, paired: bool
) -> None:
    changes = {"paired": paired, "runs": 8, "max_attempts": 3}
    since = monotonic()
    work(tmp_path / "calm", changes)
    # on a slow machine kills come later, too: each lets a tenth of the campaign pass at most
    longest_s = (monotonic() - since) / 10
    calm = takes(tmp_path / "calm")
    assert 0 < len(calm) < len(fake.runs(**changes))

    for number in range(HASTIER):
        batch = tmp_path / f"killed-{number}"
        killed, there = kill_again_and_again(batch, changes, longest_s / 2**number)
        if killed > 5:
            break
    assert killed > 5
    assert 0 < there <= len(calm)
    assert Counter(line.outcome for line in lines(BatchFolder(batch)))[Outcome.VALID] > 0
    work(batch, changes)

    assert takes(batch) == calm
    assert {path.name for path in batch.iterdir()} <= {"takes", "attempts.jsonl"}
    told = Counter(line.run for line in lines(BatchFolder(batch)) if line.outcome in ("valid", "censored"))
    assert told == Counter(dict.fromkeys(calm, 1))
