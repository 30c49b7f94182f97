"""The command `eyelevel capture`. It alone knows the stages beside it: replay's binary, measure, and batch."""

import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from eyelevel.batch.build import build
from eyelevel.capture.attempt import VISITS, Workshop
from eyelevel.capture.calibration import calibrate
from eyelevel.capture.campaign import CampaignFile, read_campaign
from eyelevel.capture.compare import compare_scenes, compare_sites
from eyelevel.capture.disk import room_on_disk
from eyelevel.capture.estimate import Estimate, Seen, estimate
from eyelevel.capture.machine import alone
from eyelevel.capture.networks import networks
from eyelevel.capture.plan import blocks, expand, not_taken, probes
from eyelevel.capture.progress import Talk
from eyelevel.capture.provenance import first_version
from eyelevel.capture.report import report
from eyelevel.capture.resume import (
    catch_up,
    check_browser,
    check_rules,
    check_testbed,
    claimed,
    costs,
    keep_campaign,
    lines,
    taken,
)
from eyelevel.capture.runner import Runner
from eyelevel.capture.seeds import calibration_seed
from eyelevel.capture.stacks import chosen, stacks
from eyelevel.capture.staging import recover
from eyelevel.capture.studio import Studio
from eyelevel.capture.tell import tell_fidelity, tell_overhead, tell_plan, tell_report
from eyelevel.capture.testbed import probe, serving
from eyelevel.errors import Exit, ToolMissingError
from eyelevel.measure.metrics import measure
from eyelevel.replay.binary import find_testbed
from eyelevel.video import Frame
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.contracts import sha256_of_file
from eyelevel_core.model.attempt import Attempt
from eyelevel_core.model.campaign import Campaign
from eyelevel_core.model.run import Run
from eyelevel_core.model.take import Take

TOOLS = {
    "chromium": "chromium",
    "ffmpeg": "ffmpeg",
    "ffprobe": "ffmpeg",
    "Xvfb": "xvfb",
    "fc-list": "fontconfig",
    "setpriv": "util-linux",
    "mount": "mount",
    "nsenter": "util-linux",
}
WATCH = [sys.executable, "-m", "eyelevel.measure.watch"]


