"""Machines that share a campaign: each block counts once, whatever starts it how often, and nothing is lost."""

import json
import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import planted_capture
import pytest
from planted_capture import attempt, calibrated, campaign_text, plan, prepared

from eyelevel.capture.attempts.attempt import CaptureContext
from eyelevel.capture.attempts.runner import Next
from eyelevel.capture.attempts.this_machine import this_machine
from eyelevel.capture.blocks import keys
from eyelevel.capture.blocks.film import Ended, Ending, Films, ended_before, film_block
from eyelevel.capture.blocks.gather import gather
from eyelevel.capture.blocks.plan import Block, ranges, shared_blocks
from eyelevel.capture.blocks.ready import with_calibration, with_site
from eyelevel.capture.blocks.records import CampaignStore
from eyelevel.capture.blocks.status import status_of
from eyelevel.capture.planning.plan import Plan
from eyelevel.errors import EyelevelError
from eyelevel.loads.inside.request import Cause, VoidError
from eyelevel.loads.worker import CaptureWorker
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.contracts import sha256_of_file
from eyelevel_core.model.run import Run
from eyelevel_core.model.take import Take
from eyelevel_store import open_store

PROGRAM = Path(planted_capture.__file__)


@pytest.fixture
def planned(tmp_path: Path) -> Plan:
    file = tmp_path / "campaign.toml"
    file.write_text(campaign_text(sites=2, runs=3))
    return plan(file, None)


@pytest.fixture
def shared(tmp_path: Path, planned: Plan) -> CampaignStore:
    return CampaignStore(open_store(tmp_path / "store"))


def context(planned: Plan, folder: Path) -> CaptureContext:
    batch = BatchFolder(folder)
    folder.mkdir(parents=True, exist_ok=True)
    return CaptureContext.of(planned, batch, CaptureWorker(batch.scratch))


def film(
    planned: Plan,
    shared: CampaignStore,
    block: Block,
    folder: Path,
    *,
    by: Any = attempt,
    again: bool = False,
) -> Ended:
    films = Films(context(planned, folder), calibrated, begin=lambda _: None, tell=lambda _: None, attempt=by)
    return film_block(shared, block, films, again=again)


def void_before(number: int) -> Callable[..., Take]:
    """Attempts that are void up to that number."""

    def make(context: CaptureContext, run: Run, tried: int, place: Path, following: Sequence[Next]) -> Take:
        if tried < number:
            raise VoidError(Cause.FRAMES_LOST, "3 frames lost")
        return attempt(context, run, tried, place, following)

    return make


def test_a_block_has_a_run_of_each_stack_of_a_scene_also_in_a_campaign_that_is_not_paired(tmp_path: Path) -> None:
    file = tmp_path / "campaign.toml"
    file.write_text(campaign_text(sites=2, runs=3, stacks=("TCP", "TCP+", "QUIC")).replace("paired = true\n", ""))
    blocks = shared_blocks(plan(file, None).runs)
    assert [block.number for block in blocks] == list(range(6))
    assert {tuple(sorted(run.stack for run in block.runs)) for block in blocks} == {("QUIC", "TCP", "TCP+")}
    assert all(len({run.block for run in block.runs}) == 1 for block in blocks)


def test_six_machines_that_all_film_everything_leave_each_block_once(
    planned: Plan, shared: CampaignStore, tmp_path: Path
) -> None:
    blocks, endings = shared_blocks(planned.runs), Counter[Ending]()

    def machine(number: int) -> None:
        for block in blocks:
            endings[film(planned, shared, block, tmp_path / f"machine-{number}" / str(block.number)).ending] += 1

    machines = [threading.Thread(target=machine, args=(number,)) for number in range(6)]
    for worker in machines:
        worker.start()
    for worker in machines:
        worker.join()
    assert endings[Ending.EXHAUSTED] == 0
    assert endings[Ending.FILMED] == len(blocks)
    results = shared.results()
    assert {name: [result.complete for result in of_machine] for name, of_machine in results.items()} == {
        block.name: [True] for block in blocks
    }
    # what came too late is kept apart, under other keys
    counted = {result.id for of_machine in results.values() for result in of_machine}
    assert counted.isdisjoint(result.id for result in shared.apart())
    assert gather(shared, blocks, BatchFolder(tmp_path / "out"), tell=lambda *_: None) == len(planned.runs)
    assert len(list((tmp_path / "out" / "takes").glob("*/*/*/*/take.json"))) == len(planned.runs)


