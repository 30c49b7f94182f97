"""The command `eyelevel record`: records a live page."""

import shutil
import tempfile
from pathlib import Path

import click

from eyelevel.errors import BadInputError, EyelevelError, ToolMissingError
from eyelevel.record.proxy import find_warcprox, proxy
from eyelevel.record.visit import visit
from eyelevel.record.write import write_recording


@click.command()
@click.argument("url")
@click.option(
    "-o",
    "--out",
    metavar="X.warc.gz",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="File of the recording; its folder must exist.",
)
@click.option("--width", "width_px", default=1280, show_default=True, help="Viewport width in CSS pixels.")
@click.option("--height", "height_px", default=720, show_default=True, help="Viewport height in CSS pixels.")
@click.option("--limit", "limit_s", default=60.0, show_default=True, help="Seconds to wait for the load event.")
def record(*, url: str, out: Path, width_px: int, height_px: int, limit_s: float) -> None:
    """Record one visit to a page as a WARC file, with server addresses and unmodified bodies.

    Needs Chromium and warcprox.

    Exit status: 0 done, 4 the URL or the file is wrong, 5 a tool is missing, 7 the page did not load, 8 the disk is
    full.

    Example: eyelevel record https://example.org/ -o example.warc.gz
    """
    if not url.startswith(("http://", "https://")):
        raise BadInputError(f"{url} is not an http or https URL; give a complete one, such as https://example.org/.")
    if not out.parent.is_dir():
        raise BadInputError(f"The folder {out.parent} of {out.name} does not exist; create it first.")
    executable = shutil.which("chromium")
    if executable is None:
        raise ToolMissingError("chromium is missing; get it by: apt-get install chromium")
    program = find_warcprox()
    with tempfile.TemporaryDirectory(prefix="eyelevel-record-") as place:
        folder = Path(place)
        with proxy(program, folder) as port:
            click.echo(f"Recording {url} ...", err=True)
            title = visit(
                url, executable=executable, port=port, width_px=width_px, height_px=height_px, limit_s=limit_s
            )
        parts = sorted((folder / "warcs").glob("*.warc.gz"))
        contents = write_recording(parts, out, url=url, recorder="warcprox")
    if not contents.has(url):
        out.unlink()
        raise EyelevelError(f"{url} was loaded, but the recording proxy did not record it; try again.")
    hosts = len(contents.hosts)
    click.echo(
        f"{out}: {title!r}, {contents.responses} responses of {hosts} hosts, {out.stat().st_size} bytes", err=True
    )
