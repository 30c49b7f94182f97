"""Files of the tables in depth, statistics/NAME.csv, and what their columns mean."""

from collections.abc import Iterator
from typing import get_type_hints

from analysis.in_depth_shown import shown_tables
from analysis.models import InDepthResult
from eyelevel_core.tables import csv_text
from eyelevel_stats.in_depth.catalogue import CATALOGUE

FOLDER = "statistics"
# every other type of a field is a word
TYPES = {int: "integer", int | None: "integer", float: "number", float | None: "number"}


def in_depth_files(found: InDepthResult) -> Iterator[tuple[str, str]]:
    """Path and CSV text of each table that has rows."""
    for table in shown_tables(found):
        yield _path(table.name), csv_text(table.columns, table.rows)


def in_depth_columns(found: InDepthResult) -> Iterator[tuple[str, str, str, str | None, str]]:
    """The rows of the data dictionary about these files."""
    for table in shown_tables(found):
        hints = get_type_hints(CATALOGUE[table.name].row)
        for column in table.columns:
            unit = "ms" if column.endswith("_ms") else None
            yield _path(table.name), column, TYPES.get(hints[column], "string"), unit, table.meaning(column)


def _path(name: str) -> str:
    return f"{FOLDER}/{name}.csv"
