"""Writes the report's files, all of them made in memory first."""

from pathlib import Path

from eyelevel.compare.comparison import Comparison
from eyelevel.compare.report.contents import dictionary, tables
from eyelevel.compare.report.drawing import draw
from eyelevel.compare.report.page import page
from eyelevel_figures.elements import svg_text


def report_files(comparison: Comparison) -> dict[str, str]:
    """Path inside the report's folder to text; the same comparison gives the same bytes."""
    found, figures = tables(comparison), draw(comparison)
    return {
        "report.html": page(comparison, found, figures),
        **{f"tables/{table.file}": table.csv() for table in [*found.values(), dictionary(found.values())]},
        **{f"figures/{figure.name}.svg": svg_text(figure.element()) for figure in figures.all()},
    }


def write(files: dict[str, str], out: Path) -> None:
    """Overwrites files of the same names; leaves others alone."""
    for name, text in files.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
