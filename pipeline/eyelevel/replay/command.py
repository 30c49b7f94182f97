"""The commands `eyelevel replay check` and `eyelevel replay learn`."""

import os
from pathlib import Path

import click

from eyelevel.built import find_testbed
from eyelevel.errors import Exit, NotPermittedError, RefusedError
from eyelevel.loads.beside import check_writable, found_beside, matching_mask, place_of
from eyelevel.loads.seeds import page_seed, seed_of
from eyelevel.loads.site import Site, SiteMask, page_of, page_options, site_of_file
from eyelevel.loads.talk import Talk, tell_waiting
from eyelevel.loads.testbed_run import preflight
from eyelevel.loads.tools import check_tools
from eyelevel.loads.unlimited import loader
from eyelevel.replay.check import check
from eyelevel.replay.learn import learn_volatile
from eyelevel.replay.page import page
from eyelevel.stacks import chosen, stacks
from eyelevel_core.batch_folder.checks import write_check
from eyelevel_core.batch_folder.files import write_atomically
from eyelevel_core.batch_folder.masks import mask_name
from eyelevel_core.batch_folder.volatile import read_volatile, write_volatile
from eyelevel_core.comparability.visible import reason
from eyelevel_core.model.run import Run

SCRATCH = ".check"
START_URL = click.option("--start-url", help="The page to load.  [default: the start page of the recording]")


@click.group()
def replay() -> None:
    """Learn which parameters of a recording replay may ignore, and check what a viewer would miss.

    Example: eyelevel replay check recordings/qq.warc.gz -o check-qq
    """


@replay.command("learn")
@click.argument("recording", type=click.Path(path_type=Path, dir_okay=False))
@page_options
@START_URL
@click.option("--again", is_flag=True, help="Replace an existing file, and with it all corrections.")
def learn_command(*, recording: Path, viewport: str | None, device: str, start_url: str | None, again: bool) -> None:
    """Learn a recording's volatile parameters, and write NAME.volatile.json beside it.

    Loads the page twice with different random numbers (about ten seconds each). A parameter of the query or the path
    that differs, and selects no content, is ignored in replay; such a match counts as equivalent. eyelevel capture does
    the same before the first run of a site without a file. The file can be corrected by hand: it is never replaced
    without --again. See docs/explanation/fidelity.md. Needs root.

    Exit status: 0 done, 1 the page does not load, 3 root or namespaces are missing, 4 the recording is wrong, 5 a tool
    is missing, 6 the file exists already, 8 the disk is full, 130 interrupted.

    Example: eyelevel replay learn recordings/qq.warc.gz
    """
    size, loaded_on = page_of(viewport, device)
    site = site_of_file(recording, start_url, loaded_on)
    place = place_of(site)
    if place.exists() and not again:
        raise RefusedError(f"{place} exists and may have been corrected; give --again to replace it.")
    check_writable(place.parent)
    testbed = _ready(site)
    arms = chosen(stacks(testbed), ["TCP+"], source=Path("eyelevel replay learn"))
    with Talk() as talk, loader(testbed, arms, place.parent / SCRATCH, waits=tell_waiting) as ready:
        learned = learn_volatile(ready, site, size, tell=lambda words: talk.step(site.name, words, 0, 1))
        write_volatile(learned, place)
        talk.learned(site.name, learned)
    click.echo(place)


@replay.command("check")
@click.argument("recording", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--stack",
    "names",
    multiple=True,
    default=("TCP+", "QUIC"),
    show_default=True,
    help="Stack to replay over; can be repeated. Stacks that the browser reaches in the same way are loaded once.",
)
@click.option(
    "--out", "-o", required=True, type=click.Path(path_type=Path, file_okay=False), help="Folder for the results."
)
@click.option(
    "--seed",
    "campaign_seed",
    type=click.IntRange(min=0),
    help="Seed of a campaign, for the random numbers that the page gets in its runs. A recording that stores a seed, "
    "as those of eyelevel record do, always uses that one.  [default: a fixed seed of this check]",
)
@page_options
@START_URL
@click.pass_context
def check_command(
    ctx: click.Context,
    *,
    recording: Path,
    names: tuple[str, ...],
    out: Path,
    campaign_seed: int | None,
    viewport: str | None,
    device: str,
    start_url: str | None,
) -> None:
    """Replay a recording once per stack over a fast network, and judge what a viewer would miss.

    Writes OUT/check.html (pictures, gates, every request that was not answered exactly), OUT/check.json and a
    screenshot per stack. Uses the motion mask and the volatile parameters beside the recording; learn them with
    eyelevel probe and eyelevel replay learn. Needs root, for network namespaces. See docs/explanation/fidelity.md.

    Exit status: 0 the site is kept, 1 it is excluded or the page does not load, 3 root or namespaces are missing, 4 the
    recording is wrong, 5 a tool is missing, 8 the disk is full, 130 interrupted.

    Example: eyelevel replay check recordings/qq.warc.gz --stack TCP+ -o check-qq
    """
    size, loaded_on = page_of(viewport, device)
    site = site_of_file(recording, start_url, loaded_on)
    seed, of = drawing(site, campaign_seed)
    volatile = found_beside(site)
    place = site.recording.parent / mask_name(site.recording, size, loaded_on)
    mask = matching_mask(place, site, size)
    testbed = _ready(site)
    out.mkdir(parents=True, exist_ok=True)
    arms = chosen(stacks(testbed), names, source=Path("--stack"))
    with Talk() as talk, loader(testbed, arms, out.resolve() / SCRATCH, waits=tell_waiting) as ready:
        checked = check(
            ready,
            site,
            size,
            page_seed=seed,
            volatile=volatile,
            mask=None if mask is None else SiteMask(mask, place),
            tell=lambda words: talk.step(site.name, words, 0, 1),
        )
        talk.checked(site.name, checked.check, checked.warning)
    click.echo(f"The seed of the page's random numbers is {seed}, {of}.", err=True)
    if volatile is None:
        click.echo(
            "Its volatile parameters are unknown. eyelevel capture learns them first, so its check may have another "
            f"result. To learn them now: eyelevel replay learn {recording}",
            err=True,
        )
    known = None if volatile is None else read_volatile(volatile)
    for load, screenshot in zip(checked.check.loads, checked.screenshots, strict=True):
        write_atomically(out / f"{load.stack}.png", screenshot)
    write_check(checked.check, out / "check.json")
    write_atomically(out / "check.html", page(site.name, checked, known, mask).encode())
    click.echo(out / "check.html")
    if reason(checked.check) is not None:
        ctx.exit(Exit.FAILED)


def drawing(site: Site, campaign_seed: int | None) -> tuple[int, str]:
    """Returns the seed of the page's random numbers, and the end of a sentence that names its source."""
    if site.chance_seed is not None:
        return site.chance_seed, "which the recording stores"
    if campaign_seed is not None:
        return page_seed(campaign_seed, site.digest), f"that of campaigns with the seed {campaign_seed}"
    return seed_of("check", site.digest), "a fixed one of this check; give the seed of a campaign with --seed"


def _ready(site: Site) -> Path:
    """The testbed. Raise the error of what is missing, or of a recording that cannot be replayed."""
    if os.geteuid() != 0:
        raise NotPermittedError("Replaying a page needs root, for network namespaces; run the command with sudo.")
    check_tools()
    testbed = find_testbed()
    run = Run(site.name, "DSL", "TCP+", 1, recording=site.digest, seed=0, page_seed=0)
    preflight(testbed, run, site, ["--network", "DSL"])
    return testbed
