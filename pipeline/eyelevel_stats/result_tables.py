"""Results as CSV text."""

from dataclasses import astuple, fields
from typing import Any

from eyelevel_core.tables import csv_text
from eyelevel_stats.study import Results
from eyelevel_stats.tables import TABLES


def result_tables(results: Results) -> dict[str, str]:
    """File name to CSV text, for each of TABLES."""
    return {
        name: csv_text([field.name for field in fields(row_type)], map(astuple, rows_of(results, name)))
        for name, row_type in TABLES.items()
    }


def rows_of(results: Results, table: str) -> tuple[Any, ...]:
    """The rows of one of TABLES, which has the field's name."""
    rows: tuple[Any, ...] = getattr(results, table.removesuffix(".csv"))
    return rows
