"""Integer codes for the texts of a column, so that a million rows stay small."""

from array import array

import numpy as np
from numpy.typing import NDArray

from eyelevel.analyse.long_table.wording import is_missing

# the code of a cell that may be missing and is
UNKNOWN = -1


class CellError(Exception):
    """A problem of one cell, as a sentence; the caller adds the line."""


class Codes(dict[str, int]):
    """Cell to code, in the order of first appearance; spaces around a name do not count.

    A missing cell has the code UNKNOWN if it is `optional`; else it raises CellError. `names` are the distinct names by
    code.
    """

    def __init__(self, role: str, column: str, *, optional: bool = False) -> None:
        super().__init__()
        self.what = f"{role} (column {column!r})"
        self._optional = optional
        self._code_of: dict[str, int] = {}

    def __missing__(self, cell: str) -> int:
        name = cell.strip()
        if not is_missing(name):
            code = self._code_of.setdefault(name, len(self._code_of))
        elif self._optional:
            code = UNKNOWN
        else:
            raise CellError(missing_name(self.what, name))
        self[cell] = code
        return code

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._code_of)


def missing_name(what: str, cell: str) -> str:
    """That a name is missing that each vote needs."""
    found = f"is {cell!r}, which marks a missing value" if cell else "is empty"
    return f"{what} {found}; a vote needs it. Correct the cell, or leave the row out."


class Labels:
    """One label per stimulus, such as its site, from those votes of the stimulus that have one.

    A stimulus without a label, or with several, has none; of a role that allows one alone, a second raises CellError.
    """

    def __init__(self, role: str, column: str, *, one_alone: bool) -> None:
        self.codes = Codes(role, column, optional=True)
        self._of: list[int] = []
        self._several: set[int] = set()
        self._one_alone = one_alone

    def add(self, stimulus: int, cell: str) -> None:
        """Stimuli come in the order of their codes."""
        code = self.codes[cell]
        if stimulus == len(self._of):
            self._of.append(code)
        elif self._of[stimulus] == UNKNOWN:
            self._of[stimulus] = code
        elif code not in (self._of[stimulus], UNKNOWN):
            self._several.add(stimulus)
            if self._one_alone:
                first = self.codes.names[self._of[stimulus]]
                raise CellError(
                    f"{self.codes.what} is {cell.strip()!r}, but {first!r} in an earlier row of the same stimulus. A "
                    "stimulus belongs to one site; if several sites share its name, name both columns for the "
                    "stimulus, such as stimulus=SITE+STIMULUS."
                )

    def labels(self) -> tuple[str | None, ...]:
        """By stimulus; None for a stimulus that has none, or several."""
        names = self.codes.names
        return tuple(
            None if code == UNKNOWN or place in self._several else names[code] for place, code in enumerate(self._of)
        )


def integers(values: "array[int]") -> NDArray[np.int64]:
    """The same numbers without a copy."""
    return np.frombuffer(values, dtype=np.int64) if len(values) else np.zeros(0, dtype=np.int64)
