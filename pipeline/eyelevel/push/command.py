"""The command `eyelevel push`: uploads a batch to a platform."""

from pathlib import Path

import click
from rich.console import Console
from rich.filesize import decimal
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)

from eyelevel.platform import Platform
from eyelevel.push.read_batch import read_batch
from eyelevel.push.send import send


class Bar:
    """A progress bar on stderr, with the time left: bytes sent, then takes and videos that the platform has checked."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._checking = False
        self._show("sending", 0)

    def __enter__(self) -> "Bar":
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def begin(self, total_bytes: int) -> None:
        self._progress.stop()
        self._show("sending", total_bytes, DownloadColumn(), TransferSpeedColumn())

    def sent(self, count_bytes: int) -> None:
        self._progress.advance(self._task, count_bytes)

    def checked(self, count: int, total: int) -> None:
        if not self._checking:
            self._progress.stop()
            self._show("checking takes and videos", total, MofNCompleteColumn())
            self._checking = True
        self._progress.update(self._task, completed=count)

    def _show(self, what: str, total: int, *amounts: ProgressColumn) -> None:
        columns = (TextColumn(what), BarColumn(), *amounts, TimeRemainingColumn())
        quiet = not self._console.is_terminal
        self._progress = Progress(*columns, console=self._console, transient=True, disable=quiet)
        self._task = self._progress.add_task(what, total=total)
        self._checking = False
        self._progress.start()


@click.command()
@click.argument("folder", metavar="BATCH_DIR", type=click.Path(path_type=Path))
@click.option("--to", "url", required=True, metavar="URL", help="The platform's address, e.g. https://study.example.")
@click.option(
    "--token",
    required=True,
    envvar="EYELEVEL_TOKEN",
    show_envvar=True,
    help="Token with the scope `batches`. Prefer the environment variable, which other users cannot see.",
)
def push(*, folder: Path, url: str, token: str) -> None:
    """Upload a batch: the manifest, then every file that the platform does not have yet, then the commit.

    Checks manifest, takes and digests before it sends anything, by the rules of the platform. The platform applies them
    again and checks every video before the batch becomes visible; a file that is wrong is named.

    Run it again after a failure: it resumes where it stopped.

    Example: EYELEVEL_TOKEN=... eyelevel push batch --to https://study.example
    """
    console = Console(stderr=True, markup=False)
    with Platform(
        url, token, say=lambda sentence: console.print(sentence, highlight=False, soft_wrap=True)
    ) as platform:
        with console.status(f"checking {folder}"):
            batch = read_batch(folder)
        with Bar(console) as bar:
            sent_bytes = send(batch, platform, bar)
    console.print(
        f"Batch {batch.sha256[:12]} ({batch.campaign}: {batch.takes} takes, {batch.clips} clips) is at {url}; "
        f"{decimal(sent_bytes) if sent_bytes else 'nothing'} had to be sent.",
        highlight=False,
        soft_wrap=True,
    )
    click.echo(batch.sha256)
