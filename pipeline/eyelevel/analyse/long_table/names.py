"""Names in the cells of a column, each of which is kept once, so that a million rows stay small."""

from eyelevel.analyse.long_table.wording import is_missing


class CellError(Exception):
    """A problem of one cell, as a sentence; the caller adds the line."""


class Names(dict[str, str]):
    """Cell to name; spaces around a name do not count. A missing cell is empty if `optional`; else raises CellError."""

    def __init__(self, role: str, column: str, *, optional: bool = False) -> None:
        super().__init__()
        self.what = f"{role} (column {column!r})"
        self._optional = optional
        self._known: dict[str, str] = {}

    def __missing__(self, cell: str) -> str:
        name = cell.strip()
        if is_missing(name):
            if not self._optional:
                raise CellError(missing_name(self.what, name))
            name = ""
        name = self[cell] = self._known.setdefault(name, name)
        return name


def missing_name(what: str, cell: str) -> str:
    """That a name is missing that each vote needs."""
    found = f"is {cell!r}, which marks a missing value" if cell else "is empty"
    return f"{what} {found}; a vote needs it. Correct the cell, or leave the row out."


class Labels:
    """One label per stimulus, such as its site, from those votes of the stimulus that have one.

    A stimulus without a label, or with several, has none; of a role that allows one alone, a second raises CellError.
    """

    def __init__(self, role: str, column: str, *, one_alone: bool) -> None:
        self._names = Names(role, column, optional=True)
        self._of: dict[str, str] = {}
        self._several: set[str] = set()
        self._one_alone = one_alone

    def add(self, stimulus: str, cell: str) -> None:
        label = self._names[cell]
        known = self._of.setdefault(stimulus, label)
        if not known:
            self._of[stimulus] = label
        elif label and label != known:
            self._several.add(stimulus)
            if self._one_alone:
                raise CellError(
                    f"{self._names.what} is {label!r}, but {known!r} in an earlier row of the same stimulus. A "
                    "stimulus belongs to one site; if several sites share its name, name both columns for the "
                    "stimulus, such as stimulus=SITE+STIMULUS."
                )

    def labels(self) -> dict[str, str]:
        """By stimulus; empty for a stimulus that has none, or several."""
        return {stimulus: "" if stimulus in self._several else label for stimulus, label in self._of.items()}
