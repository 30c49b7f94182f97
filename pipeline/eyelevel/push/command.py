"""The command `eyelevel push`: uploads a batch to a platform."""

from pathlib import Path

import click
from rich.console import Console
from rich.filesize import decimal
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

from eyelevel.platform import Platform
from eyelevel.push.read_batch import read_batch
from eyelevel.push.send import send


class Bar:
    """A progress bar in bytes, on stderr, and then the number of videos that the platform has checked."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task = progress.add_task("sending", total=None)

    def begin(self, total_bytes: int) -> None:
        self._progress.reset(self._task, total=total_bytes)

    def sent(self, count_bytes: int) -> None:
        self._progress.advance(self._task, count_bytes)

    def checked(self, videos: int, of: int) -> None:
        self._progress.update(self._task, description=f"checking videos: {videos} of {of}")


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

    The platform checks every video before the batch becomes visible; a video that is not the declared one is named.

    Checks the whole batch before it sends anything. Run it again after a failure: it resumes where it stopped.

    Example: EYELEVEL_TOKEN=... eyelevel push batch --to https://study.example
    """
    console = Console(stderr=True, markup=False)
    with Platform(
        url, token, say=lambda sentence: console.print(sentence, highlight=False, soft_wrap=True)
    ) as platform:
        with console.status(f"checking {folder}"):
            batch = read_batch(folder)
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            DownloadColumn(),
            TransferSpeedColumn(),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
            sent_bytes = send(batch, platform, Bar(progress))
    console.print(
        f"Batch {batch.sha256[:12]} ({batch.campaign}: {batch.takes} takes, {batch.clips} clips) is at {url}; "
        f"{decimal(sent_bytes) if sent_bytes else 'nothing'} had to be sent.",
        highlight=False,
        soft_wrap=True,
    )
    click.echo(batch.sha256)
