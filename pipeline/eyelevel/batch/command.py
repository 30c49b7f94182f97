"""The command `eyelevel batch`: clips and manifest from existing takes, without capturing."""

from functools import partial
from pathlib import Path

import click

from eyelevel.batch.build import build
from eyelevel.giving_way import giving_way
from eyelevel.measure.pages import measure_pages
from eyelevel_core.batch_folder import BatchFolder


@click.command()
@click.argument("folder", metavar="BATCH_DIR", type=click.Path(path_type=Path))
def batch(*, folder: Path) -> None:
    """Make the clips and the manifest from existing takes; print the manifest's path.

    BATCH_DIR is a folder that `eyelevel capture` made: campaign.toml, and takes with their films. The table [clips] of
    campaign.toml has the options of the clips; change it, for example cap_ms, and run this command again. Clips that
    would not change are kept.

    Excluded, with a warning and a reason in the manifest, are takes that eyelevel compare excludes (content mismatch,
    stacks that differ in more than their definitions, a site that fails a gate of its replay check), takes whose
    navigation failed, and clips that do not agree with their film.

    Exit status: 0 done, 1 no take may be shown or no clip agrees with its film, 4 a take or campaign.toml is wrong, 5
    ffmpeg is missing, 8 the disk is full.

    Example: eyelevel batch batches/demo
    """
    click.echo(giving_way(partial(_build, BatchFolder(folder)), waits=_waits))


def _build(folder: BatchFolder) -> Path:
    return build(folder, folder.campaign(), measure=measure_pages)


def _waits(holder: str) -> None:
    click.echo(f"Clips wait while page loads are filmed; the machine is in use by {holder}.", err=True)
