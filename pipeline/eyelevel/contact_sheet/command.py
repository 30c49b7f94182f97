"""The command `eyelevel contact-sheet`."""

from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from eyelevel.contact_sheet.page import page
from eyelevel.contact_sheet.sheet import moments_ms, sheet
from eyelevel.contact_sheet.takes import read_scenes
from eyelevel_core.batch_folder import FilmedTake


@click.command("contact-sheet")
@click.argument("batch", metavar="BATCH_DIR", type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "--out",
    metavar="DIR",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for the pictures and the page; created if missing.",
)
def contact_sheet(*, batch: Path, out: Path) -> None:
    """Draw one picture per site, network and stack (a row per run, a column per moment), and a page with all of them.

    Prints the path of the page. Needs the films, so run it on the capture machine.

    Exit status: 0 done, 4 the batch or a film is wrong, 5 ffmpeg is missing, 8 the disk is full.

    Example: eyelevel contact-sheet batches/demo --out sheets
    """
    scenes = read_scenes(batch)
    out.mkdir(parents=True, exist_ok=True)
    shown = []
    columns = (TextColumn("sheets"), BarColumn(), MofNCompleteColumn(), TextColumn("left"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        bar = progress.add_task("sheets", total=sum(len(settings) for _, settings in scenes))
        for scene, settings in scenes:
            moments = moments_ms([_end_ms(take) for _, takes in settings for take in takes])
            entries = []
            for stack, takes in settings:
                name = f"{'~'.join([*scene, stack])}.jpg"
                sheet(takes, moments).save(out / name, quality=80)
                entries.append((stack, len(takes), name))
                progress.advance(bar)
            shown.append((scene, entries))
    index = out / "index.html"
    index.write_text(page(shown))
    click.echo(index)


def _end_ms(take: FilmedTake) -> float:
    """The time of the last visual change, or of the film's end."""
    last = take.metrics["lvc_ms"]
    return take.times_ms[-1] if last is None else float(last)