def test_a_machine_that_comes_back_late_changes_nothing(planned: Plan, shared: CampaignStore, tmp_path: Path) -> None:
    block = shared_blocks(planned.runs)[0]

    def slow(context: CaptureContext, run: Run, number: int, place: Path, following: Sequence[Next]) -> Take:
        if run == block.runs[-1]:
            # the engine took this machine for dead, and another one filmed the block
            assert film(planned, shared, block, tmp_path / "other").ending is Ending.FILMED
        return attempt(context, run, number, place, following)

    ended = film(planned, shared, block, tmp_path / "slow", by=slow)
    assert (ended.ending, ended.late) == (Ending.DONE_BEFORE, 1)
    (counted,) = shared.results()[block.name]
    (late,) = shared.apart()
    assert counted.complete
    assert late.complete
    assert late.id != counted.id


def test_another_machine_goes_on_with_the_next_attempt(planned: Plan, shared: CampaignStore, tmp_path: Path) -> None:
    block, once = shared_blocks(planned.runs)[0], replace(planned.campaign, max_attempts=1)
    first = replace(planned, source=replace(planned.source, campaign=once))
    assert film(first, shared, block, tmp_path / "a", by=void_before(3)).ending is Ending.EXHAUSTED
    ended = film(planned, shared, block, tmp_path / "b", by=void_before(3))
    assert (ended.ending, ended.attempts) == (Ending.FILMED, 3)
    results = shared.results()[block.name]
    assert [(result.attempt, result.complete) for result in results] == [(1, False), (2, False), (3, True)]
    # each attempt tells of its own runs only
    assert [{line.attempt for line in result.attempts} for result in results] == [{1}, {2}, {3}]


def test_a_block_that_used_its_attempts_is_given_up_until_it_is_asked_for_again(
    planned: Plan, shared: CampaignStore, tmp_path: Path
) -> None:
    block, most = shared_blocks(planned.runs)[0], planned.campaign.max_attempts
    never = void_before(99)
    assert film(planned, shared, block, tmp_path / "a", by=never) == Ended(Ending.EXHAUSTED, None, most)
    assert film(planned, shared, block, tmp_path / "a", by=attempt) == Ended(Ending.EXHAUSTED, None, most)
    assert ended_before(shared, block, max_attempts=most) == Ended(Ending.EXHAUSTED, None, most)
    assert film(planned, shared, block, tmp_path / "a", by=attempt, again=True).ending is Ending.FILMED


