"""The command `eyelevel capture`. Only this module imports other stages: replay (the binary), measure and batch."""

import sys
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from eyelevel.batch.build import build
from eyelevel.capture.attempts.attempt import CaptureContext, attempt
from eyelevel.capture.attempts.provenance import first_version
from eyelevel.capture.attempts.runner import Runner
from eyelevel.capture.blocks.run import Asked, Steps, run_shared
from eyelevel.capture.outcome.fidelity import beyond_checks, compare_scenes, compare_sites, read_served
from eyelevel.capture.outcome.progress import Talk
from eyelevel.capture.outcome.rates import report
from eyelevel.capture.outcome.tell import (
    tell_fidelity,
    tell_missing,
    tell_networks,
    tell_overhead,
    tell_plan,
    tell_report,
    tell_skipped,
    tell_unserved,
)
from eyelevel.capture.planning.campaign_file import CampaignFile
from eyelevel.capture.planning.estimate import Estimate, Seen, estimate
from eyelevel.capture.planning.plan import Plan, plan
from eyelevel.capture.planning.runs import blocks, not_taken, preflights
from eyelevel.capture.preparing.calibration import calibrate
from eyelevel.capture.preparing.sites import prepared
from eyelevel.capture.resuming.resume import catch_up, claimed, costs, keep_campaign, lines, taken
from eyelevel.capture.resuming.same_conditions import check_browser, check_rules, check_testbed
from eyelevel.capture.resuming.staging import recover
from eyelevel.disk import room
from eyelevel.errors import Exit
from eyelevel.giving_way import giving_way
from eyelevel.loads.seeds import calibration_seed
from eyelevel.loads.talk import tell_waiting
from eyelevel.loads.testbed_run import preflight, serving
from eyelevel.loads.tools import check_tools
from eyelevel.loads.worker import CaptureWorker
from eyelevel.machine import alone
from eyelevel.measure.pages import measure_pages
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.contracts import sha256_of_file
from eyelevel_core.model.campaign import Campaign
from eyelevel_core.model.run import Run
from eyelevel_core.model.take import Take

WATCH = [sys.executable, "-m", "eyelevel.measure.watch"]


@click.command()
@click.argument("campaign_file", metavar="CAMPAIGN.toml", type=click.Path(path_type=Path))
@click.option(
    "--out",
    "batch",
    metavar="BATCH_DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the batch; created if missing, continued if it has takes of this campaign.  [default: required "
    "without --store, and a temporary folder with it]",
)
@click.option(
    "--recordings",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Folder of recordings that are not beside the campaign file.  [default: the folder of the campaign file]",
)
@click.option(
    "--dry-run", is_flag=True, help="Print the runs in their order with expected hours and disk space; film nothing."
)
@click.option("--no-calibrate", is_flag=True, help="Skip the calibration of the networks; every take records this.")
@click.option(
    "--no-probe",
    is_flag=True,
    help="Do not learn missing volatile parameters and motion masks, and skip the replay checks; every take records "
    "this.",
)
@click.option("--again", is_flag=True, help="Retry runs that used up max_attempts, with as many attempts again.")
@click.option(
    "--no-clips", is_flag=True, help="Film only; run the same command without this option to make the clips later."
)
@click.option(
    "--store",
    "address",
    metavar="STORE",
    help="Share the campaign with other machines through this store: s3://BUCKET/PREFIX, or a shared folder.  "
    "[default: this machine films all of it]",
)
@click.option(
    "--block",
    type=click.IntRange(min=0),
    help="With --store: film this block (one run of each stack of a scene).  [default: SLURM_ARRAY_TASK_ID or "
    "JOB_COMPLETION_INDEX]",
)
@click.option("--prepare", is_flag=True, help="With --store: prepare all sites before the first block.")
@click.option("--status", is_flag=True, help="With --store: list finished and missing blocks.")
@click.option(
    "--gather",
    metavar="BATCH_DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="With --store: copy all complete blocks into this batch folder.  [default: nothing is copied]",
)
@click.pass_context
def capture(
    ctx: click.Context,
    *,
    campaign_file: Path,
    batch: Path | None,
    recordings: Path | None,
    dry_run: bool,
    no_calibrate: bool,
    no_probe: bool,
    again: bool,
    no_clips: bool,
    address: str | None,
    block: int | None,
    prepare: bool,
    status: bool,
    gather: Path | None,
) -> None:
    """Film every run of a campaign that has no take yet, then build the batch. Run it again to continue.

    First calibrates the emulated networks and writes BATCH_DIR/calibration.json. Then prepares each
    site: learns its volatile parameters (eyelevel replay learn) and its motion mask (eyelevel probe, about three
    minutes) where it has none, and checks its replay (eyelevel replay check). Needs root, Chromium, ffmpeg and Xvfb
    (see eyelevel doctor). A void attempt is retried up to the campaign's max_attempts; BATCH_DIR/attempts.jsonl has the
    causes, BATCH_DIR/report.json the rates per stack.

    With --store, any number of machines film one campaign, and your job engine decides which machine films which block.
    You can start a block twice, or again after a machine failed: the first complete result counts.

    Exit status: 0 all runs have their takes, or the block is done, 1 some runs used up their attempts, the page of a
    site cannot be judged, or calibration failed, 3 root or namespaces are missing, 4 the campaign or a recording is
    wrong, or other machines film something else, 5 a tool is missing, 6 another capture uses BATCH_DIR, 7 the store
    does not answer, 8 the disk is full, 130 interrupted.

    Examples: eyelevel capture pipeline/campaigns/demo.toml --out batches/demo

    eyelevel capture demo.toml --store s3://films/demo --block 0
    """
    planned = plan(campaign_file, recordings)
    tell_networks(planned.networks.values())
    tell_skipped(planned.skipped)
    if address is not None:
        asked = Asked(block, prepare=prepare, status=status, gather=gather, work=batch, again=again)
        ctx.exit(_shared(planned, address, asked, calibrate=not no_calibrate, probe=not no_probe))
    if block is not None or prepare or status or gather is not None:
        raise click.UsageError("--block, --prepare, --status and --gather need --store.")
    if batch is None:
        raise click.UsageError("Missing option '--out'; give the folder of the batch.")
    source, campaign, runs, folder = planned.source, planned.campaign, planned.runs, BatchFolder(batch.resolve())
    if dry_run:
        waiting = not_taken(runs, taken(folder, runs, campaign))
        tell_plan(runs, waiting, _expected(source, waiting, costs(folder, runs)))
        _print_plan(runs)
        return
    check_tools()
    with room(batch), claimed(folder), closing(CaptureWorker(folder.scratch, watch=WATCH)) as worker:
        context = CaptureContext.of(planned, folder, worker)
        recover(folder)
        takes = taken(folder, runs, campaign)
        if takes:
            check_rules(folder, campaign)
        catch_up(folder, runs, takes)
        waiting = not_taken(runs, takes)
        if waiting:
            check_testbed(takes, sha256_of_file(planned.testbed))
            check_browser(takes, first_version(["chromium", "--version"]))
        _try(context, waiting)
        if waiting and not no_calibrate:
            context = _calibrated(context)
        context, failed = prepared(context, takes.values(), runs, made=bool(waiting) and not no_probe)
        unfilmed = [run for run in waiting if run.site in failed]
        filmed = [run for run in runs if run not in unfilmed]
        waiting = not_taken(filmed, takes)
        keep_campaign(folder, campaign_file)
        tell_plan(filmed, waiting, _expected(source, waiting, costs(folder, runs)))
        with Talk(len(filmed), len(takes)) as talk:
            runner = Runner(context, begin=talk.begin, tell=talk.tell, again=again)
            given_up = runner.take_all(blocks(waiting, paired=campaign.paired))
        takes = _report(folder, runs, campaign)
        if takes and not no_clips:
            click.echo(giving_way(partial(_build, folder, campaign), waits=_clips_wait))
    tell_missing(folder, runs, given_up=given_up, attempts=campaign.max_attempts, unfilmed=unfilmed)
    if given_up or unfilmed:
        ctx.exit(Exit.FAILED)


