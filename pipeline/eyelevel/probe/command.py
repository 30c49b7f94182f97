"""The command `eyelevel probe`: learn the motion masks of recordings before a campaign."""

from contextlib import ExitStack
from functools import cache
from pathlib import Path

import click

from eyelevel.built import find_testbed
from eyelevel.disk import is_full
from eyelevel.errors import EyelevelError
from eyelevel.loads.beside import check_writable, matching_mask
from eyelevel.loads.site import Site, page_of, page_options, site_of_file
from eyelevel.loads.talk import Talk, tell_waiting
from eyelevel.loads.tools import check_tools
from eyelevel.loads.unlimited import Loader, loader
from eyelevel.probe.budget import budget
from eyelevel.probe.films import STACKS, Prober
from eyelevel.probe.run import probe
from eyelevel.stacks import chosen, stacks
from eyelevel_core.batch_folder.masks import mask_name, write_mask
from eyelevel_core.model.mask import Mask

SCRATCH = ".probe"


@click.command()
@click.argument(
    "recordings", metavar="RECORDING...", nargs=-1, required=True, type=click.Path(path_type=Path, dir_okay=False)
)
@page_options
@click.option("--start-url", help="The page to load.  [default: the start page of the recording]")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for the masks.  [default: the folder of each recording]",
)
@click.option("--again", is_flag=True, help="Also probe recordings that have a mask.")
def probe_command(
    *,
    recordings: tuple[Path, ...],
    viewport: str | None,
    device: str,
    start_url: str | None,
    out: Path | None,
    again: bool,
) -> None:
    """Learn which parts of a page never stop changing, and write the motion mask NAME.mask-WxH.json.

    Loads each recording two to five times, over TCP+ and QUIC in turn and without network limits, and films it for up
    to 30 s after its network is quiet: about 60 s for a page that stops changing, 150 s for a page that never does.
    eyelevel capture does the same before the first run of a site without a mask. A recording that has a mask is not
    probed, and a probe that was interrupted continues where it stopped. If a page does not load, the other recordings
    are still probed. See docs/explanation/motion.md.

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
    # by path, because a recording may be given twice
    given = {site.recording: site for site in sites}
    places = {path: _folder(site, out) / mask_name(path, size, loaded_on) for path, site in given.items()}
    beside = {
        path: mask for path, site in given.items() if not again and (mask := matching_mask(places[path], site, size))
    }
    # copies of a recording have one mask
    known = {given[path].digest: mask for path, mask in beside.items()}
    firsts = {site.digest: site for site in reversed(given.values())}
    lacking = [firsts[digest] for digest in reversed(firsts) if digest not in known]
    failed: list[Site] = []
    with Talk() as talk, ExitStack() as open_loaders:

        def keep(digest: str, mask: Mask) -> None:
            for path, site in given.items():
                if site.digest == digest:
                    if path not in beside:
                        write_mask(mask, places[path])
                    click.echo(places[path])

        @cache
        def ready(scratch: Path) -> Loader:
            return open_loaders.enter_context(loader(testbed, arms, scratch, waits=tell_waiting))

        for digest, mask in known.items():
            talk.known(firsts[digest].name, mask)
            keep(digest, mask)
        talk.expect(len(lacking), budget(len(lacking)))
        prober = lambda site: Prober(ready(places[site.recording].parent / SCRATCH))  # noqa: E731 - it is used once
        for site, outcome in probe(prober, lacking, lambda _: size, tell=talk.step):
            if isinstance(outcome, Mask):
                talk.result(site.name, outcome)
                keep(site.digest, outcome)
            elif len(sites) == 1 or is_full(outcome):  # a full disk fails the other pages as well
                raise outcome
            else:
                failed += [alike for alike in given.values() if alike.digest == site.digest]
                talk.unprobed(site.name, outcome)
    if failed:
        names = ", ".join(str(site.recording) for site in failed)
        raise EyelevelError(
            f"{len(failed)} of {len(sites)} recordings have no mask, because their page does not load: {names}. The "
            "reasons are above. Run the same command to try them again."
        )


def _folder(site: Site, out: Path | None) -> Path:
    return site.recording.parent if out is None else out.resolve()
