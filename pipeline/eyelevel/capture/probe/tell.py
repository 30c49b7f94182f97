"""Progress and results of probes, on stderr."""

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from eyelevel_core.model.mask import Mask


class Talk:
    """A bar per recording."""

    def __init__(self) -> None:
        self._bar = Progress(
            TextColumn("probe {task.description}"), BarColumn(), TimeElapsedColumn(), TextColumn("left"),
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
        self._bar.console.print(f"[green]✓[/] {name}: {summary(mask)}", highlight=False, soft_wrap=True)


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
