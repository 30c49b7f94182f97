"""Writes the report's files, all of them made in memory first."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from eyelevel.compare.added import Section
from eyelevel.compare.comparison import Comparison
from eyelevel.compare.report.contents import tables
from eyelevel.compare.report.drawing import draw
from eyelevel.compare.report.page import page
from eyelevel.report.table import dictionary
from eyelevel_figures.elements import svg_text


def report_files(comparison: Comparison, sections: Sequence[Section] = ()) -> dict[str, str]:
    """Path inside the report's folder to text; the same comparison gives the same bytes."""
    found, figures = tables(comparison, sections), draw(comparison)
    drawn = [*figures.all(), *(figure for section in sections for figure in section.figures)]
    return {
        "report.html": page(comparison, found, figures, sections),
        **{f"tables/{table.file}": table.csv() for table in found.values()},
        "tables/columns.csv": dictionary(found.values()),
        **{f"figures/{figure.name}.svg": svg_text(figure.element()) for figure in drawn},
    }


def write(files: Mapping[str, str], out: Path) -> None:
    """Overwrites files of the same names; leaves others alone."""
    for name, text in files.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
