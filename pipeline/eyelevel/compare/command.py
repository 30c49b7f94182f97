"""The command `eyelevel compare`: writes a report with tables and figures about a batch."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.progress import track

from eyelevel.compare.comparison import Choices, compare
from eyelevel.compare.inference import Correction
from eyelevel.compare.pairs import choose_pairs, reference_of
from eyelevel.compare.reading import read_batch
from eyelevel.compare.report.answers import answers, lead
from eyelevel.compare.write import report_files, write
from eyelevel.errors import BadInputError


@click.command("compare")
@click.argument("batch_dir", metavar="BATCH_DIR", type=click.Path(path_type=Path))
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), help="Folder for the report; created if missing."
)
@click.option(
    "--pair",
    "pairs",
    multiple=True,
    metavar="NEW/REFERENCE",
    help="Stacks to compare, such as QUIC/TCP+; can be repeated.  [default: the seven pairs of the 2019 paper and the "
    "pairs of the campaign]",
)
@click.option(
    "--correction",
    type=click.Choice(["holm", "bh"]),
    default="holm",
    show_default=True,
    help="Correction for multiple tests: Holm (family-wise error rate) or Benjamini-Hochberg (false discovery rate).",
)
@click.option(
    "--cache",
    type=click.Choice(["cold", "warm"]),
    default="cold",
    show_default=True,
    help="Visits to compare: first (cold) or second (warm).",
)
def compare_command(*, batch_dir: Path, out: Path, pairs: tuple[str, ...], correction: Correction, cache: str) -> None:
    """Compare the stacks of a batch: tables and figures as in the 2019 paper, and tests for multiple sites.

    Writes OUT/report.html, every table as OUT/tables/*.csv and every figure as OUT/figures/*.svg, and prints the
    results. The same batch gives the same bytes. docs/compare.md explains each table.

    Exit status: 0 done, 2 wrong use, 4 the batch cannot be compared, 8 the disk is full.

    Example: eyelevel compare batches/demo --out report
    """
    _check_out(out, batch_dir)
    batch = read_batch(batch_dir, _watched)
    stacks = {load.stack for load in batch.loads if load.cache == cache}
    if not stacks:
        raise BadInputError(f"{batch_dir} has no take with a {cache} cache; give another --cache.")
    choices = Choices(
        pairs=choose_pairs(pairs, batch.campaign, stacks),
        reference=reference_of(stacks),
        correction=correction,
        cache=cache,
    )
    comparison = compare(batch, choices)
    write(report_files(comparison), out)
    click.echo(lead(comparison))
    for pair in choices.pairs:
        for answer in answers(comparison, pair):
            click.echo(f"{pair}, {answer.network}: {answer.sentence}")
    for remark in comparison.remarks:
        click.echo(f"note: {remark}", err=True)
    click.echo(f"The report is {out / 'report.html'}.", err=True)


def _watched(paths: Sequence[Path]) -> Iterable[Path]:
    return track(paths, description="reading takes", console=Console(stderr=True), transient=True)


def _check_out(out: Path, batch_dir: Path) -> None:
    """Before any work: a file in the way, or a batch that would no longer be what its manifest says."""
    if not batch_dir.is_dir():
        raise BadInputError(f"{batch_dir} is not a folder; give the folder that eyelevel capture made.")
    if batch_dir.resolve() in (out.resolve(), *out.resolve().parents):
        raise BadInputError(f"--out {out} is inside the batch, which must not change; give another folder.")
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInputError(f"{out} cannot be created as a folder for the report: {error.strerror}.") from error