def test_a_block_that_one_machine_gave_up_is_filmed_by_another(
    planned: Plan, shared: CampaignStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    block, most = shared_blocks(planned.runs)[0], planned.campaign.max_attempts
    assert film(planned, shared, block, tmp_path / "busy", by=void_before(most + 1)).ending is Ending.EXHAUSTED
    other = replace(this_machine(), fingerprint="0" * 16)
    monkeypatch.setattr("eyelevel.capture.blocks.film.this_machine", lambda: other)
    assert ended_before(shared, block, max_attempts=most) is None
    ended = film(planned, shared, block, tmp_path / "quiet")
    assert (ended.ending, ended.attempts) == (Ending.FILMED, most + 1)


def test_a_take_that_was_filmed_again_takes_the_place_of_the_gathered_one(
    planned: Plan, shared: CampaignStore, tmp_path: Path
) -> None:
    block, out = shared_blocks(planned.runs)[0], BatchFolder(tmp_path / "out")
    for name in ("first", "again"):
        assert film(planned, shared, block, tmp_path / name).ending is Ending.FILMED
        assert gather(shared, [block], out, tell=lambda *_: None) == len(block.runs)
        (counted,) = shared.results()[block.name]
        for path, files in counted.takes.items():
            assert sha256_of_file(out.root / path / "take.json") == files["take.json"].sha256
        shared.store.delete(keys.result(block.name, 1))


def test_all_machines_use_the_site_as_the_first_one_prepared_it(
    planned: Plan, shared: CampaignStore, tmp_path: Path
) -> None:
    def ready(name: str, *, meanwhile: Callable[[], object] = lambda: None) -> bytes:
        machine_context = context(planned, tmp_path / name)
        machine_context = replace(machine_context, sites=machine_context.sites[:1])

        def prepare(context: CaptureContext, made: bool) -> tuple[CaptureContext, Any]:
            found = prepared(context, (), planned.runs, made=made)
            if made:
                meanwhile()
            return found

        with_site(shared, machine_context, prepare)
        (check,) = machine_context.batch.checks.iterdir()
        return check.read_bytes()

    quick: list[bytes] = []
    slow = ready("slow", meanwhile=lambda: quick.append(ready("quick")))
    assert slow == quick[0] == ready("later")


def test_a_calibration_is_used_again_for_a_day_and_not_after_a_restart(
    planned: Plan, shared: CampaignStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def calibration(folder: str) -> str | None:
        return with_calibration(shared, context(planned, tmp_path / folder), calibrated).calibration

    first = calibration("a")
    assert calibration("b") == first
    monkeypatch.setattr("eyelevel.capture.blocks.ready.boot", lambda: "another")
    second = calibration("c")
    assert second != first
    (known,) = shared.machines().values()
    old = (datetime.now(UTC) - timedelta(days=2)).isoformat(timespec="seconds")
    shared.keep_machine(replace(known, calibrated_at=old))
    assert calibration("d") not in (first, second)


def test_the_status_counts_blocks_runs_and_machines(planned: Plan, shared: CampaignStore, tmp_path: Path) -> None:
    blocks = shared_blocks(planned.runs)
    for block in blocks[:3]:
        film(planned, shared, block, tmp_path / str(block.number))
    film(planned, shared, blocks[4], tmp_path / "4", by=void_before(99))
    late = shared.results()[blocks[0].name][0]
    assert not shared.record(replace(late, id="0" * 32))
    now = datetime.now(UTC)
    found = status_of(blocks, shared.results(), shared.apart(), max_attempts=planned.campaign.max_attempts, now=now)
    assert (found.done, found.exhausted, found.missing) == ((0, 1, 2), (4,), (3, 5))
    assert (found.planned, found.runs, found.runs_done) == (6, 12, 6)
    (machine,) = found.machines
    # the first run of a void block fails, and so the block
    assert (machine.blocks, machine.runs, machine.void, machine.late) == (3, 6, planned.campaign.max_attempts, 1)
    assert found.left_s is not None
    assert ranges(found.missing) == "3,5"
    assert ranges([4, 0, 1, 2]) == "0-2,4"
    assert ranges([]) == ""


def test_what_was_gathered_is_not_copied_again_and_damage_is_named(
    planned: Plan, shared: CampaignStore, tmp_path: Path
) -> None:
    blocks, out = shared_blocks(planned.runs), BatchFolder(tmp_path / "out")
    film(planned, shared, blocks[0], tmp_path / "a", by=void_before(2))
    assert gather(shared, blocks, out, tell=lambda *_: None) == 2
    before = {path: path.stat().st_mtime_ns for path in out.root.rglob("take.json")}
    attempts = out.attempts_file.read_text()
    film(planned, shared, blocks[1], tmp_path / "b")
    assert gather(shared, blocks, out, tell=lambda *_: None) == 4
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert out.attempts_file.read_text().startswith(attempts)
    assert [line.attempt for line in out.attempts() or []] == [1, 2, 2, 1, 1]
    (result,) = shared.results(blocks[1].name)[blocks[1].name]
    entry = next(iter(result.takes.values()))["take.json"]
    shared.store.put(keys.file(entry.sha256), b"damaged")
    with pytest.raises(EyelevelError, match=r"is damaged: its content has another digest"):
        gather(shared, blocks, BatchFolder(tmp_path / "second"), tell=lambda *_: None)


def capture(file: Path, store: Path, *arguments: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, str(PROGRAM), str(file), "--store", str(store), *arguments]
    names = ("SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "EYELEVEL_MACHINE")
    environment = {name: value for name, value in os.environ.items() if name not in names}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment | variables)


@pytest.mark.browser
def test_the_command_from_the_first_block_to_a_batch_folder(tmp_path: Path) -> None:
    file, store = tmp_path / "campaign.toml", tmp_path / "store"
    file.write_text(campaign_text(sites=1, runs=2))
    begun = capture(file, store, "--block", "0", EYELEVEL_MACHINE="alpha")
    assert (begun.returncode, begun.stderr.splitlines()[-1]) == (
        0,
        "Block 0 (site-0/DSL/run-02) is in the store, by attempt 1.",
    )
    again = capture(file, store, "--block", "0", EYELEVEL_MACHINE="beta")
    assert again.stderr == "Block 0 (site-0/DSL/run-02) was filmed by alpha, so there is nothing left to do.\n"
    # a job array's own number
    for variable in ("SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"):
        assert capture(file, store, EYELEVEL_MACHINE="beta", **{variable: "1"}).returncode == 0
    status = capture(file, store, "--status").stdout
    assert status.startswith("2 of 2 blocks are done, with 4 of 4 runs; 0 are missing, and 0 have")
    assert "alpha" in status
    assert "beta" in status
    assert "Missing" not in status
    gathered = capture(file, store, "--gather", str(tmp_path / "out"))
    assert f"{tmp_path / 'out'} has 4 of 4 takes." in gathered.stderr
    takes = [json.loads(path.read_text()) for path in (tmp_path / "out").rglob("take.json")]
    assert len({take["provenance"]["machine"]["fingerprint"] for take in takes}) == 2
    # the takes of a block come from one machine
    assert len({(take["run"], take["provenance"]["machine"]["fingerprint"]) for take in takes}) == 2


@pytest.mark.browser
def test_each_machine_films_the_sentinel_once_a_day_and_it_counts_in_no_comparison(tmp_path: Path) -> None:
    file, store, out = tmp_path / "campaign.toml", tmp_path / "store", BatchFolder(tmp_path / "out")
    file.write_text(campaign_text(sites=2, runs=4, sentinel="site-1"))
    for number, machine in enumerate(("alpha", "beta", "alpha")):
        done = capture(file, store, "--block", str(number), EYELEVEL_MACHINE=machine)
        assert done.returncode == 0, done.stderr
        assert ("First, 3 runs of site-1" in done.stderr) == (number < 2)
    assert capture(file, store, "--gather", str(out.root)).returncode == 0
    assert len(out.takes()) == 6
    found = [sentinel.takes() for sentinel in out.sentinels()]
    assert [[(take.site, take.stack, take.run) for take in of_machine] for of_machine in found] == [
        [("site-1", "TCP+", number) for number in (1, 2, 3)]
    ] * 2
    named = [[take.take.provenance.machine for take in of_machine] for of_machine in found]
    machines = [{record.fingerprint for record in of_machine if record is not None} for of_machine in named]
    assert [len(of_machine) for of_machine in machines] == [1, 1]
    assert machines[0] != machines[1]
    # those of the campaign itself are others, with the same seeds
    (seed,) = {take.take.seed for take in found[0] if take.run == 1}
    assert seed in {run.seed for run in plan(file, None).runs if run.path == found[0][0].path}


@pytest.mark.browser
def test_a_machine_that_would_film_something_else_is_refused(tmp_path: Path) -> None:
    file, store = tmp_path / "campaign.toml", tmp_path / "store"
    file.write_text(campaign_text(sites=1, runs=2))
    assert capture(file, store, "--block", "0").returncode == 0
    other = tmp_path / "other.toml"
    other.write_text(campaign_text(sites=1, runs=2, seed=8))
    refused = capture(other, store, "--block", "1")
    assert (refused.returncode, refused.stderr) == (
        4,
        f"eyelevel: {store} has another campaign: its campaign.toml differs from the given file. Give another store, "
        "or that file.\n",
    )
    for looked in (("--status",), ("--gather", str(tmp_path / "out"))):
        assert capture(other, store, *looked).stderr == refused.stderr
    (tmp_path / "testbed").write_text("another build")
    refused = capture(file, store, "--block", "1", PLANTED_TESTBED=str(tmp_path / "testbed"))
    assert refused.returncode == 4
    assert "was started with another build of the testbed" in refused.stderr
    assert capture(file, store, "--status").stdout.startswith("1 of 2 blocks")


@pytest.mark.browser
def test_a_folder_to_film_in_has_nothing_of_earlier_blocks(tmp_path: Path) -> None:
    file, store, work = tmp_path / "campaign.toml", tmp_path / "store", tmp_path / "work"
    file.write_text(campaign_text(sites=1, runs=2, sentinel="site-0"))
    # what a kill left: a calibration of an earlier day, and takes
    left = work / "block" / "takes" / "site-0"
    left.mkdir(parents=True)
    (left.parents[1] / "calibration.json").write_text("{}")
    for number in range(2):
        done = capture(file, store, "--block", str(number), "--out", str(work))
        assert done.returncode == 0, done.stderr
    assert not (work / "block").exists()
    assert capture(file, store, "--gather", str(tmp_path / "out")).returncode == 0
    assert len(BatchFolder(tmp_path / "out").takes()) == 4


@pytest.mark.browser
def test_a_folder_of_another_campaign_is_not_gathered_into(tmp_path: Path) -> None:
    file, store, out = tmp_path / "campaign.toml", tmp_path / "store", tmp_path / "out"
    file.write_text(campaign_text(sites=1, runs=2))
    assert capture(file, store, "--block", "0").returncode == 0
    out.mkdir()
    (out / "campaign.toml").write_text(campaign_text(sites=1, runs=3))
    refused = capture(file, store, "--gather", str(out))
    assert (refused.returncode, refused.stderr) == (4, f"eyelevel: {out} has another campaign; give a new folder.\n")


WRONG = {
    "no block": ((), {}, 2, "Give --block, --prepare, --status or --gather: neither SLURM_ARRAY_TASK_ID nor"),
    "two commands": (("--block", "0", "--status"), {}, 2, "are different commands; give only one"),
    "a block too many": (("--block", "2"), {}, 4, "The campaign has the blocks 0 to 1; there is no block 2."),
    "no number": ((), {"SLURM_ARRAY_TASK_ID": "x"}, 2, "SLURM_ARRAY_TASK_ID is 'x', which is not a block number"),
    "nothing begun": (("--gather", "out"), {}, 4, "has no campaign yet"),
}


@pytest.mark.browser
@pytest.mark.parametrize("case", WRONG)
def test_what_a_person_gives_wrong_is_one_sentence(case: str, tmp_path: Path) -> None:
    arguments, variables, status, words = WRONG[case]
    file = tmp_path / "campaign.toml"
    file.write_text(campaign_text(sites=1, runs=2))
    done = capture(file, tmp_path / "store", *arguments, **variables)
    assert (done.returncode, "Traceback" in done.stderr) == (status, False)
    assert words in done.stderr


def test_options_of_a_store_need_one(tmp_path: Path) -> None:
    file = tmp_path / "campaign.toml"
    file.write_text(campaign_text(sites=1, runs=2))
    command = [sys.executable, str(PROGRAM), str(file)]
    done = subprocess.run([*command, "--status"], capture_output=True, text=True, check=False)
    assert (done.returncode, "--block, --prepare, --status and --gather need --store." in done.stderr) == (2, True)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, "Missing option '--out'" in done.stderr) == (2, True)
