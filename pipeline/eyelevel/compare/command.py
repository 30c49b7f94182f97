"""The command `eyelevel compare`: writes a report with tables and figures about a batch."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import click
from click.core import ParameterSource
from rich.console import Console
from rich.progress import track

from eyelevel.compare.added import Report, reports, sections
from eyelevel.compare.comparison import Choices, compare
from eyelevel.compare.devices import cost_unknown, on_device
from eyelevel.compare.floors import FILM_COST
from eyelevel.compare.inference import Correction
from eyelevel.compare.merging import merged
from eyelevel.compare.model import Batch
from eyelevel.compare.pairs import choose_pairs, parse_pairs, reference_of
from eyelevel.compare.reading import read_batch
from eyelevel.compare.report.answers import answers, lead
from eyelevel.compare.write import report_files, write
from eyelevel.errors import BadInputError
from eyelevel_core.model.device import DEVICES
from eyelevel_core.model.run import CACHES


@click.command("compare")
@click.argument("batch_dirs", metavar="BATCH_DIR...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), help="Folder for the report; created if missing."
)
@click.option(
    "--as",
    "paper",
    type=click.Choice(list(reports())),
    default=None,
    help="Write the tables and figures of this paper, beside what it printed, instead of the comparison "
    "(docs/replications/README.md).  [default: the comparison]",
)
@click.option(
    "--pair",
    "pairs",
    multiple=True,
    metavar="NEW/REFERENCE",
    help="Stacks to compare, such as QUIC/TCP+; can be repeated.  [default: the eight pairs of the 2019 paper and the "
    "pairs of the campaign; with --as, every QUIC stack against the TCP stack nearest to the paper's]",
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
    type=click.Choice(CACHES),
    default="cold",
    show_default=True,
    help="Cache mode of the visits to compare: first visits (cold), or repeat visits that keep part of the first.",
)
@click.option(
    "--film-cost",
    type=click.FloatRange(0, 100, max_open=True),
    default=round(100 * FILM_COST, 6),
    show_default=True,
    metavar="PERCENT",
    help="By how many percent filming may slow one stack more than another; smaller differences are not claimed. "
    "Measure it with tests/bench/film_cost.py.",
)
@click.option(
    "--device",
    type=click.Choice(list(DEVICES)),
    default=None,
    help="Device profile whose takes are compared.  [default: that of the batch, if all takes have the same]",
)
def compare_command(
    *,
    batch_dirs: tuple[Path, ...],
    out: Path,
    paper: str | None,
    pairs: tuple[str, ...],
    correction: Correction,
    cache: str,
    film_cost: float,
    device: str | None,
) -> None:
    """Compare the stacks of a batch: tables and figures as in the 2019 paper, and tests for multiple sites.

    Writes OUT/report.html, every table as OUT/tables/*.csv and every figure as OUT/figures/*.svg, and prints the
    results. The same batch gives the same bytes. docs/reference/compare.md explains each table. Several batches that
    were captured with the same build and browser are compared as one.

    Exit status: 0 done, 2 usage error, 4 the batch cannot be compared, 8 the disk is full.

    Example: eyelevel compare batches/demo --out report

    Example: eyelevel compare batches/nepomuceno --as nepomuceno2018 --out report
    """
    if paper is not None:
        _check_as(paper)
    _check_out(out, batch_dirs)
    read = {path: read_batch(path, _watched, phases=paper is not None) for path in batch_dirs}
    batch = merged({path: on_device(part, device, source=path) for path, part in read.items()})
    if paper is not None:
        _as_in(paper, batch, out, pairs)
        return
    given = click.get_current_context().get_parameter_source("film_cost") is ParameterSource.COMMANDLINE
    if (unknown := cost_unknown(batch, given=given)) is not None:
        batch = replace(batch, remarks=[*batch.remarks, unknown])
    stacks = {load.stack for load in batch.loads if load.cache == cache}
    if not stacks:
        raise BadInputError(f"{_named(batch_dirs)} has no take of cache mode {cache}; give another --cache.")
    choices = Choices(
        pairs=choose_pairs(pairs, batch.campaign, stacks),
        reference=reference_of(stacks),
        correction=correction,
        cache=cache,
        film_cost=film_cost / 100,
    )
    comparison = compare(batch, choices)
    write(report_files(comparison, sections(comparison)), out)
    click.echo(lead(comparison))
    for pair in choices.pairs:
        for answer in answers(comparison, pair):
            click.echo(f"{pair}, {answer.network}: {answer.sentence}")
    for remark in comparison.remarks:
        click.echo(f"note: {remark}", err=True)
    click.echo(f"The report is {out / 'report.html'}.", err=True)


def _check_as(paper: str) -> None:
    """Reject options that a paper's report does not use, because the paper fixes them."""
    context = click.get_current_context()
    for name in ("cache", "correction", "film_cost"):
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name.replace('_', '-')} does not apply with --as {paper}; remove it.")


def _as_in(paper: str, batch: Batch, out: Path, pairs: Sequence[str]) -> None:
    chosen = parse_pairs(pairs, {load.stack for load in batch.loads})
    report: Report = reports()[paper].load()(batch, chosen)
    write(report.files, out)
    for sentence in report.said:
        click.echo(sentence)
    for remark in report.remarks:
        click.echo(f"note: {remark}", err=True)
    click.echo(f"The report is {out / 'report.html'}.", err=True)


def _watched(paths: Sequence[Path]) -> Iterable[Path]:
    return track(paths, description="reading takes", console=Console(stderr=True), transient=True)


def _named(batch_dirs: Sequence[Path]) -> str:
    return " with ".join(map(str, batch_dirs))


def _check_out(out: Path, batch_dirs: Sequence[Path]) -> None:
    """Reject, before any work, an --out that is a file or inside a batch, and batches that cannot be read."""
    seen: set[Path] = set()
    for batch_dir in batch_dirs:
        if not batch_dir.is_dir():
            raise BadInputError(f"{batch_dir} is not a folder; give the folder that eyelevel capture made.")
        if batch_dir.resolve() in (out.resolve(), *out.resolve().parents):
            raise BadInputError(f"--out {out} is inside the batch, which must not change; give another folder.")
        if batch_dir.resolve() in seen:
            raise BadInputError(f"{batch_dir} is given twice; give each batch once.")
        seen.add(batch_dir.resolve())
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInputError(f"{out} cannot be created as a folder for the report: {error.strerror}.") from error
