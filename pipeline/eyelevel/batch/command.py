"""The command `eyelevel batch`: clips and manifest from takes that are there, nothing captured."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click

from eyelevel.batch.build import build
from eyelevel.giving_way import giving_way
from eyelevel.measure.metrics import measure
from eyelevel.video import Frame
from eyelevel_core.batch_folder import BatchFolder


@click.command()
@click.argument("folder", metavar="BATCH_DIR", type=click.Path(path_type=Path))
def batch(*, folder: Path) -> None:
    """Make the clips of what is captured already, and the manifest; print the manifest's path.

    BATCH_DIR is a folder that `eyelevel capture` filled: campaign.toml and takes with their films. How clips are made
    is in the part [clips] of campaign.toml; change it there, e.g. cap_ms, and call this again. Clips that are there and
    would be the same are kept.

    Left out, with a warning and the reason in the manifest, are takes that eyelevel compare leaves out (another page,
    stacks that differ in more than they say, a site below min_exact_share), takes whose page never came, and clips
    that do not agree with their film.

    Exit status: 0 done, 1 no take may be shown or no clip agrees with its film, 4 a take or campaign.toml is wrong, 5
    ffmpeg is missing, 8 the disk is full.

    Example: eyelevel batch batches/demo
    """
    click.echo(giving_way(partial(_build, BatchFolder(folder)), waits=_waits))


def _build(folder: BatchFolder, heavy: Callable[[], None]) -> Path:
    return build(folder, folder.campaign(), measure=_measure, before_encoding=heavy)


def _waits(holder: str) -> None:
    click.echo(f"Clips wait while page loads are filmed; the machine is in use by {holder}.", err=True)


def _measure(frames: Iterable[tuple[float, Frame]], tolerance: int) -> Mapping[str, Any]:
    return measure(frames, tolerance=tolerance).as_json()
