"""Files of the tables in depth, statistics/NAME.csv, and what their columns mean."""

from collections.abc import Iterator

from analysis.models import InDepthResult
from analysis.showing.in_depth import shown_tables
from exports.data_dictionary import Described, described
from eyelevel_core.tables import csv_text

FOLDER = "statistics"


def in_depth_files(found: InDepthResult) -> Iterator[tuple[str, str]]:
    """Path and CSV text of each table that has rows."""
    for table, rows in shown_tables(found):
        yield f"{FOLDER}/{table.file}", csv_text([column.name for column in table.columns], rows)


def in_depth_columns(found: InDepthResult) -> Iterator[Described]:
    """The rows of the data dictionary about these files."""
    for table, _ in shown_tables(found):
        yield from (described(f"{FOLDER}/{table.file}", column) for column in table.columns)
