"""Names in the cells of a column; each is stored once, so that a million rows need little memory."""

from collections.abc import Callable, Iterable, Sequence

from eyelevel.analyse.long_table.wording import is_missing
from eyelevel_core.characters import difference, look_alikes, plain, tidy, visible

# names written in several ways that a notice names
SHOWN = 5


class CellError(Exception):
    """A problem with one cell; the caller adds the line. `is_text`: the cell has words instead of a number."""

    def __init__(self, message: str, *, is_text: bool = False) -> None:
        super().__init__(message)
        self.is_text = is_text


# a name, the cell in which it first appeared, and the line of this cell; None for a name of another table
_First = tuple[str, str, int | None]


class Spellings(dict[str, str]):
    """Maps cells to names: names that look the same are one name, in its first spelling without invisible characters.

    Names that differ by letters of other scripts, or by a space, stay different, because either may be intended.
    `line` returns the line of the current cell. `known` are names of another table; a name that looks the same gets
    their spelling.
    """

    def __init__(self, what: str, line: Callable[[], int], known: Iterable[str] = ()) -> None:
        super().__init__()
        self._what, self._line = what, line
        self._first: dict[str, _First] = {}
        self._alike: dict[str, _First] = {}
        self._several: list[str] = []
        self._nearly: list[str] = []
        for name in known:
            self._first[visible(name)] = self._alike[_outline(name)] = (name, name, None)

    def __missing__(self, cell: str) -> str:
        line = self._line()
        entry = (tidy(cell), cell, line)
        name, written, before = first = self._first.setdefault(visible(cell), entry)
        if first is entry:
            self._compare(cell, entry)
        elif cell != written and name:
            self._several.append(f"{self._what} {name!r} {_places(before, line)}{difference(written, cell)}")
        self[cell] = name
        return name

    def _compare(self, cell: str, entry: _First) -> None:
        """Note a new name that resembles an earlier one."""
        other, written, before = self._alike.setdefault(_outline(cell), entry)
        if other != entry[0]:
            where = "in the votes" if before is None else f"in line {before}"
            both = f"{self._what} {other!r} {where} and {entry[0]!r} in line {entry[2]}"
            self._nearly.append(f"{both}{look_alikes(written, cell)}")

    def notices(self) -> list[str]:
        """Returns notices about names that were written in several ways or resemble each other, with their lines."""
        sentences = []
        if self._several:
            sentences.append(
                f"Names that look the same but are written differently count as one: {_listed(self._several)}. If two "
                "of these are different, rename one."
            )
        if self._nearly:
            sentences.append(
                f"Names that look nearly the same count as different ones: {_listed(self._nearly)}. If two of these "
                "are the same, correct one."
            )
        return sentences


def _outline(name: str) -> str:
    return plain(name).replace(" ", "")


def _places(before: int | None, line: int) -> str:
    if before is None:
        return f"in line {line} and in the votes"
    return f"twice in line {line}" if before == line else f"in lines {before} and {line}"


def _listed(said: Sequence[str]) -> str:
    return "; ".join(said[:SHOWN]) + (f"; and {len(said) - SHOWN} more" if len(said) > SHOWN else "")


class Names(dict[str, str]):
    """Maps cells to names by `spellings`. A missing cell is empty if `optional`; else it raises CellError."""

    def __init__(self, role: str, column: str, spellings: Spellings, *, optional: bool = False) -> None:
        super().__init__()
        self.what = f"{role} (column {column!r})"
        self._optional = optional
        self._spellings = spellings

    def __missing__(self, cell: str) -> str:
        name = self._spellings[cell]
        if is_missing(name):
            if not self._optional:
                raise CellError(missing_name(self.what, name))
            name = ""
        self[cell] = name
        return name


def missing_name(what: str, cell: str) -> str:
    """Returns the message that a cell has no name, which each vote needs."""
    problem = f"is {cell!r}, which marks a missing value" if cell else "is empty"
    return f"{what} {problem}; a vote needs it. Correct the cell, or remove the row."


class Labels:
    """One label per stimulus, such as its site, from the votes of the stimulus that have one.

    A stimulus with several labels counts as without one; if the role allows only one, a second raises CellError.
    """

    def __init__(self, role: str, column: str, spellings: Spellings, *, one_alone: bool) -> None:
        self._names = Names(role, column, spellings, optional=True)
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
        """Returns the labels by stimulus; empty for a stimulus without a label, or with several."""
        return {stimulus: "" if stimulus in self._several else label for stimulus, label in self._of.items()}
