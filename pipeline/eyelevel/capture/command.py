"""The command `eyelevel capture`. Only this module imports other stages: replay (the binary), measure and batch."""

import sys
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from eyelevel.batch.build import build
from eyelevel.built import find_testbed
from eyelevel.capture.attempts.attempt import CaptureContext
from eyelevel.capture.attempts.provenance import first_version
from eyelevel.capture.attempts.runner import Runner
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
from eyelevel.capture.planning.campaign_file import CampaignFile, read_campaign
from eyelevel.capture.planning.estimate import Estimate, Seen, estimate
from eyelevel.capture.planning.networks import networks, written
from eyelevel.capture.planning.runs import blocks, expand, not_taken, preflights, skipped
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
from eyelevel.stacks import chosen, stacks
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
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the batch; created if missing, continued if it has takes of this campaign.",
)
@click.option(
    "--recordings",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Folder of recordings that are not beside the campaign file.  [default: that of the campaign file]",
)
@click.option(
    "--dry-run", is_flag=True, help="Print the runs in their order with expected hours and disk space; film nothing."
)
@click.option("--no-calibrate", is_flag=True, help="Do not calibrate the networks first; every take records that.")
@click.option(
    "--no-probe",
    is_flag=True,
    help="Do not learn volatile parameters and motion masks of sites that have none, and make no replay checks; every "
    "take records that.",
)
@click.option("--again", is_flag=True, help="Retry runs that used up max_attempts, with as many attempts again.")
@click.option(
    "--no-clips", is_flag=True, help="Film only; run the same command without this option to make the clips later."
)
@click.pass_context
def capture(
    ctx: click.Context,
    *,
    campaign_file: Path,
    batch: Path,
    recordings: Path | None,
    dry_run: bool,
    no_calibrate: bool,
    no_probe: bool,
    again: bool,
    no_clips: bool,
) -> None:
    """Film every run of a campaign that has no take yet, then build the batch. Run it again to continue.

    First calibrates the emulated networks and writes BATCH_DIR/calibration.json. Then prepares each
    site: learns its volatile parameters (eyelevel replay learn) and its motion mask (eyelevel probe, about three
    minutes) where it has none, and checks its replay (eyelevel replay check). Needs root, Chromium, ffmpeg and Xvfb
    (see eyelevel doctor). A void attempt is retried up to the campaign's max_attempts; BATCH_DIR/attempts.jsonl has the
    causes, BATCH_DIR/report.json the rates per stack.

    Exit status: 0 all runs have their takes, 1 some runs used up their attempts, the page of a site cannot be judged,
    or calibration failed, 3 root or namespaces are missing, 4 the campaign or a recording is wrong, 5 a tool is
    missing, 6 another capture uses BATCH_DIR, 8 the disk is full, 130 interrupted.

    Example: eyelevel capture pipeline/campaigns/demo.toml --out batches/demo
    """
    source, folder = read_campaign(campaign_file, recordings), BatchFolder(batch.resolve())
    campaign = source.campaign
    if not dry_run:
        check_tools()
    testbed = find_testbed()
    arms = chosen(stacks(testbed), campaign.stacks, source=campaign_file, caches=campaign.caches)
    with TemporaryDirectory() as scratch:
        known = networks(testbed, source, Path(scratch))
    tell_networks(known.values())
    digests = {name: network.digest for name, network in known.items()}
    recorded = {site.name: site.digest for site in source.sites}
    chance = {site.name: site.chance_seed for site in source.sites}
    discovering = [name for name, arm in arms.items() if arm.discovers]
    runs = expand(campaign, recorded, digests, chance, discovering=discovering)
    tell_skipped(skipped(campaign, discovering))
    if dry_run:
        waiting = not_taken(runs, taken(folder, runs, campaign))
        tell_plan(runs, waiting, _expected(source, waiting, costs(folder, runs)))
        _print_plan(runs)
        return
    worker = CaptureWorker(folder.scratch, watch=WATCH)
    with room(batch), claimed(folder), closing(worker):
        context = CaptureContext(
            batch=folder,
            campaign=campaign,
            sites=source.sites,
            testbed=testbed,
            worker=worker,
            waits=tell_waiting,
            networks=written(source, known, folder.networks),
            stacks=arms,
        )
        recover(folder)
        takes = taken(folder, runs, campaign)
        if takes:
            check_rules(folder, campaign)
        catch_up(folder, runs, takes)
        waiting = not_taken(runs, takes)
        if waiting:
            check_testbed(takes, sha256_of_file(testbed))
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
        found = calibrate(context.batch, context.testbed, context.networks, seed=seed)
    return replace(context, calibration=found)


def _try(context: CaptureContext, waiting: Sequence[Run]) -> None:
    """Try each site, network and stack once, with nothing in it, and name the hosts that replay cannot serve."""
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


def _print_plan(runs: list[Run]) -> None:
    for run in runs:
        click.echo(f"{run.site}\t{run.network}\t{run.stack}\t{run.name}\t{run.seed}")
