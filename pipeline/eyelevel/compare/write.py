"""Writes the report's files, which are all rendered in memory first."""

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
    """Returns the report's files by path in its folder; the same comparison gives the same bytes."""
    filled, figures = tables(comparison, sections), draw(comparison)
    drawn = [*figures.all(), *(figure for section in sections for figure in section.figures)]
    return {
        "report.html": page(comparison, filled, figures, sections),
        **{f"tables/{table.file}": table.csv() for table in filled.values()},
        "tables/columns.csv": dictionary(filled.values()),
        **{f"figures/{figure.name}.svg": svg_text(figure.element()) for figure in drawn},
    }


def write(files: Mapping[str, str], out: Path) -> None:
    """Writes the files; overwrites files with the same names, and keeps all others."""
    for name, text in files.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
