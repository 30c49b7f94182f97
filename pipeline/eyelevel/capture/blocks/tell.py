"""Messages about a shared campaign; the status goes to stdout, the rest to stderr."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from eyelevel.capture.blocks.film import Ended, Ending
from eyelevel.capture.blocks.plan import Block, ranges
from eyelevel.capture.blocks.status import Status
from eyelevel.report.words import duration
from eyelevel_core.batch_folder import BatchFolder


@contextmanager
def gathering() -> Iterator[Callable[[int, int], None]]:
    """Show a bar while takes are copied; yields a function of the number of copied takes and of all takes."""
    with Progress(
        TextColumn("gather"), BarColumn(), MofNCompleteColumn(), TextColumn("left"), TimeRemainingColumn(),
        console=Console(stderr=True),
    ) as bar:  # fmt: skip
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def tell_status(status: Status) -> None:
    """Print counts, a table of machines, and missing blocks in the notation of job arrays."""
    left = (
        ""
        if status.left_s is None or not status.missing
        else f"; about {duration(status.left_s)} left at the pace of the last hour"
    )
    click.echo(
        f"{len(status.done)} of {status.planned} blocks are done, with {status.runs_done} of {status.runs} runs; "
        f"{len(status.missing)} are missing, and {len(status.exhausted)} have exhausted their attempts{left}."
    )
    if status.machines:
        table = Table()
        for column in ("machine", "blocks", "runs", "void", "late", "last result"):
            table.add_column(column, justify="left" if column in ("machine", "last result") else "right")
        for machine in status.machines:
            table.add_row(
                machine.name,
                str(machine.blocks),
                str(machine.runs),
                str(machine.void),
                str(machine.late),
                machine.last_at,
            )
        Console().print(table)
    if status.missing:
        click.echo(f"Missing: {ranges(status.missing)}")
    if status.exhausted:
        click.echo(
            f"Attempts exhausted: {ranges(status.exhausted)} (start them on another machine, or here with --again)"
        )


def tell_ended(block: Block, ended: Ended) -> None:
    """Print how the block ended."""
    name = f"Block {block.number} ({block.name})"
    late = f" {ended.late} late results were stored under apart/ and do not count." if ended.late else ""
    if ended.ending is Ending.FILMED:
        words = f"{name} is in the store, by attempt {ended.attempts}.{late}"
    elif ended.ending is Ending.DONE_BEFORE:
        words = f"{name} was filmed by {ended.by}, so there is nothing left to do.{late}"
    else:
        tried = f"{name} has no result after {ended.attempts} attempts"
        words = f"{tried}; start it on another machine, or here with --again.{late}"
    click.echo(words, err=True)


def tell_gathered(batch: BatchFolder, takes: int, runs: int) -> None:
    """Print the number of takes and the next commands."""
    click.echo(
        f"{batch.root} has {takes} of {runs} takes. Next: eyelevel compare {batch.root} --out report, or "
        f"eyelevel batch {batch.root} for clips.",
        err=True,
    )
