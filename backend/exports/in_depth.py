"""Files of the tables in depth, statistics/NAME.csv, and the descriptions of their columns."""

from collections.abc import Iterator

from analysis.models import InDepthResult
from analysis.showing.in_depth import shown_tables
from exports.data_dictionary import Described, described
from eyelevel_core.tables import csv_text

FOLDER = "statistics"


def in_depth_files(deep: InDepthResult) -> Iterator[tuple[str, str]]:
    """Yields path and CSV text of each table that has rows."""
    for table, rows in shown_tables(deep):
        yield f"{FOLDER}/{table.file}", csv_text([column.name for column in table.columns], rows)


def in_depth_columns(deep: InDepthResult) -> Iterator[Described]:
    """Yields the rows of the data dictionary about these files."""
    for table, _ in shown_tables(deep):
        yield from (described(f"{FOLDER}/{table.file}", column) for column in table.columns)
