"""Commands `eyelevel study check`, `eyelevel study fit` and `eyelevel study publish`."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from eyelevel.analyse.export.parsing import parse_votes
from eyelevel.analyse.export.reading import open_votes
from eyelevel.errors import BadInputError, UnreachableError
from eyelevel.options import NumberRange
from eyelevel.platform import Platform
from eyelevel.study.clips_of_batch import read_batch
from eyelevel.study.fit import changes, fitted, text_of
from eyelevel.study.forecast import forecast
from eyelevel.study.simulation import UNFILLED, Simulation, simulate, simulated_hypotheses
from eyelevel.study.simulation_wording import simulation_lines
from eyelevel.study.warnings import warnings_of
from eyelevel.study.wording import lines
from eyelevel_core.assignment.clip import Chosen
from eyelevel_core.assignment.selection import read_over_batch
from eyelevel_core.model.record import Record
from eyelevel_core.study.design import Design
from eyelevel_core.study.file import read_study_file
from eyelevel_core.study.parse import decoded
from eyelevel_stats.observations import Comparison, Rating
from eyelevel_stats.planning.power import STUDIES
from eyelevel_stats.votes import comparisons_of, ratings_of

# of a pilot
Votes = tuple[Sequence[Rating], Sequence[Comparison]]


@dataclass(frozen=True)
class Entrance(Record):
    """The link by which the participants of a fielding enter, and their group."""

    participant_url: str
    group: str


@dataclass(frozen=True)
class Published(Record):
    """The platform's answer to a study that it has published."""

    name: str
    sha256: str
    fieldings: tuple[Entrance, ...]


@click.group()
def study() -> None:
    """Check, fit and publish study files (YAML)."""


