"""Parsers of the options about a long table: roles of columns, the scale, and words for choices and scores."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

from eyelevel.analyse.long_table.wording import Choice, key_of
from eyelevel_core.suggestions import did_you_mean

# the roles that a table of scores, and each form of a table of pairs, needs
SCORES = ("participant", "stimulus", "score")
# a table with one score per stimulus, such as its MOS
MEANS = ("stimulus", "score")
PAIRS = (
    ("participant", "left", "right", "choice"),
    ("participant", "left", "right", "winner"),
    ("participant", "winner", "loser"),
)
OPTIONAL = ("site", "condition")
ROLES = ("participant", "stimulus", "score", "left", "right", "choice", "winner", "loser", *OPTIONAL)
LONG = (
    "A long table has one row per vote, with a column for the participant, one for the stimulus and one for the score."
)
# a comma that is followed by another ROLE=; so a column's name may contain commas
_NEXT = re.compile(r",(?=[^,=]+=)")
_WORD_SCORE = re.compile(r"\s*([^,\s].*?)\s*=\s*([+-]?\d+(?:\.\d+)?)\s*(?:,|$)")


@dataclass(frozen=True)
class Scale:
    """The lowest and the highest score that participants could give."""

    low: float
    high: float

    def __str__(self) -> str:
        return f"{exact(self.low)}:{exact(self.high)}"


def exact(value: float) -> str:
    """Returns a number with all of its digits."""
    return f"{value:g}" if float(f"{value:g}") == value else repr(value)


def parse_columns(text: str) -> dict[str, str]:
    """Returns the column of each role, from `participant=P,stimulus=C,score=S`; raises ValueError with a message."""
    roles: dict[str, str] = {}
    for part in _NEXT.split(text):
        role, equals, column = (piece.strip() for piece in part.partition("="))
        if not equals or not column:
            raise ValueError(f"{part.strip()!r} is not of the form ROLE=COLUMN, such as participant=subject.")
        if role not in ROLES:
            known = ", ".join(ROLES)
            raise ValueError(f"the role {role!r} is unknown; the roles are {known}.{did_you_mean(role, ROLES)}")
        if role in roles:
            raise ValueError(f"the role {role} is given twice, as {roles[role]!r} and {column!r}; keep one.")
        if column in roles.values():
            raise ValueError(f"the column {column!r} has two roles; each role needs a separate column.")
        roles[role] = column
    _complete(roles)
    return roles


def _complete(roles: Mapping[str, str]) -> None:
    forms = (SCORES, *PAIRS)
    given = set(roles) - set(OPTIONAL)
    if given == set(MEANS):
        return
    if given in (set(form) for form in forms):
        if "score" not in given and (unused := [role for role in OPTIONAL if role in roles]):
            raise ValueError(f"the role {unused[0]} applies only to scores; pairs are analysed without it.")
        return
    nearest = min(forms, key=lambda form: (len(given ^ set(form)), forms.index(form)))
    missing = [role for role in nearest if role not in given]
    too_many = sorted(given - set(nearest))
    problems = [f"the role {role} is missing" for role in missing]
    fitting = ", ".join(role for role in nearest if role in given)
    problems += [f"{role} cannot be combined with {fitting}" for role in too_many]
    raise ValueError(
        f"{'; '.join(problems)}. {LONG} Give {','.join(f'{role}=COLUMN' for role in SCORES)} for scores, or "
        f"{','.join(f'{role}=COLUMN' for role in PAIRS[0])} for pairs."
    )


def parse_scale(text: str) -> Scale:
    """Parses the scale `LOW:HIGH`; raises ValueError with a message."""
    low_text, colon, high_text = text.partition(":")
    try:
        low, high = float(low_text), float(high_text)
    except ValueError:
        colon = ""
        low = high = math.nan
    if not colon or not (math.isfinite(low) and math.isfinite(high)):
        raise ValueError(f"{text!r} is not of the form LOW:HIGH, such as 1:5.")
    if low >= high:
        raise ValueError(f"{text!r} ends at {high:g}, which is not above {low:g}; give the lowest score first.")
    return Scale(low, high)


def parse_choices(text: str) -> dict[str, Choice]:
    """Returns the meaning of each word of a table of pairs, from `left=1,right=0`; raises ValueError with a message."""
    words: dict[str, Choice] = {}
    for part in text.split(","):
        side, equals, word = (piece.strip() for piece in part.partition("="))
        if not equals or side not in tuple(Choice):
            raise ValueError(f"{part.strip()!r} is not of the form left=WORD, right=WORD or none=WORD.")
        if key_of(word) in words:
            raise ValueError(f"{word!r} is given two meanings; keep one.")
        words[key_of(word)] = Choice(side)
    return words


def parse_scores(text: str) -> dict[str, float]:
    """Returns the score of each word, from `bad=1,poor=2`; raises ValueError with a message.

    A word may contain commas.
    """
    words: dict[str, float] = {}
    place = 0
    while match := _WORD_SCORE.match(text, place):
        if key_of(match[1]) in words:
            raise ValueError(f"{match[1]!r} is given two scores; keep one.")
        words[key_of(match[1])] = float(match[2])
        place = match.end()
    if place < len(text) or not words:
        raise ValueError(f"{text[place:].strip()!r} is not of the form WORD=SCORE, such as bad=1,poor=2.")
    return words


def parse_missing(text: str) -> frozenset[str]:
    """Returns the words or numbers that mark a missing score, from `-1,99`; raises ValueError with a message."""
    words = [part.strip() for part in text.split(",")]
    if not all(words):
        raise ValueError(f"{text!r} is not a list of values that mark a missing score, such as -1,99.")
    return frozenset(key_of(word) for word in words)
