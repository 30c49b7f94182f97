"""The tables in depth of an export: files, progress on stderr, and how the page shows them."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from operator import attrgetter
from typing import Any

from eyelevel.analyse.announced import announced
from eyelevel.report.table import Column, Table, View
from eyelevel.report.words import text
from eyelevel_stats.tables import IN_DEPTH

FOLDER = "statistics"


def deep_file(name: str) -> str:
    """The path of a table within the folder of results."""
    return f"{FOLDER}/{name}.csv"


def deep_tables(tables: Mapping[str, tuple[Any, ...]]) -> dict[str, str]:
    """Path to CSV text, for each table that has rows."""
    return {deep_file(name): IN_DEPTH[name].csv(rows) for name, rows in tables.items()}


def deep_page_tables(tables: Mapping[str, tuple[Any, ...]]) -> Iterator[Table]:
    """Each table as the page shows it: its columns by name, figures with four significant digits."""
    for name, rows in tables.items():
        own = IN_DEPTH[name]
        columns = [Column(each.name, each.description, attrgetter(each.name)) for each in own.columns]
        yield Table(f"{FOLDER}/{name}", own.title, columns, [_view(each.name, rows) for each in own.columns], rows)


def _view(name: str, rows: tuple[Any, ...]) -> View:
    words = any(isinstance(getattr(row, name), str) for row in rows)
    return View(name.replace("_", " "), lambda row: _shown(getattr(row, name)), text=words)


def _shown(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else text(value)


@contextmanager
def progress() -> Iterator[Callable[[str, int, int], None]]:
    """A function that shows on stderr which part is computed."""
    with announced("Computing tables in depth ...") as say:
        yield lambda part, done, parts: say(f"Computing tables in depth ({done + 1} of {parts}): {part}")
