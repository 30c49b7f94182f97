"""Reader of long tables of scores."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from eyelevel.analyse.long_table.delimited import Delimited, open_delimited
from eyelevel.analyse.long_table.figures import cure_of, number
from eyelevel.analyse.long_table.names import CellError, Labels, Names, Spellings
from eyelevel.analyse.long_table.roles import OPTIONAL, SCORES, Scale, exact
from eyelevel.analyse.long_table.wording import key_of, no_figure
from eyelevel.errors import BadInputError
from eyelevel_core.characters import visible

# values by which tables often mark a missing score
CODES = frozenset({-1, -9, -99, -999, -9999, 99, 999, 9999})
# a score outside the scale by this share of it was rounded
ROUNDING = 1e-6
# words of common scales, from the lowest score
ACR = ("bad", "poor", "fair", "good", "excellent")
ACR_7 = ("extremely bad", *ACR, "ideal")


# rows below the header that may be headings
HEADINGS = 2
HEADING = " If this line is a second heading, remove it."
# the participant of all scores in a table without participants
NOBODY = "unknown"
ONE_EACH = (
    "No column has the role participant: each row counts as one score of its stimulus, such as its MOS. Results that "
    "need single votes are empty."
)


@dataclass(frozen=True)
class Reading:
    """The notation of scores: the scale, words for scores, and words or numbers that mark a missing score.

    Words are as `key_of` normalises them.
    """

    scale: Scale
    words: Mapping[str, float] = field(default_factory=dict)
    missing: frozenset[str] = frozenset()


@dataclass(frozen=True)
class ScoreVotes:
    """The votes of a table, one entry per vote in `participant`, `stimulus` and `score`.

    `sites` and `conditions` are labels by stimulus: None if the table has no such column, and empty for a stimulus
    without a label, or with votes under several conditions. `missing` counts rows without a score.
    """

    participant: list[str]
    stimulus: list[str]
    score: list[float]
    sites: Mapping[str, str] | None
    conditions: Mapping[str, str] | None
    rows: int
    missing: int
    delimiter: str
    notices: tuple[str, ...] = ()

    def columns(self) -> dict[str, list[Any]]:
        """Returns the votes in the columns of an export; the condition is the context, and there is no network."""
        return {
            "session_id": self.participant,
            **{name: [value] * len(self.score) for name, value in (("trial_kind", "rate"), ("network", ""))},
            "site": [(self.sites or {}).get(name, "") for name in self.stimulus],
            "stack": self.stimulus,
            "context": [(self.conditions or {}).get(name, "") for name in self.stimulus],
            "clip_sha256": self.stimulus,
            "score": self.score,
        }


class _Values(dict[str, float | None]):
    """Parse a cell as a score, None if missing; raise CellError if it is not on the scale."""

    def __init__(self, column: str, reading: Reading, *, comma: bool) -> None:
        super().__init__()
        self._what, self._column = f"score (column {column!r})", column
        self._reading, self._comma = reading, comma

    def __missing__(self, cell: str) -> float | None:
        text = visible(cell)
        word = key_of(text)
        missing = word in self._reading.missing or (no_figure(text) and word not in self._reading.words)
        value = self[cell] = None if missing else self._on_scale(self._parsed(text, word), text)
        return value

    def _parsed(self, text: str, word: str) -> float:
        value = self._reading.words.get(word, number(text, comma=self._comma))
        if value is None or not math.isfinite(value):
            said = f"{self._what} is {text[:60]!r}, which is not a number.{self._cure(text)}"
            raise CellError(said, is_text=any(sign.isalpha() for sign in text))
        return value

    def _cure(self, text: str) -> str:
        if text.casefold() == visible(self._column).casefold():
            return " The line seems to repeat the header; remove it."
        if number(text, comma=self._comma) is not None:
            return " Write a finite score, or empty the cell if the score is missing."
        if cure := cure_of(text, comma=self._comma):
            return f" {cure}"
        if not any(sign.isalpha() for sign in text):
            return " Write one number, or empty the cell if the score is missing."
        return f" Give the score of each word, such as --scores {example_of(self._reading.scale, text)}."

    def _on_scale(self, value: float, text: str) -> float:
        scale = self._reading.scale
        if scale.low <= value <= scale.high:
            return value
        message = f"{self._what} is {text[:60]}, but --scale is {scale}."
        if value in CODES:
            raise CellError(f"{message} If it marks a missing score, add --missing {value:g}; else correct the value.")
        for end in (scale.low, scale.high):
            if abs(value - end) <= ROUNDING * (scale.high - scale.low):
                raise CellError(f"{message} It differs only by rounding; write {exact(end)}.")
        wider = Scale(min(scale.low, value), max(scale.high, value))
        raise CellError(
            f"{message} Correct the value, or give the scale that participants saw, such as --scale {wider}; if it "
            f"marks a missing score, add --missing {exact(value)}."
        )


def example_of(scale: Scale, word: str) -> str:
    """Returns a possible value of --scores, quoted for a shell; the words of a common scale if the word is in one."""
    for known in (ACR, ACR_7):
        if word.casefold() in known and scale.high - scale.low == len(known) - 1:
            return f'"{",".join(f"{label}={scale.low + place:g}" for place, label in enumerate(known))}"'
    return f'"{word[:60]}={_leading(word, scale):g},..."'


def _places(table: Delimited, roles: Mapping[str, str]) -> tuple[int | None, int, int]:
    """The places of participant, stimulus and score; None if no column has the role participant."""
    *who, stimulus, score = table.places([roles[role] for role in SCORES if role in roles])
    return (who[0] if who else None), stimulus, score


def _check_means(source: str, stimuli: Sequence[str]) -> None:
    """Raise BadInputError if a stimulus has several scores, but there is no column for participants."""
    counts = Counter(stimuli)
    if several := [name for name, count in counts.items() if count > 1]:
        raise BadInputError(
            f"{source} has {counts[several[0]]} scores of the stimulus {several[0]!r}, but no column has the role "
            "participant; name it, such as participant=COLUMN, or give one row per stimulus."
        )


def _leading(word: str, scale: Scale) -> float:
    """The figure that a word such as `5 - Excellent` begins with; else the lowest score."""
    figure = re.match(r"\d+", word)
    return float(figure.group()) if figure else scale.low


def read_scores(path: Path, roles: Mapping[str, str], reading: Reading, *, elsewhere: frozenset[str]) -> ScoreVotes:
    """Reads the votes of a table whose columns have these roles; a column named in `elsewhere` may be missing.

    Raises BadInputError, with line, column, value and remedy, if a vote has no participant or stimulus, its score is
    not on the scale, or a stimulus has votes under two sites.
    """
    with open_delimited(path, expected=roles.values()) as table:
        votes = _read(table, roles, reading, elsewhere)
    if not votes.score:
        reason = "every score is missing" if votes.rows else "there is no row below the header"
        raise BadInputError(f"{path} has no vote: {reason}.")
    return votes


def _nameless(names: Sequence[tuple[Names, int | None]], cells: Sequence[str]) -> CellError | None:
    for name_of, place in names:
        try:
            _ = name_of[cells[place]] if place is not None else ""
        except CellError as error:
            return error
    return None


def _read(table: Delimited, roles: Mapping[str, str], reading: Reading, elsewhere: frozenset[str]) -> ScoreVotes:
    p, s, v = _places(table, roles)
    spellings = {role: Spellings(role, lambda: table.line) for role in (*roles, "participant") if role != "score"}
    labels = {
        role: Labels(role, roles[role], spellings[role], one_alone=role == "site")
        for role in OPTIONAL
        if role in roles and not (roles[role] in elsewhere and roles[role] not in table.names)
    }
    extra = list(zip(labels.values(), table.places([roles[role] for role in labels]), strict=True))
    people, stimuli = (Names(role, roles.get(role, ""), spellings[role]) for role in ("participant", "stimulus"))
    values = _Values(roles["score"], reading, comma=table.decimal_comma)
    participant: list[str] = []
    stimulus: list[str] = []
    score: list[float] = []
    rows = 0
    try:
        for cells in table.rows():
            rows += 1
            value = values[cells[v]]
            if value is None:
                continue
            participant.append(NOBODY if p is None else people[cells[p]])
            stimulus.append(stimuli[cells[s]])
            score.append(value)
            for column_labels, place in extra:
                column_labels.add(stimulus[-1], cells[place])
    except CellError as error:
        # the score of a row without a name, as of totals, needs no cure
        error = _nameless([(people, p), (stimuli, s)], cells) or error
        raise table.error(f"{error}{HEADING if rows <= HEADINGS and error.is_text else ''}") from error
    if p is None:
        _check_means(table.source, stimulus)
    labels_of = {role: each.labels() for role, each in labels.items()}
    sites, conditions = labels_of.get("site"), labels_of.get("condition")
    notices = (
        *([ONE_EACH] if p is None else []),
        *table.notices,
        *(notice for each in spellings.values() for notice in each.notices()),
    )
    missing = rows - len(score)
    return ScoreVotes(participant, stimulus, score, sites, conditions, rows, missing, table.delimiter, notices)
