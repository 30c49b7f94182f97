"""Reads a long table of scores into arrays of codes."""

import math
from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from eyelevel.analyse.long_table.codes import CellError, Codes, Labels, integers
from eyelevel.analyse.long_table.delimited import Delimited, number, open_delimited
from eyelevel.analyse.long_table.roles import OPTIONAL, SCORES, Scale
from eyelevel.analyse.long_table.wording import is_missing
from eyelevel.errors import BadInputError


@dataclass(frozen=True)
class ScoreVotes:
    """The votes of a table; `person` and `stimulus` are places in `participants` and `stimuli`, one entry per vote.

    `sites` and `conditions` have one entry per stimulus: None as a whole where the table has no such column, and None
    for a stimulus whose votes have several conditions. `missing` counts rows without a score.
    """

    participants: tuple[str, ...]
    stimuli: tuple[str, ...]
    sites: tuple[str | None, ...] | None
    conditions: tuple[str | None, ...] | None
    person: NDArray[np.int64]
    stimulus: NDArray[np.int64]
    score: NDArray[np.float64]
    rows: int
    missing: int
    delimiter: str


class _Values(dict[str, float | None]):
    """Parse a cell as a score, None if missing; raise CellError if it is not on the scale."""

    def __init__(self, column: str, scale: Scale, *, comma: bool) -> None:
        super().__init__()
        self._column, self._scale, self._comma = column, scale, comma

    def __missing__(self, cell: str) -> float | None:
        value = self[cell] = None if is_missing(cell) else self._parsed(cell.strip())
        return value

    def _parsed(self, text: str) -> float:
        value = number(text, comma=self._comma)
        if value is None or not math.isfinite(value):
            cure = " Decimal commas are read only where the delimiter is a semicolon." if "," in text else ""
            raise CellError(f"score (column {self._column!r}) is {text[:60]!r}, which is not a number.{cure}")
        if not self._scale.low <= value <= self._scale.high:
            wider = Scale(min(self._scale.low, value), max(self._scale.high, value))
            raise CellError(
                f"score (column {self._column!r}) is {text[:60]}, but --scale is {self._scale}. Correct the value, or "
                f"give the scale that participants saw, such as --scale {wider}."
            )
        return value


def read_scores(path: Path, roles: Mapping[str, str], scale: Scale, *, elsewhere: frozenset[str]) -> ScoreVotes:
    """The votes of a table whose columns have these roles; a column named in `elsewhere` may be missing.

    Raise BadInputError, naming line, column, value and cure, where a vote has no participant or stimulus, its score is
    not on the scale, or a stimulus has votes under two sites.
    """
    with open_delimited(path, expected=roles.values()) as table:
        votes = _read(table, roles, scale, elsewhere)
    if not len(votes.score):
        said = "every score is missing" if votes.rows else "there is no row below the header"
        raise BadInputError(f"{path} has no vote: {said}.")
    return votes


def _read(table: Delimited, roles: Mapping[str, str], scale: Scale, elsewhere: frozenset[str]) -> ScoreVotes:
    p, s, v = table.places([roles[role] for role in SCORES])
    labels = {
        role: Labels(role, roles[role], one_alone=role == "site")
        for role in OPTIONAL
        if role in roles and not (roles[role] in elsewhere and roles[role] not in table.names)
    }
    extra = list(zip(labels.values(), table.places([roles[role] for role in labels]), strict=True))
    people, stimuli = Codes("participant", roles["participant"]), Codes("stimulus", roles["stimulus"])
    values = _Values(roles["score"], scale, comma=table.decimal_comma)
    person, stimulus, score = array("q"), array("q"), array("d")
    rows = 0
    try:
        for cells in table.rows():
            rows += 1
            value = values[cells[v]]
            if value is None:
                continue
            score.append(value)
            person.append(people[cells[p]])
            code = stimuli[cells[s]]
            stimulus.append(code)
            for one, place in extra:
                one.add(code, cells[place])
    except CellError as error:
        raise table.error(str(error)) from error
    found = {role: one.labels() for role, one in labels.items()}
    return ScoreVotes(
        participants=people.names,
        stimuli=stimuli.names,
        sites=found.get("site"),
        conditions=found.get("condition"),
        person=integers(person),
        stimulus=integers(stimulus),
        score=np.frombuffer(score, dtype=np.float64) if score else np.zeros(0),
        rows=rows,
        missing=rows - len(score),
        delimiter=table.delimiter,
    )
