"""Detection of ambiguous numbers, whose point or comma may be the decimal separator or separate thousands."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from eyelevel.errors import BadInputError

_LIKE_THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2}[.,][0-9]{3}")
CURE = "Write all numbers with a decimal point, and thousands without a separator."


@dataclass
class Separators:
    """The separators in one column: the first number with a point or comma and its line, and decimal separators."""

    first: dict[str, tuple[str, int]] = field(default_factory=dict)
    decimal: set[str] = field(default_factory=set)

    def see(self, cell: str, line: int) -> None:
        """Adds a cell, which is a valid number and so has at most one separator."""
        for sign in ",.":
            if sign in cell and sign not in self.decimal:
                self.first.setdefault(sign, (cell, line))
                if not _LIKE_THOUSANDS.fullmatch(cell):
                    self.decimal.add(sign)


def ambiguous(source: str, delimiter: str, columns: Mapping[str, Separators]) -> list[str]:
    """Returns notices about columns with ambiguous numbers.

    Raises BadInputError if a table has points and commas, or commas that may separate thousands. If semicolons separate
    cells, decimal commas are likely; if commas do, points must be decimal points.
    """
    if delimiter == ",":
        return []
    comma, point = (_first(columns, sign) for sign in ",.")
    if comma and point:
        raise BadInputError(f"{source} has numbers with commas ({comma}) and with points ({point}). {CURE}")
    signs = {sign for separators in columns.values() for sign in separators.decimal}
    if point and "." not in signs:
        return [f"Read as decimal points, though all of them may separate thousands: {point}."]
    if comma and "," not in signs:
        if delimiter != ";":
            raise BadInputError(f"{source}: the comma may be a decimal comma or separate thousands ({comma}). {CURE}")
        return [f"Read as decimal commas, though all of them may separate thousands: {comma}."]
    return []


def _first(columns: Mapping[str, Separators], sign: str) -> str | None:
    """The first number with this sign: its column, line and text."""
    places = [
        (separators.first[sign][1], name, separators.first[sign][0])
        for name, separators in columns.items()
        if sign in separators.first
    ]
    return f"{min(places)[1]}, line {min(places)[0]}: {min(places)[2]!r}" if places else None