@study.command()
@click.argument("path", metavar="STUDY.yaml", type=click.Path(path_type=Path))
@click.option(
    "--batch",
    "folder",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Folder of a batch: run the same checks as publishing over it, and use its clips for the forecast. "
    "[default: check the study file alone]",
)
@click.option(
    "--simulate",
    "studies",
    metavar="[N]",
    type=click.IntRange(min=1),
    is_flag=False,
    flag_value=STUDIES,
    help="Simulate N studies for each hypothesis and true difference, and print how often each verdict occurs. Give "
    f"this option after STUDY.yaml. [default: no simulation; N is {STUDIES} if omitted]",
)
@click.option(
    "--sites",
    type=click.IntRange(min=1),
    help="Number of sites in simulated studies. [default: those of the batch, or those that the file names]",
)
@click.option(
    "--pilot",
    metavar="EXPORT",
    type=click.Path(path_type=Path),
    help="Export of an earlier study (folder, zip or votes.csv), whose votes give the variances of simulated studies. "
    "[default: assumed variances, which are printed]",
)
@click.option(
    "--unfilled",
    type=NumberRange(min=0, max=1, max_open=True),
    default=UNFILLED,
    show_default=True,
    help="Share of participants whose votes are missing in simulated studies: they dropped out or were excluded, and "
    "were not replaced. Give 0 if you collect data until the quota is complete.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
def check(
    *,
    path: Path,
    folder: Path | None,
    studies: int | None,
    sites: int | None,
    pilot: Path | None,
    unfilled: float,
    as_json: bool,
) -> None:
    """Check a study file, and forecast its votes, duration and smallest detectable effect.

    With `--batch`, runs the same checks as publishing.

    Prints the expected votes per cell and clip, minutes per participant, pay per hour, and the smallest effect that
    the analysis plan can detect. Warnings about weaknesses of a valid study go to stderr.

    With `--simulate`, also simulates studies with this design for each hypothesis about stacks, and analyses them as
    the results will be. Prints how often each verdict occurs if the stacks do not differ, and if they differ by half
    the margin, the margin and twice the margin.

    Example: eyelevel study check study.yaml --batch data/demo --simulate
    """
    text = _text(path)
    selection = batch = None
    if folder is None:
        file = read_study_file(text, source=str(path))
    else:
        batch = read_batch(folder)
        clips = batch.clips
        file, selection = read_over_batch(text, source=str(path), clips_of=lambda _name: clips)
    design = file.design if selection is None else selection.design
    expected = forecast(design, None if selection is None else selection.chosen)
    warned = list(warnings_of(file, design, expected, batch))
    simulation = None
    if studies is not None:
        chosen = None if selection is None else selection.chosen
        votes = ((), ()) if pilot is None else _pilot(pilot)
        simulation = _simulated(design, chosen, studies=studies, sites=sites, unfilled=unfilled, pilot=votes)
    if as_json:
        more = {} if simulation is None else {"simulation": asdict(simulation)}
        click.echo(json.dumps(asdict(expected) | {"warnings": warned} | more, ensure_ascii=False))
        return
    for line in lines(expected):
        click.echo(line)
    if simulation is not None:
        click.echo("")
        for line in simulation_lines(simulation):
            click.echo(line)
    for warning in warned:
        click.echo(f"Warning: {warning}", err=True)


@study.command()
@click.argument("path", metavar="STUDY.yaml", type=click.Path(path_type=Path))
@click.option(
    "--batch", "folder", metavar="DIR", required=True, type=click.Path(path_type=Path), help="Folder of the batch."
)
@click.option(
    "--out",
    metavar="FITTED.yaml",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file to write; replaced if it exists.",
)
@click.option(
    "--training-site",
    metavar="SITE",
    help="Site of the batch for the training trials.  [default: that of the study, if the batch has it]",
)
def fit(*, path: Path, folder: Path, out: Path, training_site: str | None) -> None:
    """Adapt a study file to a batch that it was not written for, so that it can be published over this batch.

    Removes sites, networks, stacks and pairs that the batch does not have, with the contexts and hypotheses that need
    them, and lowers numbers of trials to what the clips allow. Prints each change. Keeps texts and everything else,
    except comments.

    Example: eyelevel study fit docs/guides/study-2019.yaml --batch data/demo-batch --out study.yaml
    """
    if out.resolve() == path.resolve():
        raise BadInputError(f"--out is {out}, which is the study file itself; give another file.")
    written = read_study_file(_text(path), source=str(path)).written
    batch = read_batch(folder)
    adapted = fitted(dict(written), batch.clips, batch=batch.sha256, training_site=training_site)
    try:
        out.write_text(text_of(adapted), encoding="utf-8")
    except OSError as error:
        raise BadInputError(f"{out} cannot be written ({error.strerror}).") from error
    for line in changes(written, adapted):
        click.echo(line)


@study.command()
@click.argument("path", metavar="STUDY.yaml", type=click.Path(path_type=Path))
@click.option("--to", "url", required=True, metavar="URL", help="Address of the platform, e.g. https://study.example.")
@click.option(
    "--token",
    required=True,
    envvar="EYELEVEL_TOKEN",
    show_envvar=True,
    help="API token with the scope `studies`. Prefer the environment variable, which other users cannot see.",
)
def publish(*, path: Path, url: str, token: str) -> None:
    """Check a study file, publish it, and print the platform's answer as JSON.

    Publishing the same file again returns the same study. A group without an open or paused link gets a new one with
    the same quota; a full link counts as neither. The link for each group of participants is printed on stderr.

    Example: EYELEVEL_TOKEN=... eyelevel study publish study.yaml --to https://study.example
    """
    text = _text(path)
    read_study_file(text, source=str(path))
    console = Console(stderr=True, markup=False)
    body = text.encode()
    with Platform(
        url, token, say=lambda sentence: console.print(sentence, highlight=False, soft_wrap=True)
    ) as platform:
        answer = platform.call(
            "POST",
            "research/studies",
            content_type="application/yaml",
            size_bytes=len(body),
            body=lambda: iter([body]),
        )
    try:
        published = Published.of(answer)
        console.print(f"Study {published.name} ({published.sha256[:12]}) is at {url}.", highlight=False, soft_wrap=True)
    except (KeyError, TypeError) as error:
        raise UnreachableError(
            f"{url} is not an Eyelevel platform, as its response does not describe a study; check the address."
        ) from error
    for entrance in published.fieldings:
        words = f"Participants enter at {entrance.participant_url} (group {entrance.group})"
        console.print(words, highlight=False, soft_wrap=True)
    click.echo(json.dumps(answer))


def _simulated(
    design: Design,
    chosen: Sequence[Chosen] | None,
    *,
    studies: int,
    sites: int | None,
    unfilled: float,
    pilot: Votes,
) -> Simulation:
    columns = (
        TextColumn("simulating"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("studies"),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=studies * simulated_hypotheses(design))
        return simulate(
            design,
            chosen,
            studies=studies,
            sites=sites,
            unfilled=unfilled,
            pilot=pilot,
            advance=lambda few: progress.advance(task, few),
        )


def _pilot(export: Path) -> Votes:
    with open_votes(export) as file:
        columns = parse_votes(file, source=str(export))
    return list(ratings_of(columns)), comparisons_of(columns)


def _text(path: Path) -> str:
    try:
        return decoded(path.read_bytes(), source=str(path))
    except OSError as error:
        raise BadInputError(f"{path} cannot be read ({error.strerror}).") from error