def _shared(planned: Plan, address: str, asked: Asked, *, calibrate: bool, probe: bool) -> Exit:
    steps = Steps(
        check=check_tools,
        worker=partial(CaptureWorker, watch=WATCH),
        calibrate=_calibrated if calibrate else lambda context: context,
        prepare=lambda context, runs, made: prepared(context, (), runs, made=made and probe),
        first=_try,
        attempt=attempt,
        report=lambda folder: _report(folder, planned.runs, planned.campaign),
    )
    return run_shared(planned, address, asked, steps)


def _report(folder: BatchFolder, runs: Sequence[Run], campaign: Campaign) -> dict[str, Take]:
    """Compare the takes' content, write report.json, and print both; returns the takes."""
    takes = taken(folder, runs, campaign)
    served, checks = read_served(folder, runs, takes), folder.replay_checks()
    scenes = compare_scenes(served)
    folder.write_scenes(scenes)
    tell_fidelity(scenes)
    written = report(
        campaign,
        runs,
        takes,
        lines(folder),
        scenes=scenes,
        differing=compare_sites(served),
        checks=checks,
        beyond=beyond_checks(served, checks),
    )
    folder.write_report(written)
    tell_report(written)
    tell_overhead(takes.values())
    return takes


def _calibrated(context: CaptureContext) -> CaptureContext:
    seed = calibration_seed(context.campaign.seed)
    with alone(context.campaign.name, waits=tell_waiting):
        calibration = calibrate(context.batch, context.testbed, context.networks, seed=seed)
    return replace(context, calibration=calibration)


def _try(context: CaptureContext, waiting: Sequence[Run]) -> None:
    """Start the testbed once per site, network and stack without a browser; report hosts that it cannot serve."""
    unserved: dict[str, list[str]] = {}
    for run in preflights(waiting):
        options = [*context.networks[run.network].arguments, *serving(context.campaign)]
        unserved[run.site] = preflight(context.testbed, run, context.site(run), options)
    tell_unserved(unserved)


def _expected(source: CampaignFile, waiting: Iterable[Run], seen: Iterable[Seen]) -> Estimate:
    sizes = {site.name: site.recording.stat().st_size for site in source.sites}
    return estimate(waiting, seen, recordings=sizes)


def _build(folder: BatchFolder, campaign: Campaign) -> Path:
    return build(folder, campaign, measure=measure_pages)


def _clips_wait(holder: str) -> None:
    click.echo(f"Clips wait while page loads are filmed; the machine is in use by {holder}.", err=True)


def _print_plan(runs: Iterable[Run]) -> None:
    for run in runs:
        click.echo(f"{run.site}\t{run.network}\t{run.stack}\t{run.name}\t{run.seed}")
