"""Progress and results of preparation, on stderr: volatile parameters, masks and replay checks."""

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

# of the requests that exclude a site
MOST_LINES = 8


@dataclass
class Pace:
    """Progress over a number of pages, and the time left, by the time of those that are done."""

    of: int
    begun_s: float
    done: int = 0

    def ended(self, now_s: float) -> str:
        """Counts a page as done, and returns the progress and time left as words; an empty string for a single page."""
        self.done += 1
        left = self.of - self.done
        if self.of == 1 or left < 0:
            return ""
        about = f", about {duration(left * (now_s - self.begun_s) / self.done)} left" if left else ""
        return f" ({self.done}/{self.of}{about})"


class Talk:
    """A progress bar per recording, with lines of results above."""

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
        """Begins a step of this number of pages, and prints `words` about its duration unless there are none."""
        self._pace = Pace(pages, monotonic())
        if pages:
            self._print(" ", words)

    def step(self, name: str, words: str, done: int, of: int) -> None:
        """Updates the bar of a recording."""
        if name not in self._tasks:
            self._tasks[name] = self._bar.add_task(name, total=of, step=words)
        self._bar.update(self._tasks[name], completed=done, total=of, step=words)

    def result(self, name: str, mask: Mask) -> None:
        """Prints a new mask, and completes the bar of its recording."""
        if name in self._tasks:
            task = self._tasks[name]
            self._bar.update(task, completed=self._bar.tasks[task].total, step="done")
        self._print("[green]✓[/]", f"{name}: {summary(mask)}{self._ended()}")

    def known(self, name: str, mask: Mask) -> None:
        """Prints a mask that exists already."""
        self._print("[green]✓[/]", f"{name}: {summary(mask)}; its mask exists already")

    def unprobed(self, name: str, error: PageFailedError) -> None:
        """Prints why a recording could not be probed."""
        self._print("[red]✗[/]", f"{name}: {error}{self._ended()}")

    def learned(self, name: str, volatile: Volatile) -> None:
        """Prints the number of volatile parameters."""
        number = len(volatile.parameters)
        words = "1 volatile parameter" if number == 1 else f"{number} volatile parameters"
        self._print("[green]✓[/]", f"{name}: {words}, {len(volatile.callbacks)} of them callbacks{self._ended()}")

    def checked(self, name: str, check: ReplayCheck, warning: str | None) -> None:
        """Prints a warning about the check, the verdict, and the requests that exclude an excluded site."""
        if warning is not None:
            self._print("[yellow]![/]", f"{name}: {warning}")
        why = reason(check)
        if why is None:
            self._print("[green]✓[/]", f"{name} {kept_as(check)}{self._ended()}")
            return
        self._print("[yellow]![/]", f"{name} is excluded from the comparison for all stacks: {why}{self._ended()}")
        lines = against(check)
        for line in lines[:MOST_LINES]:
            self._print(" ", f"  {line}")
        if len(lines) > MOST_LINES:
            self._print(" ", f"  and {len(lines) - MOST_LINES} more, listed in the check's file")

    def failed(self, name: str, error: PageFailedError) -> None:
        """Prints that a site is excluded because its page does not load."""
        self._print(
            "[red]✗[/]",
            f"{name} is excluded from the comparison for all stacks, and not filmed: {error}{self._ended()}",
        )

    def _ended(self) -> str:
        return self._pace.ended(monotonic())

    def _print(self, sign: str, words: str) -> None:
        self._bar.console.print(sign, escape(words), highlight=False, soft_wrap=True)


def summary(mask: Mask) -> str:
    """Returns what was learned, as a phrase."""
    if mask.still:
        words = "nothing keeps moving"
    else:
        regions = "1 region" if len(mask.regions) == 1 else f"{len(mask.regions)} regions"
        words = f"{mask.masked_share:.1%} of the viewport keeps moving, in {regions}"
    flags = [
        *(["animated"] if mask.animated else []),
        *([f"timed ({len(mask.timed)} later changes)"] if mask.timed else []),
    ]
    return f"{words}; {len(mask.not_painting)} kinds of request paint nothing{''.join(f'; {flag}' for flag in flags)}"


def tell_waiting(holder: str) -> None:
    """Another process films, and this one waits for it."""
    click.echo(f"Waiting: page loads are filmed one at a time, and the machine is in use by {holder}.", err=True)
