"""The command `eyelevel simulate`: simulated participants take part in a study over HTTP."""

import json
import time
from collections import Counter
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from eyelevel.errors import BadInputError
from eyelevel.measure.film import LOSSY_TOLERANCE
from eyelevel.measure.metrics import measure
from eyelevel.options import NumberRange
from eyelevel.simulate import model
from eyelevel.simulate.at_once import at_once
from eyelevel.simulate.eyes import MeasuringEyes, TimedFrames
from eyelevel.simulate.platform import Platform, browser, study_address
from eyelevel.simulate.session import Question
from eyelevel.simulate.submissions import Submission, submissions_csv
from eyelevel.simulate.trial import World
from eyelevel.simulate.walk import Counts, Crowd, walk


@click.command()
@click.option("--study", required=True, metavar="URL", help="Address of the study, as given to participants.")
@click.option(
    "--participants",
    default=1,
    show_default=True,
    type=click.IntRange(1, 100_000),
    help="Number of simulated participants.",
)
@click.option(
    "--at-once",
    "threads",
    default=1,
    show_default=True,
    type=click.IntRange(1, 200),
    help="Number of participants who take part at the same time.",
)
@click.option(
    "--real-time",
    is_flag=True,
    help="Take as long as people do to watch each clip and to answer. Otherwise answer immediately.",
)
@click.option(
    "--token",
    required=True,
    envvar="EYELEVEL_TOKEN",
    show_envvar=True,
    help="API token with the scope `studies`. Prefer the environment variable, which other users cannot see.",
)
@click.option(
    "--seed", default=1, show_default=True, type=click.IntRange(0), help="Random seed for simulated participants."
)
@click.option(
    "--careless",
    default=0.0,
    show_default=True,
    type=NumberRange(0, 1),
    metavar="SHARE",
    help="Share of careless participants: they leave the page (R3), answer before anything is visible if the study "
    "allows it (R4), guess (R6), or skim control questions (R7).",
)
@click.option(
    "--right",
    multiple=True,
    metavar="KEY=CHOICE",
    help="Right choice of a control question whose text does not name it; can be repeated.",
)
@click.option(
    "--submissions",
    "out",
    metavar="LIST.csv",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Give participants made-up ids of the group's recruiter, and write the recruiter's list of their submissions, "
    "to rehearse payment. Replaced if it exists.  [default: no list]",
)
def simulate(
    *,
    study: str,
    participants: int,
    threads: int,
    real_time: bool,
    token: str,
    seed: int,
    careless: float,
    right: tuple[str, ...],
    out: Path | None,
) -> None:
    """Run simulated participants through a study, to test it. Their votes say nothing about people.

    Each participant downloads the clips, measures their Speed Index and votes by a model of perception. The platform
    marks their data as simulated and keeps it separate.

    Prints counts as JSON: `receipts` are confirmed votes, `repeats` requests sent twice, which must change nothing.

    Exit status: 0 done, 4 the address, a choice or the list's file is wrong, 6 the platform refused, 7 the platform
    could not be reached.

    Example: EYELEVEL_TOKEN=... eyelevel simulate --study http://localhost:8000/s/SLUG --participants 20
    """
    origin, slug = study_address(study)
    choices = _choices(right)
    # before anybody takes part, so that no list gets lost
    _write(out, "")
    world = World(
        eyes=MeasuringEyes(_speed_index),
        now=lambda: datetime.now(UTC),
        new_id=uuid4,
        wait=time.sleep if real_time else lambda _seconds: None,
    )
    # one per participant, because several count at once
    counts = [Counts() for _ in range(participants)]
    submissions: list[Submission] = []
    submitted = None if out is None else submissions.append
    with _progress() as progress:
        task = progress.add_task("simulated participants", total=participants)
        warned: set[str] = set()

        def warn(question: Question) -> None:
            if question.key not in warned:
                warned.add(question.key)
                progress.console.print(_guess(question), markup=False, highlight=False, soft_wrap=True)

        def advanced(share: float) -> None:
            progress.advance(task, share)

        crowd = Crowd(careless=careless, right=choices, guessed=warn, advanced=advanced, submitted=submitted)

        def take_part(number: int) -> None:
            with browser(origin) as client:
                platform = Platform(client, token=token)
                walk(platform, slug, seed=f"{seed}/{number}", world=world, counts=counts[number - 1], crowd=crowd)

        failure = at_once(take_part, range(1, participants + 1), threads=threads)
        progress.update(task, completed=sum(each.completed for each in counts))
    _write(out, submissions_csv(submissions))
    click.echo(json.dumps({"simulated": True, "real_time": real_time, "seed": seed, **_sum(counts)}))
    if failure:
        raise failure


def _write(out: Path | None, text: str) -> None:
    if out is None:
        return
    try:
        out.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise BadInputError(f"{out} cannot be written ({error.strerror}).") from error


def _sum(counts: list[Counts]) -> dict[str, int]:
    totals: Counter[str] = Counter(dict.fromkeys(asdict(Counts()), 0))
    for each in counts:
        totals.update(asdict(each))
    return dict(totals)


def _guess(question: Question) -> str:
    key, taken = question.key, model.first_choice(question)
    choices = ", ".join(choice.key for choice in question.choices)
    return (
        f"Warning: the text of the control question {key} names none of its choices ({choices}). Participants answer "
        f"the first, {taken}. If another choice is right, rule R7 excludes them; give it by --right {key}=CHOICE."
    )


def _choices(given: tuple[str, ...]) -> dict[str, str]:
    for text in given:
        if not all(text.partition("=")):
            raise BadInputError(f"--right is {text!r}, but must be KEY=CHOICE, such as attention=blue.")
    return {key: choice for key, _, choice in (text.partition("=") for text in given)}


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
