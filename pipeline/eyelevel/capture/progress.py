"""What a person sees while a campaign runs, on stderr."""

from types import TracebackType
from typing import Any, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from eyelevel.capture.plan import Run
from eyelevel.capture.runner import Told


class Talk:
    """A bar with time and the current run, and one line per attempt."""

    def __init__(self, runs: int, taken: int) -> None:
        self._bar = Progress(
            TextColumn("capture"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("left"),
            TimeRemainingColumn(), TextColumn("{task.description}"), console=Console(stderr=True),
        )  # fmt: skip
        self._task = self._bar.add_task("", total=runs, completed=taken)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def begin(self, run: Run) -> None:
        self._bar.update(self._task, description=run.words)

    def tell(self, told: Told) -> None:
        if told.take is not None:
            self._bar.console.print(
                f"[green]✓[/] {told.run.words}: {_figures(told.take)}", highlight=False, soft_wrap=True
            )
        elif told.given_up:
            self._bar.console.print(
                f"[red]✗[/] {told.run.words}: given up after {told.void}", highlight=False, soft_wrap=True
            )
        else:
            self._bar.console.print(f"[yellow]↻[/] {told.run.words}: {told.void}", highlight=False, soft_wrap=True)
        if told.take is not None or told.given_up:
            self._bar.advance(self._task)


def _figures(take: dict[str, Any]) -> str:
    names = {"fvc_ms": "FVC", "si_ms": "SI", "vc85_ms": "VC85", "lvc_ms": "LVC", "plt_ms": "PLT"}
    told = [f"{name} {_ms(take['metrics'][key])}" for key, name in names.items()]
    return ", ".join([*told, *(["unsettled"] if take["outcome"] == "unsettled" else [])])


def _ms(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.0f} ms"
