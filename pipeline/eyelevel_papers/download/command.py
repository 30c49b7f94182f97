"""The command `eyelevel download`: downloads one file over stacks and networks, and writes throughput and tables."""

import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from eyelevel.built import find_testbed
from eyelevel.errors import BadInputError, EyelevelError, ToolMissingError
from eyelevel.machine import alone
from eyelevel.options import NumberRange
from eyelevel.report.table import Filled, dictionary
from eyelevel.stacks import Stack, stacks
from eyelevel_figures.elements import svg_text
from eyelevel_papers.download.attempt import Asked, Failed, download
from eyelevel_papers.download.figure import throughput, windows
from eyelevel_papers.download.file import write_recording
from eyelevel_papers.download.measured import Download
from eyelevel_papers.download.networks import Network, networks
from eyelevel_papers.download.tables import (
    Cell,
    cell_table,
    contrast_table,
    contrasts,
    run_table,
    throughput_table,
)

MOST_BYTES = 1_000_000_000
TRIES = 3


@dataclass(frozen=True)
class Task:
    stack: Stack
    network: Network
    run: int


@click.command("download")
@click.option(
    "--bytes",
    "size_bytes",
    type=click.IntRange(1, MOST_BYTES),
    default=25_000_000,
    show_default=True,
    help="Size of the file.",
)
@click.option(
    "--stack",
    "names",
    multiple=True,
    help="The protocol stack, by its name; can be repeated.  [default: TCP and QUIC]",
)
@click.option(
    "--network",
    "places",
    multiple=True,
    metavar="NAME|FILE.json",
    help="The emulated network: DSL, LTE, DA2GC, MSS, MSS-SLIDES, or a JSON file that defines one "
    "(docs/guides/define-stacks-and-networks.md); can be repeated.  [default: DSL]",
)
@click.option("--runs", type=click.IntRange(1, 1000), default=5, show_default=True, help="Downloads per stack.")
@click.option("--seed", default=1, show_default=True, help="Random seed of the first run's packet loss and jitter.")
@click.option(
    "--limit-s",
    type=NumberRange(1, 86_400),
    default=600.0,
    show_default=True,
    help="Longest time of a download, in seconds; a longer one fails.",
)
@click.option(
    "--out", required=True, type=click.Path(path_type=Path, file_okay=False), help="Folder for tables and figures."
)
def download_command(
    *,
    size_bytes: int,
    names: tuple[str, ...],
    places: tuple[str, ...],
    runs: int,
    seed: int,
    limit_s: float,
    out: Path,
) -> None:
    """Download one file in Chromium over stacks and emulated networks, and measure its throughput over time.

    Chromium opens a page, and then downloads a file of the same host over the open connection. Writes, into OUT,
    downloads.csv (means beside those of Saif et al. 2020), contrasts.csv, runs.csv, throughput.csv (per 100 ms),
    columns.csv, which explains all columns, and a figure per network, after each download. Packets and bytes are
    those of the wire report. A download whose wire contradicts the stack's definition is repeated up to twice. Needs
    root and Chromium.

    Exit status: 0 done, 1 a stack has no download that counts, 2 an argument is wrong, 3 root or namespaces are
    missing, 4 a network's file is wrong, 5 a tool is missing, 8 the disk is full.

    Example: eyelevel download --bytes 25000000 --stack TCP --stack QUIC --network DSL --runs 5 --out downloads
    """
    testbed = find_testbed()
    known = stacks(testbed)
    chosen = [_stack(name, known) for name in dict.fromkeys(names or ("TCP", "QUIC"))]
    for tool in ("chromium", "setpriv"):
        if shutil.which(tool) is None:
            raise ToolMissingError(f"{tool} is missing; run eyelevel doctor to see how to install it.")
    for place in (places := places or ("DSL",)):
        if place.endswith(".json") and not Path(place).is_file():
            raise BadInputError(f"--network {place}: the file does not exist; name a file or one of the networks.")
    links = networks(testbed, places)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="eyelevel-download-") as folder:
        recording = Path(folder) / "download.warc"
        write_recording(recording, size_bytes)
        asked = Asked(testbed, recording, size_bytes, limit_s)
        results: list[tuple[Task, Download | None]] = []
        cells: list[Cell] = []
        for task in tasks(chosen, links, runs):
            results.append((task, _tried(asked, task, seed=seed + task.run - 1)))
            cells = [_cell(stack, link, results) for link in links for stack in chosen]
            # after each download, so that an interrupted command leaves its measurements
            for name, text in files(cells).items():
                (out / name).write_text(text, encoding="utf-8", newline="")
    click.echo(_as_text(cell_table(cells)))
    if rows := contrasts(cells):
        click.echo(_as_text(contrast_table(rows)))
    click.echo(f"Tables and figures are in {out}.", err=True)
    if missing := [f"{cell.stack} over {cell.network}" for cell in cells if not cell.downloads]:
        raise EyelevelError(f"There is no valid download of {', '.join(missing)}; see the reasons above.")


