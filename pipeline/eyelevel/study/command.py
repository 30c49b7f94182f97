"""The commands `eyelevel study check` and `eyelevel study publish`."""

import json
from dataclasses import asdict
from pathlib import Path

import click
from rich.console import Console

from eyelevel.errors import BadInputError, UnreachableError
from eyelevel.platform import Platform
from eyelevel.study.batch import read_batch
from eyelevel.study.doubts import doubts
from eyelevel.study.forecast import forecast
from eyelevel.study.wording import lines
from eyelevel_core.assignment.selection import as_chosen, choose
from eyelevel_core.study.design import written_out
from eyelevel_core.study.draft import read_draft
from eyelevel_core.study.study import read_study


@click.group()
def study() -> None:
    """Check and publish study files (YAML)."""


@study.command()
@click.argument("path", metavar="STUDY.yaml", type=click.Path(path_type=Path))
@click.option(
    "--batch",
    "folder",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Folder of the batch that the study will use, for the number and length of its clips.  [default: none, the "
    "study file is checked alone]",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
def check(*, path: Path, folder: Path | None, as_json: bool) -> None:
    """Check a study file, and estimate its cost for participants and the smallest effect that it can detect.

    With --batch, runs the same checks as publishing.

    Prints the expected votes per cell and clip, minutes per participant, pay per hour, and the smallest detectable
    effect. Warnings about valid settings that weaken the study are printed on stderr.

    Exit status: 0 the study can be published, 4 the study file or the batch is wrong.

    Example: eyelevel study check study.yaml --batch data/demo
    """
    draft = read_draft(_text(path), source=str(path))
    batch = None if folder is None else read_batch(folder)
    chosen = None if batch is None else choose(draft, batch.clips)
    design = written_out(draft.design) if chosen is None else as_chosen(draft.design, chosen)
    found = forecast(design, chosen)
    doubted = list(doubts(draft.design, design, found, batch))
    if as_json:
        click.echo(json.dumps(asdict(found) | {"doubts": doubted}, ensure_ascii=False))
        return
    for line in lines(found):
        click.echo(line)
    for doubt in doubted:
        click.echo(f"Warning: {doubt}", err=True)


@study.command()
@click.argument("path", metavar="STUDY.yaml", type=click.Path(path_type=Path))
@click.option("--to", "url", required=True, metavar="URL", help="The platform's address, e.g. https://study.example.")
@click.option(
    "--token",
    required=True,
    envvar="EYELEVEL_TOKEN",
    show_envvar=True,
    help="API token with the scope `studies`. Prefer the environment variable: other users can see command lines.",
)
def publish(*, path: Path, url: str, token: str) -> None:
    """Check a study file, publish it, and print the platform's answer as JSON.

    Publishing the same file again gives the same study. The address for each group of participants is printed on
    stderr.

    Exit status: 0 done, 4 the study file is wrong, 6 the platform refused, 7 the platform could not be reached.

    Example: EYELEVEL_TOKEN=... eyelevel study publish study.yaml --to https://study.example
    """
    text = _text(path)
    read_study(text, source=str(path))
    console = Console(stderr=True, markup=False)
    body = text.encode()
    with Platform(
        url, token, say=lambda sentence: console.print(sentence, highlight=False, soft_wrap=True)
    ) as platform:
        published = platform.call(
            "POST",
            "research/studies",
            content_type="application/yaml",
            size_bytes=len(body),
            body=lambda: iter([body]),
        )
    try:
        entries = [(str(fielding["participant_url"]), str(fielding["group"])) for fielding in published["fieldings"]]
        console.print(
            f"Study {published['name']} ({published['sha256'][:12]}) is at {url}.", highlight=False, soft_wrap=True
        )
    except (KeyError, TypeError) as error:
        raise UnreachableError(f"{url} answers, but not as a platform does: the answer has no study.") from error
    for address, group in entries:
        console.print(f"Participants enter at {address} (group {group})", highlight=False, soft_wrap=True)
    click.echo(json.dumps(published))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise BadInputError(f"{path} is not UTF-8 text.") from error
    except OSError as error:
        raise BadInputError(f"{path} cannot be read ({error.strerror}).") from error
