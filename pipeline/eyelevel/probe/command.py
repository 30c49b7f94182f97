"""The command `eyelevel probe`: learn the motion masks of recordings before a campaign."""

from functools import partial
from pathlib import Path

import click

from eyelevel.built import find_testbed
from eyelevel.disk import is_full
from eyelevel.errors import EyelevelError, PageFailedError
from eyelevel.loads.beside import check_writable, found
from eyelevel.loads.site import Site, page_of, page_options, site_of_file
from eyelevel.loads.talk import Talk, tell_waiting
from eyelevel.loads.tools import check_tools
from eyelevel.loads.unlimited import loader
from eyelevel.probe.films import STACKS, Prober
from eyelevel.probe.run import probe
from eyelevel.stacks import chosen, stacks
from eyelevel_core.batch_folder.masks import mask_name, write_mask

SCRATCH = ".probe"


@click.command()
@click.argument(
    "recordings", metavar="RECORDING...", nargs=-1, required=True, type=click.Path(path_type=Path, dir_okay=False)
)
@page_options
@click.option("--start-url", help="The page to load.  [default: the recording's own]")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for the masks.  [default: that of each recording]",
)
@click.option("--again", is_flag=True, help="Probe also recordings that have a mask.")
def probe_command(
    *,
    recordings: tuple[Path, ...],
    viewport: str | None,
    device: str,
    start_url: str | None,
    out: Path | None,
    again: bool,
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
    size, loaded_on = page_of(viewport, device)
    sites = [site_of_file(recording, start_url, loaded_on) for recording in recordings]
    check_tools()
    testbed = find_testbed()
    arms = chosen(stacks(testbed), STACKS, source=Path("eyelevel probe"))
    for folder in {_folder(site, out) for site in sites}:
        check_writable(folder)
    failed: list[Site] = []
    with Talk() as talk:
        for site in sites:
            place = _folder(site, out) / mask_name(site.recording, size, loaded_on)
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


def _folder(site: Site, out: Path | None) -> Path:
    return site.recording.parent if out is None else out.resolve()
