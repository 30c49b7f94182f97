"""Shows the progress of a campaign on stderr."""

from time import monotonic
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from eyelevel.capture.attempts.runner import AttemptResult
from eyelevel.report.words import duration
from eyelevel_core.model.metrics import MAIN, METRIC_OF
from eyelevel_core.model.run import Run
from eyelevel_core.model.take import SCREEN_FRAME_MS, Film, Take

# drawing the bar on a terminal ten times a second, rich's default, takes 1.5 % of a processor while a page loads;
# drawing it once a second takes a tenth of that
REFRESH_HZ = 1


class Talk:
    """A progress bar with time and the current run, and one line per attempt."""

    def __init__(self, runs: int, taken: int) -> None:
        self._bar = Progress(
            TextColumn("capture"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("left"),
            TimeRemainingColumn(), TextColumn("{task.description}"), console=Console(stderr=True),
            refresh_per_second=REFRESH_HZ,
        )  # fmt: skip
        self._task = self._bar.add_task("", total=runs, completed=taken)
        self._runs, self._ended, self._ended_before, self._since = runs, taken, taken, monotonic()

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def begin(self, run: Run) -> None:
        self._bar.update(self._task, description=run.words)

    def tell(self, ended: AttemptResult) -> None:
        runs = 1 if ended.take is not None else ended.exhausted
        self._ended += runs
        if ended.take is not None:
            words = f"[green]✓[/] {ended.run.words}: {_figures(ended.take)}{self._progress()}"
        elif ended.exhausted:
            words = f"[red]✗[/] {ended.run.words}: attempts exhausted, last {escape(str(ended.void))}{self._progress()}"
        else:
            words = f"[yellow]↻[/] {ended.run.words}: {escape(str(ended.void))}"
        self._bar.console.print(words, highlight=False, soft_wrap=True)
        self._bar.advance(self._task, runs)

    def _progress(self) -> str:
        """The progress in words, for logs, where there is no bar."""
        each_s = (monotonic() - self._since) / max(1, self._ended - self._ended_before)
        left = self._runs - self._ended
        return f" [dim]({self._ended}/{self._runs}, about {duration(each_s * left)} left)[/]"


def _figures(take: Take) -> str:
    metrics = [f"{METRIC_OF[key].label} {_ms(take.metrics[METRIC_OF[key].field])}" for key in MAIN]
    return ", ".join([*metrics, *([] if take.settled else ["unsettled"]), *_misaligned(take.film)])


def _misaligned(film: Film) -> list[str]:
    """A warning if the film's time origin is off by more than a screen frame."""
    known = [ms for ms in (film.zero_error_ms, film.clock_error_ms) if ms is not None]
    error_ms = max(known, key=abs, default=0.0)
    return [f"alignment error {error_ms:+.0f} ms"] if abs(error_ms) > SCREEN_FRAME_MS else []


def _ms(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.0f} ms"
