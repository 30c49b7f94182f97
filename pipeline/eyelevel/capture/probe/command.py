"""The command `eyelevel probe`: learn the motion masks of recordings before a campaign."""

import re
from functools import partial
from pathlib import Path

import click

from eyelevel.capture.campaign import Site
from eyelevel.capture.campaign import site_of as named_site
from eyelevel.capture.probe.loads import STACKS, Prober
from eyelevel.capture.probe.run import check_writable, found, probe
from eyelevel.capture.probe.tell import Talk
from eyelevel.capture.stacks import chosen, stacks
from eyelevel.capture.tell import tell_waiting
from eyelevel.capture.tools import check_tools
from eyelevel.capture.unlimited import loader
from eyelevel.disk import is_full
from eyelevel.errors import BadInputError, EyelevelError, PageFailedError
from eyelevel.replay.binary import find_testbed
from eyelevel_core.batch_folder.masks import mask_name, write_mask
from eyelevel_core.model.take import Viewport

VIEWPORT = re.compile(r"([1-9]\d{1,4})x([1-9]\d{1,4})")
SCRATCH = ".probe"


@click.command()
@click.argument(
    "recordings", metavar="RECORDING...", nargs=-1, required=True, type=click.Path(path_type=Path, dir_okay=False)
)
@click.option("--viewport", default="1280x720", show_default=True, help="Size of the page, as a campaign names it.")
@click.option("--start-url", help="The page to load.  [default: the recording's own]")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for the masks.  [default: that of each recording]",
)
@click.option("--again", is_flag=True, help="Probe also recordings that have a mask.")
def probe_command(
    *, recordings: tuple[Path, ...], viewport: str, start_url: str | None, out: Path | None, again: bool
) -> None:
    """Learn which parts of a page never come to rest, and write the motion mask NAME.mask-WxH.json.

    Loads each recording five times, over TCP+ and QUIC in turn and without network limits, and films it for 30 s after
    its network is quiet: about three minutes. eyelevel capture does the same before the first run of a site without a
    mask. A probe that was interrupted continues where it stopped. Where a page does not load, the other recordings are
    probed all the same. See docs/motion.md.

    Exit status: 0 done, 1 a page does not load, 3 root or namespaces are missing, 4 a recording is wrong, 5 a tool is
    missing, 8 the disk is full, 130 interrupted.

    Example: eyelevel probe recordings/sohu.warc.gz recordings/qq.warc.gz
    """
    size = viewport_of(viewport)
    sites = [site_of(recording, start_url) for recording in recordings]
    check_tools()
    testbed = find_testbed()
    arms = chosen(stacks(testbed), STACKS, source=Path("eyelevel probe"))
    for folder in {_folder(site, out) for site in sites}:
        check_writable(folder)
    failed: list[Site] = []
    with Talk() as talk:
        for site in sites:
            place = _folder(site, out) / mask_name(site.recording, size)
            known = None if again else found(place, site, size)
            if known is None:
                try:
                    with loader(testbed, arms, place.parent / SCRATCH, waits=tell_waiting) as ready:
                        known = probe(Prober(ready), site, size, tell=partial(talk.step, site.name))
                except PageFailedError as error:
                    # a full disk fails the other pages as well
                    if len(sites) == 1 or is_full(error):
                        raise
                    failed.append(site)
                    talk.unprobed(site.name, error)
                    continue
                write_mask(known, place)
            talk.result(site.name, known)
            click.echo(place)
    if failed:
        names = ", ".join(str(site.recording) for site in failed)
        raise EyelevelError(
            f"{len(failed)} of {len(sites)} recordings have no mask, as their page does not load: {names}. The reasons "
            "are above. The same command tries them again."
        )


def viewport_of(text: str) -> Viewport:
    """The size that an option gives."""
    found = VIEWPORT.fullmatch(text)
    if found is None:
        raise click.BadParameter(f"{text!r} is no size; give WIDTHxHEIGHT, e.g. 1280x720.", param_hint="--viewport")
    return Viewport(int(found[1]), int(found[2]))


def site_of(recording: Path, start_url: str | None) -> Site:
    """The site of a recording that no campaign names, called like its file."""
    if not recording.is_file():
        raise BadInputError(f"{recording} does not exist; give the path of a recording (WARC).")
    name = recording.name.removesuffix(".gz").removesuffix(".warc")
    return named_site(name, recording, start_url)


def _folder(site: Site, out: Path | None) -> Path:
    return site.recording.parent if out is None else out.resolve()
