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
from eyelevel.push.check_clips import check_clips
from eyelevel.push.read_batch import read_batch
from eyelevel.push.send import send
from eyelevel_core.batch_folder.ffprobe import ProbeMissingError


class Bar:
    """A progress bar on stderr, with the time left.

    It counts clips decoded here, then bytes sent, then takes and videos that the platform has checked.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._show("decoding clips", 0)

    def __enter__(self) -> "Bar":
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def begin(self, total_bytes: int) -> None:
        self._progress.stop()
        self._show("sending", total_bytes, DownloadColumn(), TransferSpeedColumn())

    def sent(self, count_bytes: int) -> None:
        self._progress.advance(self._task, count_bytes)

    def decoded(self, count: int, total: int) -> None:
        self._count("decoding clips", count, total)

    def checked(self, count: int, total: int) -> None:
        self._count("checking takes and videos", count, total)

    def _count(self, what: str, count: int, total: int) -> None:
        if self._what != what or count == 0:
            self._progress.stop()
            self._show(what, total, MofNCompleteColumn())
        self._progress.update(self._task, completed=count)

    def _show(self, what: str, total: int, *amounts: ProgressColumn) -> None:
        columns = (TextColumn(what), BarColumn(), *amounts, TimeRemainingColumn())
        quiet = not self._console.is_terminal
        self._progress = Progress(*columns, console=self._console, transient=True, disable=quiet)
        self._task = self._progress.add_task(what, total=total)
        self._what = what
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

    Before sending anything, checks the manifest, takes and digests by the rules of the platform, and decodes every
    clip. The platform repeats these checks before the batch becomes visible. An error names the file.

    Run the command again after a failure: it resumes where it stopped.

    Example: EYELEVEL_TOKEN=... eyelevel push batch --to https://study.example
    """
    console = Console(stderr=True, markup=False)
    with Platform(
        url, token, say=lambda sentence: console.print(sentence, highlight=False, soft_wrap=True)
    ) as platform:
        with console.status(f"checking {folder}"):
            batch = read_batch(folder)
        with Bar(console) as bar:
            try:
                check_clips(folder, batch.described, checked=bar.decoded)
            except ProbeMissingError as error:
                console.print(
                    f"The clips are not checked on this machine, only on the platform: {error}",
                    highlight=False,
                    soft_wrap=True,
                )
            sent_bytes = send(batch, platform, bar)
    described = batch.described
    console.print(
        f"Batch {batch.sha256[:12]} ({described.campaign.name}: {len(described.takes)} takes, "
        f"{len(described.clips)} clips) is at {url}; "
        f"{decimal(sent_bytes) if sent_bytes else 'nothing'} had to be sent.",
        highlight=False,
        soft_wrap=True,
    )
    click.echo(batch.sha256)
