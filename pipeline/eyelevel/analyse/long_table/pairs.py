"""Reads a long table of pairs: which of two stimuli a participant preferred."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eyelevel.analyse.long_table.delimited import open_delimited
from eyelevel.analyse.long_table.names import CellError, Spellings, missing_name
from eyelevel.analyse.long_table.wording import WORDS, Choice, is_missing, key_of
from eyelevel.errors import BadInputError

# instead of the winner's name
TIES = frozenset(word for word, meaning in WORDS.items() if meaning is Choice.NONE)
NAMES_A_STIMULUS = (
    "which names a stimulus of the table. If the answer is the preferred stimulus, give the column the role winner; if "
    "it is a side, give the meaning of the words, such as --choices left=a,right=b."
)


@dataclass(frozen=True)
class PairVotes:
    """Votes on pairs as (participant, left, right, choice); those with the same stimulus on both sides are in `same`.

    `sided`: the table states which stimulus was on the left. `also_names` are choices that also name a stimulus.
    """

    votes: tuple[tuple[str, str, str, Choice], ...]
    same: tuple[tuple[str, str, str, Choice], ...]
    rows: int
    missing: int
    delimiter: str
    sided: bool
    also_names: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()

    def columns(self) -> dict[str, list[Any]]:
        """Returns the votes in the columns of an export; stimuli have no site, network and context."""
        every = [*self.votes, *self.same]
        constant = {"trial_kind": "compare", "site": "", "network": "", "context": ""}
        return {
            "session_id": [who for who, *_ in every],
            **{name: [value] * len(every) for name, value in constant.items()},
            "role": ["main"] * len(self.votes) + ["identical"] * len(self.same),
            "left_stack": [left for _, left, _, _ in every],
            "right_stack": [right for _, _, right, _ in every],
            "choice": [choice.value for *_, choice in every],
        }


def read_pairs(path: Path, roles: Mapping[str, str], words: Mapping[str, Choice] | None = None) -> PairVotes:
    """Reads the votes of a table of pairs in any of its three forms.

    `words` have the meanings of the table's choices, as `key_of` normalises them; the default is WORDS, none of which
    may then name a stimulus. Raises BadInputError, with line, column, value and remedy, if a name is missing, both
    sides show the same stimulus and the answer names it, or a choice is not among the words.
    """
    with open_delimited(path, expected=roles.values()) as table:
        reader = _Reader(roles, words)
        people, stimuli, answers = (
            Spellings(what, lambda: table.line) for what in ("participant", "stimulus", "choice")
        )
        spelt = {role: {"participant": people, "choice": answers}.get(role, stimuli) for role in roles}
        rows = 0
        try:
            places = dict(zip(roles, table.places(list(roles.values())), strict=True))
            for cells in table.rows():
                rows += 1
                reader.add({role: spelt[role][cells[place]] for role, place in places.items()}, table.line)
        except CellError as error:
            raise table.error(str(error)) from error
        notices = (*table.notices, *people.notices(), *stimuli.notices(), *answers.notices())
        named = reader.also_names()
        if named and words is None:
            what = f"choice (column {roles['choice']!r})"
            raise BadInputError(f"{table.source}, line {named[0][1]}: {what} is {named[0][0]!r}, {NAMES_A_STIMULUS}")
    votes, same = reader.votes, reader.same
    if not votes:
        why = (
            "every pair shows the same stimulus twice"
            if same
            else "every choice is missing"
            if rows
            else "there is no row"
        )
        raise BadInputError(f"{path} has no vote about two stimuli: {why}.")
    sided = "loser" not in roles
    missing = rows - len(votes) - len(same)
    also_names = tuple(text for text, _ in named)
    return PairVotes(tuple(votes), tuple(same), rows, missing, table.delimiter, sided, also_names, notices)


class _Reader:
    """Collects the votes of rows; `words` is None if the option --choices is not given."""

    def __init__(self, roles: Mapping[str, str], words: Mapping[str, Choice] | None) -> None:
        self._what = {role: f"{role} (column {column!r})" for role, column in roles.items()}
        self._words = WORDS if words is None else words
        # each name once, stimuli in lower case, and the first line and the meaning of each choice
        self._known: dict[str, str] = {}
        self._names: set[str] = set()
        self._lines: dict[str, int] = {}
        self._meant: dict[str, Choice] = {}
        self.votes: list[tuple[str, str, str, Choice]] = []
        self.same: list[tuple[str, str, str, Choice]] = []

    def add(self, cell_of: Mapping[str, str], line: int) -> None:
        """Adds the cells of a row by role, from line `line` of the file; raises CellError for a wrong cell."""
        answer = "choice" if "choice" in cell_of else "winner"
        meant = cell_of[answer] in self._meant or (answer == "choice" and key_of(cell_of[answer]) in self._words)
        if not meant and is_missing(cell_of[answer]):
            return
        for role, text in cell_of.items():
            if role != answer and text not in self._known and is_missing(text):
                raise CellError(missing_name(self._what[role], text))
        left, right = (
            (cell_of["winner"], cell_of["loser"]) if "loser" in cell_of else (cell_of["left"], cell_of["right"])
        )
        if left == right and cell_of.get("winner") == left:
            raise CellError(
                f"both sides show {left!r}, and the answer is also {left!r}, so the side is ambiguous. Give left, "
                "right or none in a column with the role choice, or remove the row."
            )
        if "loser" in cell_of:
            choice = Choice.LEFT
        elif answer == "winner":
            choice = self._winner(cell_of["winner"], left, right)
        else:
            choice = self._choice(cell_of["choice"], (left, right), line)
        who, left, right = (self._known.setdefault(name, name) for name in (cell_of["participant"], left, right))
        self._names |= {left.casefold(), right.casefold()}
        (self.same if left == right else self.votes).append((who, left, right, choice))

    def _winner(self, text: str, left: str, right: str) -> Choice:
        if text in (left, right):
            return Choice.LEFT if text == left else Choice.RIGHT
        # a column of whole numbers with gaps is often written as 1.0
        keys = key_of(left), key_of(right)
        if key_of(text) in keys and keys[0] != keys[1]:
            return Choice.LEFT if key_of(text) == keys[0] else Choice.RIGHT
        if text.casefold() in TIES:
            return Choice.NONE
        said = f"{self._what['winner']} is {text!r}, but must be {left!r}, {right!r} or tie."
        if text.casefold() in WORDS or key_of(text).lstrip("-").isdecimal():
            said += " If it names a side, give the column the role choice."
        raise CellError(said)

    def _choice(self, text: str, sides: tuple[str, str], line: int) -> Choice:
        if text in self._meant:
            return self._meant[text]
        choice = self._words.get(key_of(text))
        if choice is not None:
            self._lines[text], self._meant[text] = line, choice
            return choice
        said = f"{self._what['choice']} is {text!r},"
        if text.casefold() in (side.casefold() for side in sides):
            raise CellError(f"{said} {NAMES_A_STIMULUS}")
        raise CellError(
            f"{said} which is not one of {', '.join(self._words)}. Give the meaning of the table's words, such as "
            "--choices left=1,right=2,none=0."
        )

    def also_names(self) -> list[tuple[str, int]]:
        """Returns the choices that name a stimulus of any row, with the line in which each first appeared."""
        return [(text, line) for text, line in self._lines.items() if text.casefold() in self._names]