def tasks(chosen: Sequence[Stack], links: Sequence[Network], runs: int) -> Iterator[Task]:
    """Yields downloads run by run, every second run in reverse order, so that load changes affect stacks equally."""
    for run in range(1, runs + 1):
        for link in links:
            for stack in chosen if run % 2 else reversed(chosen):
                yield Task(stack, link, run)


def files(cells: Sequence[Cell]) -> dict[str, str]:
    """Returns the texts of all files, by name."""
    tables = [cell_table(cells), contrast_table(contrasts(cells)), run_table(cells), throughput_table(cells)]
    labels = dict.fromkeys(cell.network for cell in cells if cell.downloads)
    by_network = [[cell for cell in cells if cell.network == label] for label in labels]
    figures = [draw(network_cells) for network_cells in by_network for draw in (throughput, windows)]
    return {
        **{table.file: table.csv() for table in tables},
        "columns.csv": dictionary(tables),
        **{f"{figure.name}.svg": svg_text(figure.element()) for figure in figures},
    }


def _stack(name: str, known: Mapping[str, Stack]) -> Stack:
    if name not in known:
        raise click.BadParameter(f"{name!r} is not a stack; the stacks are {', '.join(known)}.", param_hint="--stack")
    return known[name]


def _tried(asked: Asked, task: Task, *, seed: int) -> Download | None:
    """Returns the download, or None if every try failed."""
    where = f"{task.network.place}, {task.stack.name}, run {task.run}"
    for number in range(1, TRIES + 1):
        with alone("download", waits=lambda who: click.echo(f"Waiting for {who}.", err=True)):
            result = download(asked, task.stack, task.network, run=task.run, seed=seed)
        if isinstance(result, Failed):
            click.echo(f"{where}: try {number} of {TRIES} is not valid: {result.reason}", err=True)
            continue
        click.echo(f"{where}: {result.body_bytes:,} bytes in {result.duration_ms / 1000:.2f} s", err=True)
        return result
    return None


def _cell(stack: Stack, link: Network, results: Sequence[tuple[Task, Download | None]]) -> Cell:
    of_cell = [result for task, result in results if (task.stack, task.network) == (stack, link)]
    valid = [result for result in of_cell if result is not None]
    return Cell(link.label, stack.name, valid, failed=len(of_cell) - len(valid))


def _as_text(table: Filled) -> str:
    """Formats the table for a terminal, with padded columns."""
    heads = table.heads()
    lines = [[head.words for head in heads], *table.lines(table.rows)]
    widths = [max(map(len, cells)) for cells in zip(*lines, strict=True)]
    pads = [str.ljust if head.text else str.rjust for head in heads]
    return "\n".join(
        "  ".join(pad(cell, width) for pad, cell, width in zip(pads, line, widths, strict=True)).rstrip()
        for line in lines
    )
