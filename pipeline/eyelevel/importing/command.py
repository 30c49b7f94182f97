"""The command `eyelevel import`: converts the archive of another tool to a recording."""

from datetime import UTC, datetime
from importlib.metadata import version
from io import BytesIO
from pathlib import Path

import click

from eyelevel.errors import BadInputError
from eyelevel.importing.exchange import Imported, in_order, shown, write
from eyelevel.importing.har import read_har
from eyelevel.importing.limits import Budget, check_file
from eyelevel.importing.mahimahi import is_exchange, read_folder
from eyelevel.importing.opened import ZIP, DamagedError, check_readable, opened
from eyelevel.importing.start import start_of
from eyelevel.importing.wacz import read_wacz
from eyelevel.importing.warc import is_warc, read_warc
from eyelevel.importing.wire import printable
from eyelevel.record.many_report import contents
from eyelevel.record.warning import warn_of
from eyelevel.record.write import writing
from eyelevel.recorded import responses
from eyelevel_core.contracts import sha256_of_file


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
@click.option("--start-url", help="The page to start with.  [default: the page that the file names, or its only one]")
@click.option("--strict", is_flag=True, help="Fail if an answer is left out, changed or incomplete.")
def import_command(*, source: Path, out: Path, start_url: str | None, strict: bool) -> None:
    """Import a HAR with bodies, a WACZ, a WARC of another tool, or a Mahimahi folder as a recording (WARC).

    Each file may be compressed by gzip. Bodies of a HAR are decoded, so they are replayed without content-encoding, and
    are larger than they were on the wire. Revisit records of a WARC or WACZ are replaced by the response that they
    point to. Server addresses are kept if the file has them. The first record of the WARC names the source.

    An answer that cannot be used is left out; an answer that is changed or truncated is imported. Both are listed on
    stderr with the reason, and counted. The page to start with is an HTML document; if the file does not name it, the
    command lists the documents, and you choose one with --start-url.

    Exit status: 0 done, 4 the file or folder is wrong, 8 the disk is full.

    Example: eyelevel import page.har -o page.warc.gz
    """
    if not out.parent.is_dir():
        raise BadInputError(f"The folder {out.parent} of {out.name} does not exist; create it first.")
    _check_kept(source, out)
    imported = _read(source)
    if strict:
        _check_strictly(imported, source)
    try:
        start = start_of(imported, start_url, source=str(source))
    except BadInputError:
        _tell(imported)
        raise
    with writing(out, _fields(source, imported)) as writer:
        for exchange in in_order(imported.exchanges, start):
            write(writer, exchange)
    written = tuple(responses(out))
    _tell(imported)
    click.echo(f"{out}: {contents(written)}; starts with {shown(start)}.", err=True)
    warn_of(response.url for response in written)


def _check_kept(source: Path, out: Path) -> None:
    """Raises BadInputError if the recording would replace the input, or be inside the input folder."""
    if source.is_dir() and out.resolve().is_relative_to(source.resolve()):
        raise BadInputError(f"--out {out} is inside {source}, which is the input; give another folder.")
    if out.exists() and out.samefile(source):
        raise BadInputError(f"--out {out} would replace {source}, which is the input; give another name.")


def _read(source: Path) -> Imported:
    if source.is_dir():
        return read_folder(source)
    check_file(source)
    name, budget = str(source), Budget(str(source))
    with source.open("rb") as file:
        first = file.read(len(ZIP))
        file.seek(0)
        if first == ZIP:
            return read_wacz(file, source=name, budget=budget)
        plain = opened(file, budget)
    if is_warc(plain):
        return read_warc(plain, source=name, budget=budget)
    try:
        data = plain.whole
    except DamagedError as error:
        raise BadInputError(f"{source} is damaged ({error}); export it again.") from error
    if data.startswith(ZIP):
        return read_wacz(BytesIO(data), source=name, budget=budget)
    check_readable(data, name)
    if is_exchange(data):
        raise BadInputError(
            f"{source} is one exchange of a Mahimahi folder; give its folder {source.absolute().parent}."
        )
    return read_har(data, source=name)


def _check_strictly(imported: Imported, source: Path) -> None:
    lines = [*(str(each) for each in imported.left_out), *imported.remarks]
    if lines:
        listed = "".join(f"\n  {line}" for line in lines)
        raise BadInputError(
            f"{source} is not imported because of --strict and {_count(imported)}:{listed}\n"
            "Export the file again, or import it without --strict."
        )


def _tell(imported: Imported) -> None:
    for each in imported.left_out:
        click.echo(f"Left out: {each}.", err=True)
    for remark in imported.remarks:
        click.echo(f"Note: {remark}.", err=True)
    if imported.left_out:
        click.echo(f"{_count(imported)}; a replay lacks these answers.", err=True)


def _count(imported: Imported) -> str:
    answers = len(imported.answers)
    notes = f"{len(imported.remarks):,} {'note' if len(imported.remarks) == 1 else 'notes'}"
    left_out = f"{len(imported.left_out):,} of {answers:,} answers left out"
    counts = ((left_out, imported.left_out), (notes, imported.remarks))
    return ", ".join(text for text, counted in counts if counted)


def _fields(source: Path, imported: Imported) -> dict[str, str]:
    digest = f", SHA-256 {sha256_of_file(source)}" if source.is_file() else ""
    tool = imported.tool or "an unknown tool"
    made_by = f"Imported from the {imported.kind} {source.name}{digest}, made by {' '.join(tool.split())}."
    return {
        "software": f"eyelevel {version('eyelevel')}",
        "format": "WARC File Format 1.0",
        "description": printable(made_by),
        "eyelevel-imported-on": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }
