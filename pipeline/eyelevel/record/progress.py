"""The progress of recording a list, on stderr."""

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from eyelevel.record.many import FAILED, SiteResult
from eyelevel.record.many_report import sentence
from eyelevel.record.sites import ListedSite


class Talk:
    """A progress bar with time and the current site, and a line per site."""

    def __init__(self, sites: int) -> None:
        self._bar = Progress(
            TextColumn("record"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("left"),
            TimeRemainingColumn(), TextColumn("{task.description}"), console=Console(stderr=True),
        )  # fmt: skip
        self._task = self._bar.add_task("", total=sites)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def begin(self, site: ListedSite) -> None:
        """Shows the current site."""
        self._bar.update(self._task, description=escape(site.name))

    def retry(self, site: ListedSite, words: str) -> None:
        """Prints why a site is tried again."""
        self._say("[yellow]↻[/]", site, words)

    def tell(self, result: SiteResult) -> None:
        """Prints the result of a site."""
        self._say(
            "[red]✗[/]" if result.outcome == FAILED else "[green]✓[/]", result.site, f"{sentence(result).rstrip('.')}."
        )
        self._bar.advance(self._task)

    def _say(self, mark: str, site: ListedSite, words: str) -> None:
        self._bar.console.print(f"{mark} {escape(site.name)}: {escape(words)}", highlight=False, soft_wrap=True)
