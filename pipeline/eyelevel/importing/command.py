"""The command `eyelevel import`: turns what another tool recorded into a recording."""

import zipfile
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import click

from eyelevel.errors import BadInputError
from eyelevel.importing.exchange import Imported, in_order, write
from eyelevel.importing.har import read_har
from eyelevel.importing.limits import check_file
from eyelevel.importing.mahimahi import read_folder
from eyelevel.importing.wacz import read_wacz
from eyelevel.importing.warc import is_warc, read_warc
from eyelevel.record.many_report import contents
from eyelevel.record.warning import warn_of
from eyelevel.record.write import writing
from eyelevel.recorded import responses
from eyelevel_core.contracts import sha256_of_file

# how many answers that were left out are named
NAMED = 5


@click.command("import")
@click.argument("source", metavar="FILE", type=click.Path(path_type=Path, exists=True))
@click.option(
    "-o",
    "--out",
    metavar="X.warc.gz",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="File of the recording; its folder must exist.",
)
@click.option("--start-url", help="The page to start with.  [default: the first page that the file names]")
def import_command(*, source: Path, out: Path, start_url: str | None) -> None:
    """Import a HAR with bodies, a WACZ, a WARC of another tool, or a folder of Mahimahi as a recording (WARC).

    Bodies of a HAR are decoded, so they are replayed without content-encoding, and are larger than they were on the
    wire. Pointers of a WARC or WACZ to an equal body (revisit) are resolved. Addresses of servers are kept where the
    file has them. What the file lacks is named. The first record of the WARC says what it was imported from.

    Exit status: 0 done, 4 the file or folder is wrong, 8 the disk is full.

    Example: eyelevel import page.har -o page.warc.gz
    """
    if not out.parent.is_dir():
        raise BadInputError(f"The folder {out.parent} of {out.name} does not exist; create it first.")
    found = _read(source)
    start = _start(found, start_url, source)
    with writing(out, _fields(source, found)) as writer:
        for exchange in in_order(found.exchanges, start):
            write(writer, exchange, source=str(source))
    held = tuple(responses(out))
    click.echo(f"{out}: {contents(held)}; starts with {start}.", err=True)
    _tell_left_out(found.left_out)
    warn_of(response.url for response in held)


def _read(source: Path) -> Imported:
    if source.is_dir():
        return read_folder(source)
    if zipfile.is_zipfile(source):
        return read_wacz(source)
    if is_warc(source):
        return read_warc(source)
    check_file(source)
    return read_har(source.read_bytes(), source=str(source))


def _start(found: Imported, given: str | None, source: Path) -> str:
    """Raise BadInputError where the page is not in the file, or no page can be told from the others."""
    known = {each.url for each in found.exchanges}
    if given is not None and given not in known:
        raise BadInputError(f"{source} has no answer of {given}; name a page that it has with --start-url.")
    start = given or found.start_url
    if start in known:
        return str(start)
    pages = [each.url for each in found.exchanges if each.is_page]
    if len(pages) == 1:
        return pages[0]
    choice = ", ".join(pages[:NAMED]) or "no HTML page at all"
    raise BadInputError(f"{source} does not say which page to start with; name it with --start-url (it has {choice}).")


def _fields(source: Path, found: Imported) -> dict[str, str]:
    digest = f", SHA-256 {sha256_of_file(source)}" if source.is_file() else ""
    tool = found.tool or "a tool that the file does not name"
    return {
        "software": f"eyelevel {version('eyelevel')}",
        "format": "WARC File Format 1.0",
        "description": f"Imported from the {found.kind} {source.name}{digest}, made by {' '.join(tool.split())}.",
        "eyelevel-imported-on": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }


def _tell_left_out(reasons: Sequence[str]) -> None:
    if reasons:
        more = f" and {len(reasons) - NAMED:,} more" if len(reasons) > NAMED else ""
        click.echo(f"Left out, so a replay misses it: {'; '.join(reasons[:NAMED])}{more}.", err=True)
