"""Results as CSV text."""

from typing import Any

from eyelevel_stats.study import Results
from eyelevel_stats.tables import TABLES


def result_tables(results: Results) -> dict[str, str]:
    """File name to CSV text, for each of TABLES."""
    return {table.file: table.csv(rows_of(results, name)) for name, table in TABLES.items()}


def rows_of(results: Results, table: str) -> tuple[Any, ...]:
    """The rows of one of TABLES, which has the field's name."""
    rows: tuple[Any, ...] = getattr(results, table)
    return rows
