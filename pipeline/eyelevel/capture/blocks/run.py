"""Implements `eyelevel capture --store`: prepare sites, film a block, print the status, gather a batch folder."""

import os
import shutil
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from eyelevel.capture.attempts.attempt import CaptureContext
from eyelevel.capture.attempts.provenance import first_version, fonts_digest
from eyelevel.capture.attempts.runner import Attempt
from eyelevel.capture.attempts.this_machine import this_machine
from eyelevel.capture.blocks.agreement import demand_same, plan_sha256
from eyelevel.capture.blocks.film import Ended, Ending, Films, ended_before, film_block
from eyelevel.capture.blocks.gather import gather
from eyelevel.capture.blocks.plan import Block, shared_blocks
from eyelevel.capture.blocks.ready import prepared_sites, site_context, with_calibration, with_site
from eyelevel.capture.blocks.records import CampaignStore
from eyelevel.capture.blocks.sentinel import film_sentinel, sentinel_runs, today
from eyelevel.capture.blocks.status import status_of
from eyelevel.capture.blocks.tell import gathering, tell_ended, tell_gathered, tell_status
from eyelevel.capture.outcome.progress import Talk
from eyelevel.capture.planning.networks import written
from eyelevel.capture.planning.plan import Plan
from eyelevel.capture.resuming.resume import claimed
from eyelevel.disk import room
from eyelevel.errors import BadInputError, Exit, PageFailedError
from eyelevel.loads.worker import CaptureWorker
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.contracts import sha256_of_file
from eyelevel_core.model.block_result import SharedCampaign
from eyelevel_core.model.run import Run
from eyelevel_store import demand_conditions, open_store

# variables in which job engines give the index of an array job
NUMBERED_BY = ("SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX")
# long enough for a restart of the store, so that no film is lost
PATIENCE_S = 900.0


@dataclass(frozen=True)
class Asked:
    """The options of the command. `work` is the folder to film in; None: a temporary one."""

    block: int | None
    prepare: bool
    status: bool
    gather: Path | None
    work: Path | None
    again: bool


@dataclass(frozen=True)
class Steps:
    """Functions of other stages that this one calls.

    `check` looks for the programs that films need. `first` tries a site once before it is prepared; `prepare` creates
    or reads its files. `attempt` makes one attempt at a run, `report` compares gathered takes.
    """

    check: Callable[[], None]
    worker: Callable[[Path], CaptureWorker]
    calibrate: Callable[[CaptureContext], CaptureContext]
    prepare: Callable[[CaptureContext, Sequence[Run], bool], tuple[CaptureContext, Collection[str]]]
    first: Callable[[CaptureContext, Sequence[Run]], None]
    attempt: Attempt
    report: Callable[[BatchFolder], object]


def run_shared(planned: Plan, address: str, asked: Asked, steps: Steps) -> Exit:
    """Run the command. Raises StoreError if the store does not answer for PATIENCE_S."""
    number = _number(asked)
    shared = CampaignStore(open_store(address, patience_s=PATIENCE_S, waits=_say))
    blocks = shared_blocks(planned.runs)
    if asked.status:
        _demand_this(planned, shared)
        now, most = datetime.now(UTC), planned.campaign.max_attempts
        tell_status(status_of(blocks, shared.results(), shared.apart(), max_attempts=most, now=now))
        return Exit.OK
    if asked.gather is not None:
        return _gathered(planned, shared, blocks, asked.gather, steps)
    steps.check()
    _join(planned, shared, blocks)
    if asked.prepare:
        return _all_prepared(planned, shared, asked, steps)
    if number is None or number >= len(blocks):
        raise BadInputError(f"The campaign has the blocks 0 to {len(blocks) - 1}; there is no block {number}.")
    return _filmed(planned, shared, blocks[number], asked, steps)


def _number(asked: Asked) -> int | None:
    """Returns the requested block: --block, or the index of the array job."""
    chosen = [asked.block is not None, asked.prepare, asked.status, asked.gather is not None]
    if sum(chosen) > 1:
        raise click.UsageError("--block, --prepare, --status and --gather are different commands; give only one.")
    if any(chosen):
        return asked.block
    given = next(((name, os.environ[name]) for name in NUMBERED_BY if os.environ.get(name)), None)
    if given is None:
        raise click.UsageError(
            f"Give --block, --prepare, --status or --gather: neither {' nor '.join(NUMBERED_BY)} names a block."
        )
    if not given[1].isdecimal():
        raise click.UsageError(f"{given[0]} is {given[1]!r}, which is not a block number.")
    return int(given[1])


def _join(planned: Plan, shared: CampaignStore, blocks: Sequence[Block]) -> None:
    """Begin the campaign, or check that this machine would film the same one."""
    began = shared.campaign()
    here = SharedCampaign(
        campaign_sha256=sha256_of_file(planned.source.path),
        plan_sha256=_plan_sha256(planned),
        testbed_sha256=sha256_of_file(planned.testbed),
        chromium=first_version(["chromium", "--version"]),
        fonts_digest=fonts_digest(),
        blocks=len(blocks),
    )
    if began is None:
        demand_conditions(shared.store)
        began = shared.begin(here, planned.source.path)
    demand_same(began, here, address=shared.store.address)


