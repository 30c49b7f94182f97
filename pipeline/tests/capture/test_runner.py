"""Void attempts are repeated, blocks of a paired campaign as one; what is given up stays so until asked for again."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from eyelevel.capture.attempts.attempt import CaptureContext
from eyelevel.capture.attempts.runner import Next
from eyelevel.capture.resuming.resume import lines
from eyelevel.loads.inside.request import Cause
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.model.attempt import BLOCK_VOIDED
from eyelevel_core.model.run import Run
from eyelevel_core.model.take import Take
from tests.capture import fake

FIRST = fake.runs()[0]


def takes(batch: Path) -> dict[str, int]:
    """The number of the attempt that became each take, by path."""
    found = batch.glob("takes/*/*/*/*/take.json")
    return {str(path.parent.relative_to(batch)): json.loads(path.read_text())["attempt"] for path in found}


def outcomes(batch: Path, run: Run) -> list[tuple[int, str, str | None]]:
    return [(line.attempt, line.outcome, line.cause) for line in lines(BatchFolder(batch)) if line.run == run.path]


def test_every_run_is_taken_once_and_a_page_that_did_not_settle_is_kept_as_censored(tmp_path: Path) -> None:
    given_up, results = fake.command(tmp_path, fake.loads(void=lambda *_: False))
    assert given_up == 0
    assert [t.run for t in results] == fake.runs()
    assert set(takes(tmp_path)) == {run.path for run in fake.runs()}
    unsettled = {run.path for run in fake.runs() if run.seed % 10 == 0}
    assert unsettled
    assert {line.run for line in lines(BatchFolder(tmp_path)) if line.outcome == "censored"} == unsettled


def test_a_void_attempt_is_repeated_at_once_as_the_same_run(tmp_path: Path) -> None:
    given_up, results = fake.command(tmp_path, fake.loads(void=lambda run, number: run == FIRST and number < 3))
    assert given_up == 0
    assert [(t.run, t.void is None) for t in results[:3]] == [(FIRST, False), (FIRST, False), (FIRST, True)]
    assert outcomes(tmp_path, FIRST) == [(1, "void", "frames lost"), (2, "void", "frames lost"), (3, "valid", None)]
    assert takes(tmp_path)[FIRST.path] == 3


def test_a_run_is_given_up_after_max_attempts_and_only_again_tries_it_again(tmp_path: Path) -> None:
    never = fake.loads(void=lambda run, number: run == FIRST and number < 4)
    assert fake.command(tmp_path, never, max_attempts=2)[0] == 1
    assert FIRST.path not in takes(tmp_path)
    given_up, results = fake.command(tmp_path, never, max_attempts=2)
    assert (given_up, results) == (1, [])
    assert fake.command(tmp_path, never, max_attempts=2, again=True)[0] == 0
    assert takes(tmp_path)[FIRST.path] == 4


def test_one_void_run_voids_its_whole_block_in_a_paired_campaign_and_nothing_else(tmp_path: Path) -> None:
    block = [run for run in fake.runs(paired=True) if run.block == fake.runs(paired=True)[0].block]
    assert len(block) == len(fake.STACKS)
    last = block[-1]
    given_up, results = fake.command(
        tmp_path, fake.loads(void=lambda run, number: run == last and number == 1), paired=True
    )
    assert given_up == 0
    assert [t.run for t in results[: len(block) + 1]] == [last, *block]
    assert outcomes(tmp_path, block[0]) == [(1, "void", BLOCK_VOIDED), (2, "valid", None)]
    assert outcomes(tmp_path, last) == [(1, "void", Cause.FRAMES_LOST), (2, "valid", None)]
    assert sorted(set(takes(tmp_path).values())) == [1, 2]
    assert not (tmp_path / ".blocks").exists() or not list((tmp_path / ".blocks").iterdir())


def test_a_paired_block_is_given_up_as_one(tmp_path: Path) -> None:
    first = fake.runs(paired=True)[0]
    given_up, results = fake.command(
        tmp_path, fake.loads(void=lambda run, _: run == first), paired=True, max_attempts=2
    )
    assert given_up == len(fake.STACKS)
    assert results[1].exhausted == len(fake.STACKS)
    assert len(takes(tmp_path)) == len(fake.runs()) - len(fake.STACKS)


@pytest.mark.parametrize("paired", [False, True], ids=["runs", "blocks"])
def test_each_attempt_is_told_what_comes_next_and_is_right_unless_it_is_void(tmp_path: Path, *, paired: bool) -> None:
    announced: list[tuple[Next, Sequence[Next], bool]] = []
    real = fake.loads()

    def attempt(context: CaptureContext, run: Run, number: int, place: Path, following: Sequence[Next]) -> Take:
        announced.append(((run, number), following, False))
        take = real(context, run, number, place, following)
        announced[-1] = ((run, number), following, True)
        return take

    fake.command(tmp_path, attempt, paired=paired)
    assert {valid for _, _, valid in announced} == {True, False}
    assert list(announced[-1][1]) == []
    for (_, following, valid), (now, _, next_valid), (after, _, _) in zip(
        announced, announced[1:], announced[2:], strict=False
    ):
        assert following[0] == now or not valid
        assert following[1] == after or not (valid and next_valid)
