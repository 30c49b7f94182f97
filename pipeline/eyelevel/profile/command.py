"""The command `eyelevel profile`: describes recordings in tables and figures."""

from collections.abc import Sequence
from pathlib import Path

import click

from eyelevel.errors import BadInputError
from eyelevel.profile.figures import figures
from eyelevel.profile.rows import RecordingRow, recording_row, type_rows
from eyelevel.profile.tables import recordings_csv, types_csv
from eyelevel.recorded import responses
from eyelevel_figures.elements import svg_text

# of files that are given individually
OWN_PANEL = "recordings"


@click.command()
@click.argument("recordings", metavar="RECORDING...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--out",
    metavar="DIR",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for tables and figures; created if missing.",
)
def profile(*, recordings: tuple[Path, ...], out: Path) -> None:
    """Count objects, hosts, server addresses and bytes by type of recordings, and draw their distributions.

    A RECORDING is a WARC file, or a folder of them. Each folder is a list with a separate panel in every figure;
    files that are given individually form one list. Writes recordings.csv, types.csv, objects.svg, size.svg,
    addresses.svg and, for up to 100 recordings, sites.svg.

    Exit status: 0 done, 4 a recording is wrong, 8 the disk is full.

    Example: eyelevel profile top-1000/ top-100/ --out profile
    """
    rows = [row for panel, files in _lists(recordings).items() for row in _rows(panel, files)]
    texts = {
        "recordings.csv": recordings_csv(rows),
        "types.csv": types_csv(type_rows(rows)),
        **{f"{figure.name}.svg": svg_text(figure.element()) for figure in figures(rows)},
    }
    out.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (out / name).write_text(text, encoding="utf-8", newline="")
        click.echo(out / name)


def _rows(panel: str, files: Sequence[Path]) -> list[RecordingRow]:
    return [
        recording_row(panel, file.name.removesuffix(".gz").removesuffix(".warc"), tuple(responses(file)))
        for file in files
    ]


def _lists(given: Sequence[Path]) -> dict[str, list[Path]]:
    """The files of each list by its name; raise BadInputError for missing recordings and names given twice."""
    lists: dict[str, list[Path]] = {}
    for path in given:
        if path.is_dir():
            name = path.resolve().name
            if name in lists:
                raise BadInputError(f"Two lists are named {name!r}; rename the folder {path}.")
            lists[name] = sorted(each for each in path.iterdir() if each.name.endswith((".warc", ".warc.gz")))
            if not lists[name]:
                raise BadInputError(f"{path} contains no recording; give a folder with .warc.gz files.")
        elif path.is_file():
            lists.setdefault(OWN_PANEL, []).append(path)
        else:
            raise BadInputError(f"{path} does not exist; give a recording, or a folder of recordings.")
    return lists
