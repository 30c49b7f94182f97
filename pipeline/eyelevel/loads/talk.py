"""Progress and results of what is made before a campaign, on stderr: volatile parameters, masks, replay checks."""

from dataclasses import dataclass
from time import monotonic
from types import TracebackType
from typing import Self

import click
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from eyelevel.errors import PageFailedError
from eyelevel.report.words import duration
from eyelevel_core.comparability.visible import against, kept_as, reason
from eyelevel_core.model.mask import Mask
from eyelevel_core.model.replay_check import ReplayCheck
from eyelevel_core.model.volatile import Volatile

# of the requests that speak against a site
MOST_LINES = 8


@dataclass
class Pace:
    """How far a number of pages is, by the time that those before took."""

    of: int
    begun_s: float
    done: int = 0

    def ended(self, now_s: float) -> str:
        """One more has ended: words for that, and for the time left; none for a page alone."""
        self.done += 1
        left = self.of - self.done
        if self.of == 1 or left < 0:
            return ""
        about = f", about {duration(left * (now_s - self.begun_s) / self.done)} left" if left else ""
        return f" ({self.done}/{self.of}{about})"


class Talk:
    """A bar per recording."""

    def __init__(self) -> None:
        self._pace = Pace(1, 0.0)
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

    def expect(self, pages: int, words: str) -> None:
        """So many pages are to be done now, with these words of what that takes; nothing is said of none."""
        self._pace = Pace(pages, monotonic())
        if pages:
            self._print(" ", words)

    def step(self, name: str, words: str, done: int, of: int) -> None:
        if name not in self._tasks:
            self._tasks[name] = self._bar.add_task(name, total=of, step=words)
        self._bar.update(self._tasks[name], completed=done, total=of, step=words)

    def result(self, name: str, mask: Mask) -> None:
        if name in self._tasks:
            task = self._tasks[name]
            self._bar.update(task, completed=self._bar.tasks[task].total, step="done")
        self._print("[green]✓[/]", f"{name}: {summary(mask)}{self._ended()}")

    def known(self, name: str, mask: Mask) -> None:
        self._print("[green]✓[/]", f"{name}: {summary(mask)}; its mask was there")

    def unprobed(self, name: str, error: PageFailedError) -> None:
        self._print("[red]✗[/]", f"{name}: {error}{self._ended()}")

    def learned(self, name: str, found: Volatile) -> None:
        number = len(found.parameters)
        words = "1 volatile parameter" if number == 1 else f"{number} volatile parameters"
        self._print("[green]✓[/]", f"{name}: {words}, {len(found.callbacks)} of them callbacks{self._ended()}")

    def checked(self, name: str, made: ReplayCheck, warning: str | None) -> None:
        """A warning about the check, and the verdict; of an excluded site, each request that speaks against it."""
        if warning is not None:
            self._print("[yellow]![/]", f"{name}: {warning}")
        why = reason(made)
        if why is None:
            self._print("[green]✓[/]", f"{name} {kept_as(made)}{self._ended()}")
            return
        self._print("[yellow]![/]", f"{name} is excluded from the comparison for all stacks: {why}{self._ended()}")
        lines = against(made)
        for line in lines[:MOST_LINES]:
            self._print(" ", f"  {line}")
        if len(lines) > MOST_LINES:
            self._print(" ", f"  and {len(lines) - MOST_LINES} more, which the check's file lists")

    def failed(self, name: str, error: PageFailedError) -> None:
        self._print(
            "[red]✗[/]",
            f"{name} is excluded from the comparison for all stacks, and not filmed: {error}{self._ended()}",
        )

    def _ended(self) -> str:
        return self._pace.ended(monotonic())

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
