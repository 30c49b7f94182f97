"""The command `eyelevel batch`: makes clips and manifest from captured takes."""

import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click

from eyelevel.batch.build import build
from eyelevel.errors import BadInputError
from eyelevel.giving_way import giving_way
from eyelevel.measure.metrics import measure
from eyelevel.video import Frame
from eyelevel_core.contracts import check


@click.command()
@click.argument("folder", metavar="BATCH_DIR", type=click.Path(path_type=Path))
def batch(*, folder: Path) -> None:
    """Make the clips and the manifest of a captured batch, and print the path of the manifest.

    BATCH_DIR is a folder that `eyelevel capture` wrote: campaign.toml and takes with their films. The section [clips]
    of campaign.toml says how clips are made; change it, e.g. cap_ms, and run this again. Clips that would be the same
    are kept. Encoding pauses while a page load is filmed on this machine.

    Excluded, with a warning and the reason in the manifest, are takes that `eyelevel compare` excludes (content
    mismatch, stacks that differ in more than their definitions, sites below min_exact_share), takes whose navigation
    failed, and clips whose metrics do not agree with their film.

    Exit status: 0 done, 1 no take may be shown or no clip agrees with its film, 4 a take or campaign.toml is wrong, 5
    ffmpeg is missing, 8 the disk is full.

    Example: eyelevel batch batches/demo
    """
    campaign = _campaign(folder / "campaign.toml")
    click.echo(giving_way(partial(_build, folder, campaign), waits=_waits))


def _build(folder: Path, campaign: Mapping[str, Any], heavy: Callable[[], None]) -> Path:
    return build(folder, campaign, measure=_measure, before_encoding=heavy)


def _waits(holder: str) -> None:
    click.echo(f"Clips wait while page loads are filmed; the machine is in use by {holder}.", err=True)


def _measure(frames: Iterable[tuple[float, Frame]], tolerance: int) -> Mapping[str, Any]:
    return measure(frames, tolerance=tolerance).as_json()


def _campaign(path: Path) -> dict[str, Any]:
    try:
        value = tomllib.loads(path.read_text())
    except FileNotFoundError as error:
        raise BadInputError(f"{path} is missing; give a folder that `eyelevel capture` filled.") from error
    except (OSError, ValueError) as error:
        raise BadInputError(f"{path} cannot be read as a campaign: {error}.") from error
    check(value, "campaign.1", source=str(path))
    return value