@click.command()
@click.argument("campaign_file", metavar="CAMPAIGN.toml", type=click.Path(path_type=Path))
@click.option("--out", "batch", metavar="BATCH_DIR", required=True, type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "--recordings",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Where to look for recordings that are not beside the campaign file.",
)
@click.option("--dry-run", is_flag=True, help="Print the runs in their order, expected hours and disk; take none.")
@click.option("--no-calibrate", is_flag=True, help="Do not measure the networks first; every take then says so.")
@click.option("--again", is_flag=True, help="Give runs that were given up as many attempts more.")
@click.option("--no-clips", is_flag=True, help="Only film; the same command without it makes the batch's clips later.")
@click.pass_context
def capture(
    ctx: click.Context,
    *,
    campaign_file: Path,
    batch: Path,
    recordings: Path | None,
    dry_run: bool,
    no_calibrate: bool,
    again: bool,
    no_clips: bool,
) -> None:
    """Film every run of a campaign that has no take yet, then build the batch. Start it again to go on.

    Measures first whether the networks are what they say they are, and keeps that as BATCH_DIR/calibration.json.
    Needs root, Chromium, ffmpeg and Xvfb (see eyelevel doctor). A void attempt is repeated until the campaign's
    max_attempts; causes are kept in BATCH_DIR/attempts.jsonl, rates per stack in BATCH_DIR/report.json.

    Exit status: 0 all runs have their takes, 1 some were given up or a network is not what it says it is, 3 root or
    namespaces are missing, 4 the campaign or a recording is wrong, 5 a tool is missing, 6 another capture is at work
    there, 8 the disk is full, 130 interrupted.

    Example: eyelevel capture pipeline/campaigns/demo.toml --out batches/demo
    """
    source, folder = read_campaign(campaign_file, recordings), BatchFolder(batch.resolve())
    campaign = source.campaign
    testbed = find_testbed() if dry_run else _check_tools()
    arms = chosen(stacks(testbed), campaign.stacks, source=campaign_file)
    with TemporaryDirectory() as scratch:
        digests = {name: network.digest for name, network in networks(testbed, source, Path(scratch)).items()}
    runs = expand(campaign, {site.name: site.digest for site in source.sites}, digests)
    if dry_run:
        waiting = not_taken(runs, taken(folder, runs, campaign))
        tell_plan(runs, waiting, _expected(source, waiting, costs(folder, runs)))
        _print_plan(runs)
        return
    shop = Workshop(
        batch=folder,
        campaign=campaign,
        sites=source.sites,
        testbed=testbed,
        studio=Studio(folder.scratch, watch=WATCH),
        waits=_waits,
        stacks=arms,
    )
    with room_on_disk(batch), claimed(folder), closing(shop.studio):
        shop = replace(shop, networks=networks(testbed, source, folder.networks))
        recover(folder)
        takes = taken(folder, runs, campaign)
        if takes:
            check_rules(folder, campaign)
        catch_up(folder, runs, takes)
        waiting = not_taken(runs, takes)
        if waiting:
            check_testbed(takes, sha256_of_file(testbed))
            check_browser(takes, first_version(["chromium", "--version"]))
        for run in probes(waiting):
            site = next(site for site in source.sites if site.name == run.site)
            probe(shop.testbed, run, site, [*shop.networks[run.network].arguments, *serving(campaign)])
        if waiting and not no_calibrate:
            with alone(waits=_waits):
                seed = calibration_seed(campaign.seed)
                shop = replace(shop, calibration=calibrate(folder, testbed, shop.networks, seed=seed))
        keep_campaign(folder, campaign_file)
        tell_plan(runs, waiting, _expected(source, waiting, costs(folder, runs)))
        with Talk(len(runs), len(takes)) as talk:
            runner = Runner(shop, begin=talk.begin, tell=talk.tell, again=again)
            given_up = runner.take_all(blocks(waiting, paired=campaign.paired))
        scenes = compare_scenes(folder, runs)
        tell_fidelity(scenes)
        takes = taken(folder, runs, campaign)
        differing = compare_sites(folder, runs)
        written = _report(campaign, runs, takes, lines(folder), scenes=scenes, differing=differing)
        folder.write_report(written)
        tell_report(written)
        tell_overhead(takes.values())
        if takes and not no_clips:
            with alone(waits=_waits):  # encoding takes the processors from whoever films
                click.echo(build(folder, campaign, measure=_measure_frames))
    if given_up:
        click.echo(
            f"{given_up} of {len(runs)} runs have no take after {campaign.max_attempts} attempts; causes are "
            f"in {folder.attempts_file}. The same command with --again tries them again.",
            err=True,
        )
        ctx.exit(Exit.FAILED)


def _expected(source: CampaignFile, waiting: Iterable[Run], seen: Iterable[Seen]) -> Estimate:
    sizes = {site.name: site.recording.stat().st_size for site in source.sites}
    return estimate(waiting, seen, visits=VISITS, recordings=sizes)


def _report(
    campaign: Campaign,
    runs: Sequence[Run],
    takes: Mapping[str, Take],
    attempts: Iterable[Attempt],
    *,
    scenes: Iterable[dict[str, Any]],
    differing: Mapping[str, Sequence[str]],
) -> dict[str, Any]:
    """The value of report.json."""
    settings = {
        "name": campaign.name,
        "stacks": campaign.stacks,
        "networks": campaign.networks,
        "cache": campaign.caches,
        "sites": [{"name": site.name} for site in campaign.sites],
        "min_exact_share": campaign.min_exact_share,
    }
    values = {path: take.as_json() for path, take in takes.items()}
    lines = [attempt.as_json() for attempt in attempts]
    return report(settings, runs, values, lines, scenes=scenes, differing=differing)


def _measure_frames(frames: Iterable[tuple[float, Frame]], tolerance: int) -> Mapping[str, Any]:
    return measure(frames, tolerance=tolerance).as_json()


def _waits() -> None:
    click.echo("Another capture is filming on this machine; waiting, as runs go one at a time.", err=True)


def _check_tools() -> Path:
    for name, package in TOOLS.items():
        if shutil.which(name) is None:
            raise ToolMissingError(f"{name} is missing; get it by: apt-get install {package}")
    return find_testbed()


def _print_plan(runs: list[Run]) -> None:
    for run in runs:
        click.echo(f"{run.site}\t{run.network}\t{run.stack}\t{run.name}\t{run.seed}")
