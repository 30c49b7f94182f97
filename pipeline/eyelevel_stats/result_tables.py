"""Results as CSV text."""

from typing import Any

from eyelevel_stats.study import Results
from eyelevel_stats.tables import TABLES


def result_tables(results: Results) -> dict[str, str]:
    """Returns the CSV text of each of TABLES, by file name."""
    return {table.file: table.csv(rows_of(results, name)) for name, table in TABLES.items()}


def rows_of(results: Results, table: str) -> tuple[Any, ...]:
    """Returns the rows of one of TABLES, which has the field's name."""
    rows: tuple[Any, ...] = getattr(results, table)
    return rows
