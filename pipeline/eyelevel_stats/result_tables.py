"""Results as CSV text."""

from typing import Any

from eyelevel_core.tables import cells_of, csv_text, names_of
from eyelevel_stats.study import Results
from eyelevel_stats.tables import TABLES


def result_tables(results: Results) -> dict[str, str]:
    """File name to CSV text, for each of TABLES."""
    return {
        name: csv_text(names_of(row_type), map(cells_of, rows_of(results, name))) for name, row_type in TABLES.items()
    }


def rows_of(results: Results, table: str) -> tuple[Any, ...]:
    """The rows of one of TABLES, which has the field's name."""
    rows: tuple[Any, ...] = getattr(results, table.removesuffix(".csv"))
    return rows
