"""Progress and results of what is made before a campaign, on stderr: volatile parameters, masks, replay checks."""

from types import TracebackType
from typing import Self

import click
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from eyelevel.errors import PageFailedError
from eyelevel_core.comparability.visible import against, kept_as, reason
from eyelevel_core.model.mask import Mask
from eyelevel_core.model.replay_check import ReplayCheck
from eyelevel_core.model.volatile import Volatile

# of the requests that speak against a site
MOST_LINES = 8


class Talk:
    """A bar per recording."""

    def __init__(self) -> None:
        self._bar = Progress(
            TextColumn("prepare {task.description}"), BarColumn(), TimeElapsedColumn(), TextColumn("left"),
            TimeRemainingColumn(), TextColumn("{task.fields[step]}"), console=Console(stderr=True),
        )  # fmt: skip
        self._tasks: dict[str, TaskID] = {}

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def step(self, name: str, words: str, done: int, of: int) -> None:
        if name not in self._tasks:
            self._tasks[name] = self._bar.add_task(name, total=of, step=words)
        self._bar.update(self._tasks[name], completed=done, total=of, step=words)

    def result(self, name: str, mask: Mask) -> None:
        self._print("[green]✓[/]", f"{name}: {summary(mask)}")

    def unprobed(self, name: str, error: PageFailedError) -> None:
        self._print("[red]✗[/]", f"{name}: {error}")

    def learned(self, name: str, found: Volatile) -> None:
        number = len(found.parameters)
        words = "1 volatile parameter" if number == 1 else f"{number} volatile parameters"
        self._print("[green]✓[/]", f"{name}: {words}, {len(found.callbacks)} of them callbacks")

    def checked(self, name: str, made: ReplayCheck, warning: str | None) -> None:
        """A warning about the check, and the verdict; of an excluded site, each request that speaks against it."""
        if warning is not None:
            self._print("[yellow]![/]", f"{name}: {warning}")
        why = reason(made)
        if why is None:
            self._print("[green]✓[/]", f"{name} {kept_as(made)}")
            return
        self._print("[yellow]![/]", f"{name} is excluded from the comparison for all stacks: {why}")
        lines = against(made)
        for line in lines[:MOST_LINES]:
            self._print(" ", f"  {line}")
        if len(lines) > MOST_LINES:
            self._print(" ", f"  and {len(lines) - MOST_LINES} more, which the check's file lists")

    def failed(self, name: str, error: PageFailedError) -> None:
        self._print("[red]✗[/]", f"{name} is excluded from the comparison for all stacks, and not filmed: {error}")

    def _print(self, sign: str, words: str) -> None:
        self._bar.console.print(sign, escape(words), highlight=False, soft_wrap=True)


def summary(mask: Mask) -> str:
    """What was learned, in a phrase."""
    if mask.still:
        words = "nothing moves for ever"
    else:
        regions = "1 region" if len(mask.regions) == 1 else f"{len(mask.regions)} regions"
        words = f"{mask.masked_share:.1%} of the viewport moves for ever, in {regions}"
    flags = [
        *(["animated"] if mask.animated else []),
        *([f"timed ({len(mask.timed)} later changes)"] if mask.timed else []),
    ]
    return f"{words}; {len(mask.not_painting)} kinds of request paint nothing{''.join(f'; {flag}' for flag in flags)}"


def tell_waiting(holder: str) -> None:
    """Another process films, and this one waits for it."""
    click.echo(f"Waiting: page loads are filmed one at a time, and the machine is in use by {holder}.", err=True)
