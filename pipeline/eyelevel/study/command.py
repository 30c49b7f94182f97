"""Commands `eyelevel study check` and `eyelevel study publish`."""

import json
from dataclasses import asdict
from pathlib import Path

import click
from rich.console import Console

from eyelevel.errors import BadInputError, UnreachableError
from eyelevel.platform import Platform
from eyelevel.study.batch import read_batch
from eyelevel.study.forecast import forecast
from eyelevel.study.warnings import warnings_of
from eyelevel.study.wording import lines
from eyelevel_core.assignment.selection import select_for
from eyelevel_core.study.file import read_study_file


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
    help="Folder of a batch: run the same checks as publishing over it, and use its clips for the forecast. "
    "[default: check the study file alone]",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
def check(*, path: Path, folder: Path | None, as_json: bool) -> None:
    """Check a study file, and forecast its votes, duration and smallest detectable effect.

    With `--batch`, runs the same checks as publishing.

    Prints the expected votes per cell and clip, minutes per participant, pay per hour, and the smallest effect that
    the analysis plan can detect. Warnings about weaknesses of a valid study go to stderr.

    Example: eyelevel study check study.yaml --batch data/demo
    """
    file = read_study_file(_text(path), source=str(path))
    batch = None if folder is None else read_batch(folder)
    selection = None if batch is None else select_for(file, batch.clips)
    design = file.design if selection is None else selection.design
    found = forecast(design, None if selection is None else selection.chosen)
    warned = list(warnings_of(file, design, found, batch))
    if as_json:
        click.echo(json.dumps(asdict(found) | {"warnings": warned}, ensure_ascii=False))
        return
    for line in lines(found):
        click.echo(line)
    for warning in warned:
        click.echo(f"Warning: {warning}", err=True)


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

    Publishing the same file again returns the same study. The link for each group of participants is printed on
    stderr.

    Example: EYELEVEL_TOKEN=... eyelevel study publish study.yaml --to https://study.example
    """
    text = _text(path)
    read_study_file(text, source=str(path))
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
        raise UnreachableError(
            f"{url} answered, but not like an Eyelevel platform: its answer describes no study; check the address."
        ) from error
    for address, group in entries:
        console.print(f"Participants enter at {address} (group {group})", highlight=False, soft_wrap=True)
    click.echo(json.dumps(published))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise BadInputError(f"{path} is not UTF-8 text; save it as UTF-8.") from error
    except OSError as error:
        raise BadInputError(f"{path} cannot be read ({error.strerror}).") from error
