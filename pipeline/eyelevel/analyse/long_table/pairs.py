"""Reads a long table of pairs: which of two stimuli a participant preferred."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from eyelevel.analyse.long_table.codes import CellError
from eyelevel.analyse.long_table.delimited import open_delimited
from eyelevel.analyse.long_table.wording import WORDS, Choice, is_missing
from eyelevel.errors import BadInputError

# in the place of the winner's name
TIES = frozenset(word for word, meaning in WORDS.items() if meaning is Choice.NONE)


@dataclass(frozen=True)
class PairVotes:
    """Rows of (participant, left, right, choice), without pairs of one stimulus with itself.

    `same` has the answers about those: (participant, stimulus, choice). `sided` says whether the table knows which
    stimulus was left.
    """

    votes: tuple[tuple[str, str, str, Choice], ...]
    same: tuple[tuple[str, str, Choice], ...]
    rows: int
    missing: int
    delimiter: str
    sided: bool


def read_pairs(path: Path, roles: Mapping[str, str], words: Mapping[str, Choice]) -> PairVotes:
    """The votes of a table of pairs in any of its three forms; `words` say what the table's choices mean.

    Raise BadInputError, naming line, column, value and cure, where a name is empty, a stimulus is beside itself and the
    answer names it, or a choice is not among the words.
    """
    with open_delimited(path, expected=roles.values()) as table:
        places = dict(zip(roles, table.places(list(roles.values())), strict=True))
        rows = 0
        votes: list[tuple[str, str, str, Choice]] = []
        same: list[tuple[str, str, Choice]] = []
        known: dict[str, str] = {}
        try:
            for cells in table.rows():
                rows += 1
                own = {role: cells[place].strip() for role, place in places.items()}
                vote = _vote(own, roles, words)
                if vote is None:
                    continue
                participant, left, right = (known.setdefault(name, name) for name in vote[:3])
                if left == right:
                    same.append((participant, left, vote[3]))
                else:
                    votes.append((participant, left, right, vote[3]))
        except CellError as error:
            raise table.error(str(error)) from error
    if not votes:
        why = (
            "every pair shows one stimulus twice" if same else "every choice is missing" if rows else "there is no row"
        )
        raise BadInputError(f"{path} has no vote about two stimuli: {why}.")
    sided = "loser" not in roles
    return PairVotes(tuple(votes), tuple(same), rows, rows - len(votes) - len(same), table.delimiter, sided)


def _vote(
    own: Mapping[str, str], roles: Mapping[str, str], words: Mapping[str, Choice]
) -> tuple[str, str, str, Choice] | None:
    if "choice" in own and is_missing(own["choice"]) and own["choice"].casefold() not in words:
        return None
    if "winner" in own and is_missing(own["winner"]):
        return None
    for role, text in own.items():
        if not text:
            raise CellError(f"{role} (column {roles[role]!r}) is empty; a vote needs it.")
    left, right = own.get("left", own.get("winner", "")), own.get("right", own.get("loser", ""))
    if left == right and own.get("winner") == left:
        raise CellError(
            f"both sides show {left!r}, and so does the answer, which names no side. Say left, right or none in a "
            "column of the role choice, or leave the row out."
        )
    return own["participant"], left, right, _choice(own, roles, words, (left, right))


def _choice(
    own: Mapping[str, str], roles: Mapping[str, str], words: Mapping[str, Choice], sides: tuple[str, str]
) -> Choice:
    if "loser" in own:
        return Choice.LEFT
    if "winner" in own:
        winner = own["winner"]
        if winner in sides:
            return Choice.LEFT if winner == sides[0] else Choice.RIGHT
        if winner.casefold() in TIES:
            return Choice.NONE
        raise CellError(
            f"winner (column {roles['winner']!r}) is {winner!r}, but must be {sides[0]!r}, {sides[1]!r} or tie."
        )
    found = words.get(own["choice"].casefold())
    if found is None:
        raise CellError(
            f"choice (column {roles['choice']!r}) is {own['choice']!r}, which is none of {', '.join(words)}. Say what "
            "the table's words mean, such as --choices left=1,right=2,none=0."
        )
    return found
