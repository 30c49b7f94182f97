"""Tables of results as a page shows them: what to print is declared beside the rows, in `eyelevel_core.tables`."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from eyelevel_core.tables import Column, Language, Table, values_of
from eyelevel_stats.tables import TABLES

Cells = Sequence[str | bool | int | float | None]
# their rows are sent with the hypotheses that they are about
OF_PLAN = ("hypotheses", "effects")


def table_out(table: Table, rows: Iterable[Cells], language: Language) -> dict[str, object]:
    return {
        "name": table.name,
        "title": table.titled(language),
        "note": table.noted(language),
        "analysis": table.analysis,
        "columns": [_column(one, language) for one in table.columns],
        "rows": list(rows),
    }


def result_tables(stored: Mapping[str, Any], language: Language) -> list[dict[str, object]]:
    """The tables of stored results that have rows, in their order."""
    return [
        table_out(table, (values_of(table.row(**row)) for row in stored[name]), language)
        for name, table in TABLES.items()
        if name not in OF_PLAN and stored.get(name)
    ]


def _column(one: Column, language: Language) -> dict[str, object]:
    return {
        "name": one.name,
        "title": one.title(language),
        "meaning": one.meaning(language),
        "type": one.type,
        "unit": one.unit,
        "format": one.format,
        "until": one.until,
    }
