"""The command `eyelevel simulate`: simulated participants walk through a study over HTTP."""

import json
from dataclasses import asdict
from datetime import UTC, datetime
from uuid import uuid4

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from eyelevel.errors import EyelevelError
from eyelevel.measure.film import LOSSY_TOLERANCE
from eyelevel.measure.metrics import measure
from eyelevel.simulate.eyes import MeasuringEyes, TimedFrames
from eyelevel.simulate.platform import Platform, browser, study_address
from eyelevel.simulate.walk import Counts, World, walk


@click.command()
@click.option("--study", required=True, metavar="URL", help="The participant's link of a study.")
@click.option("--participants", default=1, show_default=True, type=click.IntRange(1, 100_000))
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0), help="Decides every person and answer.")
def simulate(*, study: str, participants: int, seed: int) -> None:
    """Send simulated participants through a study; they are programs, and their votes say nothing about people.

    Each one loads the clips, measures their Speed Index and votes by a model of perception. Prints counts as JSON.

    Example: eyelevel simulate --study http://localhost:8000/s/SLUG --participants 20 --seed 1
    """
    origin, slug = study_address(study)
    world = World(eyes=MeasuringEyes(_speed_index), now=lambda: datetime.now(UTC), new_id=uuid4)
    counts, failure = Counts(), None
    with _progress() as progress:
        task = progress.add_task("simulated participants", total=participants)
        for number in range(1, participants + 1):
            try:
                with browser(origin) as client:
                    walk(Platform(client), slug, seed=f"{seed}/{number}", world=world, counts=counts)
            except EyelevelError as error:
                failure = error
                break
            progress.advance(task)
    click.echo(json.dumps({"simulated": True, "seed": seed, **asdict(counts)}))
    if failure:
        raise failure


def _speed_index(frames: TimedFrames) -> float | None:
    return measure(frames, tolerance=LOSSY_TOLERANCE).si_ms


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )
