"""Messages about a shared campaign; the status goes to stdout, the rest to stderr."""

from types import TracebackType
from typing import Self

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from eyelevel.capture.blocks.film import Ended, Ending
from eyelevel.capture.blocks.plan import Block, ranges
from eyelevel.capture.blocks.status import Status
from eyelevel.report.words import duration
from eyelevel_core.batch_folder import BatchFolder


class Copied:
    """A bar while takes are copied; called with how many are there, and how many there will be."""

    def __init__(self) -> None:
        self._bar = Progress(
            TextColumn("gather"), BarColumn(), MofNCompleteColumn(), TextColumn("left"), TimeRemainingColumn(),
            console=Console(stderr=True),
        )  # fmt: skip
        self._task = self._bar.add_task("", total=None)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def __call__(self, done: int, total: int) -> None:
        self._bar.update(self._task, completed=done, total=total)


def tell_status(status: Status) -> None:
    """Counts, a table of machines, and the numbers of blocks as a job array takes them."""
    left = (
        ""
        if status.left_s is None or not status.missing
        else f"; about {duration(status.left_s)} left at the pace of the last hour"
    )
    click.echo(
        f"{len(status.done)} of {status.planned} blocks are done, with {status.runs_done} of {status.runs} runs; "
        f"{len(status.missing)} are missing and {len(status.given_up)} given up{left}."
    )
    if status.machines:
        table = Table()
        for column in ("machine", "blocks", "runs", "void", "too late", "last result"):
            table.add_column(column, justify="left" if column in ("machine", "last result") else "right")
        for one in status.machines:
            table.add_row(one.name, str(one.blocks), str(one.runs), str(one.void), str(one.late), one.last_at)
        Console().print(table)
    if status.missing:
        click.echo(f"Missing: {ranges(status.missing)}")
    if status.given_up:
        click.echo(f"Given up: {ranges(status.given_up)} (start them on another machine, or here with --again)")


def tell_ended(block: Block, ended: Ended) -> None:
    """How the block ended."""
    name = f"Block {block.number} ({block.name})"
    late = f" {ended.late} of our results came too late and are kept apart." if ended.late else ""
    if ended.ending is Ending.FILMED:
        words = f"{name} is in the store, by attempt {ended.attempts}.{late}"
    elif ended.ending is Ending.DONE_BEFORE:
        words = f"{name} was filmed by {ended.by}, so there is nothing left to do.{late}"
    else:
        tried = f"{name} has no result after {ended.attempts} attempts"
        words = f"{tried}; start it on another machine, or here with --again.{late}"
    click.echo(words, err=True)


def tell_gathered(batch: BatchFolder, takes: int, runs: int) -> None:
    """How many takes the folder has, and which commands read it."""
    click.echo(
        f"{batch.root} has {takes} of {runs} takes. Next: eyelevel compare {batch.root}, or eyelevel batch "
        f"{batch.root} for clips.",
        err=True,
    )
