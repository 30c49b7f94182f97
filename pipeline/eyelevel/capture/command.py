"""The command `eyelevel capture`. It alone knows the stages beside it: replay's binary, measure, and batch."""

import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click

from eyelevel.batch.build import build
from eyelevel.capture.attempt import Workshop
from eyelevel.capture.campaign import read_campaign
from eyelevel.capture.compare import compare_scenes
from eyelevel.capture.ledger import claimed, taken
from eyelevel.capture.plan import Run, expand, not_taken, probes
from eyelevel.capture.progress import Talk
from eyelevel.capture.runner import take_all
from eyelevel.capture.testbed import probe
from eyelevel.errors import Exit, ToolMissingError
from eyelevel.measure.metrics import measure
from eyelevel.measure.take import measure_take
from eyelevel.replay.binary import find_testbed
from eyelevel.video import Frame

TOOLS = {
    "chromium": "chromium",
    "ffmpeg": "ffmpeg",
    "ffprobe": "ffmpeg",
    "Xvfb": "xvfb",
    "fc-list": "fontconfig",
    "setpriv": "util-linux",
    "mount": "mount",
}
COUNTED = {"inexact": "requests answered by a recording of nearly the same", "missed": "requests never recorded"}


@click.command()
@click.argument("campaign_file", metavar="CAMPAIGN.toml", type=click.Path(path_type=Path))
@click.option("--out", "batch", metavar="BATCH_DIR", required=True, type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "--recordings",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Where to look for recordings that are not beside the campaign file.",
)
@click.option("--dry-run", is_flag=True, help="Print the runs in their order, and take none.")
@click.pass_context
def capture(ctx: click.Context, *, campaign_file: Path, batch: Path, recordings: Path | None, dry_run: bool) -> None:
    """Film every run of a campaign that has no take yet, then build the batch. Start it again to go on.

    Needs root, Chromium, ffmpeg and Xvfb (see eyelevel doctor). A void attempt is repeated up to 3 times; causes are
    kept in BATCH_DIR/attempts.jsonl.

    Exit status: 0 all runs have their takes, 1 some were given up, 3 root is missing, 4 the campaign or a recording is
    wrong, 5 a tool is missing, 6 another capture is at work there, 130 interrupted.

    Example: eyelevel capture pipeline/campaigns/demo.toml --out batches/demo
    """
    campaign = read_campaign(campaign_file, recordings)
    runs = expand(campaign.settings, {site.name: site.digest for site in campaign.sites})
    if dry_run:
        _print_plan(runs)
        return
    shop = Workshop(batch=batch.resolve(), campaign=campaign, testbed=_check_tools(), measure=_measure)
    with claimed(batch):
        done = taken(shop.batch, runs, campaign.settings)
        waiting = not_taken(runs, done)
        for run in probes(waiting):
            probe(shop.testbed, run, next(site for site in campaign.sites if site.name == run.site))
        shutil.copyfile(campaign_file, shop.batch / "campaign.toml")
        with Talk(len(runs), len(done)) as talk:
            given_up = take_all(shop, waiting, begin=talk.begin, tell=talk.tell)
        _tell_fidelity(compare_scenes(shop.batch, runs))
        if given_up < len(runs):
            click.echo(build(shop.batch, campaign.value, measure=_measure_frames))
    if given_up:
        click.echo(
            f"{given_up} of {len(runs)} runs have no take; causes are in {batch / 'attempts.jsonl'}. "
            "The same command tries them again.",
            err=True,
        )
        ctx.exit(Exit.FAILED)


def _measure(folder: Path) -> Mapping[str, Any]:
    return measure_take(folder).as_json()


def _measure_frames(frames: Iterable[tuple[float, Frame]], tolerance: int) -> Mapping[str, Any]:
    return measure(frames, tolerance=tolerance).as_json()


def _check_tools() -> Path:
    for name, package in TOOLS.items():
        if shutil.which(name) is None:
            raise ToolMissingError(f"{name} is missing; get it by: apt-get install {package}")
    return find_testbed()


def _print_plan(runs: list[Run]) -> None:
    for run in runs:
        click.echo(f"{run.site}\t{run.network}\t{run.stack}\t{run.number}\t{run.seed}")


def _tell_fidelity(scenes: list[dict[str, Any]]) -> None:
    for scene in scenes:
        for path in scene["not_comparable"]:
            click.echo(f"note: {path} is not comparable with its scene: its load event did not come.", err=True)
        for kind, words in COUNTED.items():
            if len(set(scene[kind].values())) > 1:
                told = ", ".join(f"{path.split('/')[-2]} {count}" for path, count in scene[kind].items())
                click.echo(
                    f"note: {scene['site']}, {scene['network']}: {words} differ in number ({told}).",
                    err=True,
                )
        for difference in scene["differences"]:
            click.echo(
                f"warning: {difference['take']} was not served the same as the others of its scene before load: "
                f"{len(difference['lacks'])} requests fewer, {len(difference['adds'])} more; see fidelity.json.",
                err=True,
            )
