"""Integer codes for the texts of a column, so that a million rows stay small."""

from array import array

import numpy as np
from numpy.typing import NDArray


class CellError(Exception):
    """A problem of one cell, as a sentence; the caller adds the line."""


class Codes(dict[str, int]):
    """Cell to code, in the order of first appearance; spaces around a name do not count.

    Raise CellError for an empty cell. `names` are the distinct names by code.
    """

    def __init__(self, role: str, column: str) -> None:
        super().__init__()
        self.what = f"{role} (column {column!r})"
        self._code_of: dict[str, int] = {}

    def __missing__(self, cell: str) -> int:
        name = cell.strip()
        if not name:
            raise CellError(f"{self.what} is empty; a vote needs it.")
        code = self[cell] = self._code_of.setdefault(name, len(self._code_of))
        return code

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._code_of)


class Labels:
    """One label per stimulus, such as its site, from the stimulus's votes.

    A stimulus with several labels has none; of a role that allows one alone, a second raises CellError.
    """

    def __init__(self, role: str, column: str, *, one_alone: bool) -> None:
        self.codes = Codes(role, column)
        self._of: list[int] = []
        self._several: set[int] = set()
        self._one_alone = one_alone

    def add(self, stimulus: int, cell: str) -> None:
        """Stimuli come in the order of their codes."""
        code = self.codes[cell]
        if stimulus == len(self._of):
            self._of.append(code)
        elif self._of[stimulus] != code:
            self._several.add(stimulus)
            if self._one_alone:
                first = self.codes.names[self._of[stimulus]]
                raise CellError(
                    f"{self.codes.what} is {cell.strip()!r}, but {first!r} in an earlier row of the same stimulus. A "
                    "stimulus belongs to one site; if several sites share its name, add a column that names both, and "
                    "give it as the stimulus."
                )

    def labels(self) -> tuple[str | None, ...]:
        """By stimulus; None for a stimulus that has several."""
        names = self.codes.names
        return tuple(None if n in self._several else names[code] for n, code in enumerate(self._of))


def integers(values: "array[int]") -> NDArray[np.int64]:
    """The same numbers without a copy."""
    return np.frombuffer(values, dtype=np.int64) if len(values) else np.zeros(0, dtype=np.int64)