def _demand_this(planned: Plan, shared: CampaignStore) -> SharedCampaign | None:
    """Returns the stored campaign, None if none has begun. Raises BadInputError if it is another one."""
    began = shared.campaign()
    if began is not None:
        campaign, plan = sha256_of_file(planned.source.path), _plan_sha256(planned)
        here = replace(began, campaign_sha256=campaign, plan_sha256=plan)
        demand_same(began, here, address=shared.store.address)
    return began


def _plan_sha256(planned: Plan) -> str:
    networks = {name: network.digest for name, network in planned.networks.items()}
    stacks = {name: stack.digest for name, stack in planned.stacks.items()}
    return plan_sha256(planned.runs, networks, stacks)


def _all_prepared(planned: Plan, shared: CampaignStore, asked: Asked, steps: Steps) -> Exit:
    failed = []
    known = prepared_sites(shared)
    for site in planned.source.sites:
        if site.name in known:
            _say(f"{site.name} is already prepared.")
            continue
        runs = [run for run in planned.runs if run.site == site.name]
        with _context(planned, asked, steps) as context:
            try:
                _site(shared, site_context(context, site.name), runs, steps)
            except PageFailedError as error:
                failed.append(site.name)
                _say(str(error))
    return Exit.FAILED if failed else Exit.OK


def _filmed(planned: Plan, shared: CampaignStore, block: Block, asked: Asked, steps: Steps) -> Exit:
    most = planned.campaign.max_attempts
    ended = None if asked.again else ended_before(shared, block, max_attempts=most)
    if ended is None:
        ended = _film(planned, shared, block, asked, steps)
    tell_ended(block, ended)
    return Exit.FAILED if ended.ending is Ending.EXHAUSTED else Exit.OK


def _film(planned: Plan, shared: CampaignStore, block: Block, asked: Asked, steps: Steps) -> Ended:
    with _context(planned, asked, steps) as context:
        _sentinel(planned, shared, context, steps)
        with Talk(len(block.runs), 0) as talk:
            films = _films(shared, site_context(context, block.site), block.runs, talk, steps)
            return film_block(shared, block, films, again=asked.again)


def _sentinel(planned: Plan, shared: CampaignStore, context: CaptureContext, steps: Steps) -> None:
    """Film the sentinel if the campaign has one and this machine has not filmed it today."""
    runs = sentinel_runs(planned.campaign, planned.runs)
    if not runs or shared.has_sentinel(this_machine().fingerprint, today()):
        return
    _say(f"First, {len(runs)} runs of {runs[0].site}, which serve to compare machines once a day.")
    # a separate folder, because with_site takes all files of a folder for those of one site
    separate = CaptureContext.of(planned, BatchFolder(context.batch.root / "sentinel"), context.worker)
    with Talk(len(runs), 0) as talk:
        film_sentinel(shared, runs, _films(shared, site_context(separate, runs[0].site), runs, talk, steps))


def _films(shared: CampaignStore, context: CaptureContext, runs: Sequence[Run], talk: Talk, steps: Steps) -> Films:
    def ready(context: CaptureContext) -> CaptureContext:
        context.batch.root.mkdir(parents=True, exist_ok=True)
        return _site(shared, with_calibration(shared, context, steps.calibrate), runs, steps)

    return Films(context, ready, begin=talk.begin, tell=talk.tell, attempt=steps.attempt)


def _site(shared: CampaignStore, context: CaptureContext, runs: Sequence[Run], steps: Steps) -> CaptureContext:
    def prepare(context: CaptureContext, make: bool) -> tuple[CaptureContext, Collection[str]]:
        if make:
            steps.first(context, runs)
        return steps.prepare(context, runs, make)

    return with_site(shared, context, prepare)


def _gathered(planned: Plan, shared: CampaignStore, blocks: Sequence[Block], to: Path, steps: Steps) -> Exit:
    began = _demand_this(planned, shared)
    if began is None:
        raise BadInputError(f"{shared.store.address} has no campaign yet; film or prepare a block first.")
    folder = BatchFolder(to.resolve())
    if folder.campaign_file.is_file() and sha256_of_file(folder.campaign_file) != began.campaign_sha256:
        raise BadInputError(f"{to} has another campaign; give a new folder.")
    with room(folder.root), claimed(folder):
        with gathering() as copied:
            count = gather(shared, blocks, folder, tell=copied)
        shutil.copyfile(planned.source.path, folder.campaign_file)
        written(planned.source, planned.networks, folder.networks)
        steps.report(folder)
    tell_gathered(folder, count, len(planned.runs))
    return Exit.OK


@contextmanager
def _context(planned: Plan, asked: Asked, steps: Steps) -> Iterator[CaptureContext]:
    """Yields a context that films in an empty folder."""
    with ExitStack() as ends:
        work = asked.work or Path(ends.enter_context(TemporaryDirectory(prefix="eyelevel-block-")))
        ends.enter_context(room(work.resolve()))
        ends.enter_context(claimed(BatchFolder(work.resolve())))
        # files of earlier blocks must not be reused; everything that counts is in the store
        folder = BatchFolder(work.resolve() / "block")
        shutil.rmtree(folder.root, ignore_errors=True)
        ends.callback(shutil.rmtree, folder.root, ignore_errors=True)
        folder.root.mkdir(parents=True)
        worker = ends.enter_context(closing(steps.worker(folder.scratch)))
        yield CaptureContext.of(planned, folder, worker)


def _say(sentence: str) -> None:
    click.echo(sentence, err=True)
