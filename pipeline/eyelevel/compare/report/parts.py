"""Elements that several sections of the page use."""

from collections.abc import Sequence
from typing import Any
from xml.etree.ElementTree import Element

from eyelevel.report.table import Filled, table_element
from eyelevel_figures.canvas import Drawing
from eyelevel_figures.elements import tag

# more rows are folded
MANY_ROWS = 60


def folded(summary: str, content: Element, *, unfolded: bool) -> Element:
    """Returns content that can be folded under its summary."""
    return tag("details", tag("summary", summary), content, open="open" if unfolded else None)


def grid(figures: Sequence[Drawing], caption: str, kind: str) -> Element:
    """Returns figures in a grid, with one caption."""
    held = [tag("figure", figure.element()) for figure in figures]
    return tag("div", tag("div", held, class_=kind), tag("p", caption, class_="note"))


def by_pair(table: Filled, keys: Sequence[tuple[str, str]]) -> list[Element]:
    """Returns a link to the whole table, and its rows by pair and network, folded if there are many."""
    groups: dict[tuple[str, str], list[Any]] = {}
    for key, row in zip(keys, table.rows, strict=True):
        groups.setdefault(key, []).append(row)
    few = len(table.rows) <= MANY_ROWS
    return [
        tag("p", "The whole table is in ", tag("a", table.file, href=f"tables/{table.file}"), "."),
        *(
            folded(
                f"{pair} on {network}",
                table_element(table, rows=rows, caption=f"{table.caption}: {pair} on {network}"),
                unfolded=few,
            )
            for (pair, network), rows in groups.items()
        ),
    ]
