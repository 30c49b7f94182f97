"""Finds figures that can be read in two ways: a point or comma may be the decimal one, or separate thousands."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from eyelevel.errors import BadInputError

_LIKE_THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2}[.,][0-9]{3}")
CURE = "Write all figures with a decimal point, and thousands without a separator."


@dataclass
class Separators:
    """Of the figures of one column: the first with a point or comma and its line, and those that are decimal ones."""

    first: dict[str, tuple[str, int]] = field(default_factory=dict)
    decimal: set[str] = field(default_factory=set)

    def see(self, cell: str, line: int) -> None:
        """Cells are figures that can be read, so none has several separators."""
        for sign in ",.":
            if sign in cell and sign not in self.decimal:
                self.first.setdefault(sign, (cell, line))
                if not _LIKE_THOUSANDS.fullmatch(cell):
                    self.decimal.add(sign)


def ambiguous(source: str, delimiter: str, columns: Mapping[str, Separators]) -> list[str]:
    """Notices about columns whose figures may have another meaning than they were read with.

    Raise BadInputError where a table has points and commas, or commas that may separate thousands. A semicolon between
    cells makes the decimal comma likely, a comma between them the decimal point certain.
    """
    if delimiter == ",":
        return []
    found = {sign: _first(columns, sign) for sign in ",."}
    comma, point = found[","], found["."]
    if comma and point:
        raise BadInputError(f"{source} has figures with commas ({comma}) and with points ({point}). {CURE}")
    signs = {sign for own in columns.values() for sign in own.decimal}
    if point and "." not in signs:
        return [f"Read as decimal points, though all of them may separate thousands: {point}."]
    if comma and "," not in signs:
        if delimiter != ";":
            raise BadInputError(f"{source}: a comma is the decimal one or separates thousands ({comma}). {CURE}")
        return [f"Read as decimal commas, though all of them may separate thousands: {comma}."]
    return []


def _first(columns: Mapping[str, Separators], sign: str) -> str | None:
    """The first figure with this sign: its column, line and text."""
    there = [(own.first[sign][1], name, own.first[sign][0]) for name, own in columns.items() if sign in own.first]
    return f"{min(there)[1]}, line {min(there)[0]}: {min(there)[2]!r}" if there else None
