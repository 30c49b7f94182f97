"""Names in the cells of a column, each of which is kept once, so that a million rows stay small."""

from collections.abc import Callable, Iterable

from eyelevel.analyse.long_table.wording import is_missing
from eyelevel.report.words import plural
from eyelevel_core.characters import is_invisible, named, tidy, visible

# names written in several ways that a notice names
SHOWN = 5


class CellError(Exception):
    """A problem of one cell, as a sentence; the caller adds the line. `is_text`: it has words in place of a figure."""

    def __init__(self, message: str, *, is_text: bool = False) -> None:
        super().__init__(message)
        self.is_text = is_text


class Spellings(dict[str, str]):
    """Cell to name: names that look the same are one name, in its first spelling without what cannot be seen.

    `line` gives the line of the cell that is asked for. `known` are names of another table, of which a name that looks
    the same takes the spelling.
    """

    def __init__(self, what: str, line: Callable[[], int], known: Iterable[str] = ()) -> None:
        super().__init__()
        self._what, self._line = what, line
        self._first: dict[str, tuple[str, str, int | None]] = {visible(name): (name, name, None) for name in known}
        self._several: list[str] = []

    def __missing__(self, cell: str) -> str:
        line = self._line()
        name, written, before = self._first.setdefault(visible(cell), (tidy(cell), cell, line))
        if cell != written and name:
            place = f"in line {line} and in the votes" if before is None else f"in lines {before} and {line}"
            self._several.append(f"{self._what} {name!r} {place}{_difference(written, cell)}")
        self[cell] = name
        return name

    def notices(self) -> list[str]:
        """That names were written in several ways, with the lines of each."""
        if not self._several:
            return []
        more = f", and {plural(len(self._several) - SHOWN, 'more')}" if len(self._several) > SHOWN else ""
        return [
            f"Names that look the same but are written differently count as one: {'; '.join(self._several[:SHOWN])}"
            f"{more}. If two of these are different, rename one."
        ]


def _difference(*spellings: str) -> str:
    """The characters by which spellings differ that look the same."""
    letters = dict.fromkeys(letter for text in spellings for letter in text if not letter.isascii())
    odd = [letter for letter in letters if is_invisible(letter) or visible(letter) != letter]
    if odd:
        return f" ({', '.join(named(letter) for letter in odd[:2])})"
    return " (with a space around it)" if any(text != text.strip() for text in spellings) else ""


class Names(dict[str, str]):
    """Cell to name, by `spellings`. A missing cell is empty if `optional`; else raises CellError."""

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
    """That a name is missing that each vote needs."""
    found = f"is {cell!r}, which marks a missing value" if cell else "is empty"
    return f"{what} {found}; a vote needs it. Correct the cell, or leave the row out."


class Labels:
    """One label per stimulus, such as its site, from those votes of the stimulus that have one.

    A stimulus without a label, or with several, has none; of a role that allows one alone, a second raises CellError.
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
        """By stimulus; empty for a stimulus that has none, or several."""
        return {stimulus: "" if stimulus in self._several else label for stimulus, label in self._of.items()}
