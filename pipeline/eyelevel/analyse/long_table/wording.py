"""The words for choices and missing values in tables from other sources."""

import re
from enum import StrEnum

_WHOLE = re.compile(r"[+-]?[0-9]{1,6}(\.0*)?")


class Choice(StrEnum):
    """A participant's choice between two stimuli."""

    LEFT = "left"
    RIGHT = "right"
    NONE = "none"


# defaults, in lower case; without numbers, because their meaning differs between tables
WORDS = {
    **dict.fromkeys(("left", "l", "first", "a"), Choice.LEFT),
    **dict.fromkeys(("right", "r", "second", "b"), Choice.RIGHT),
    **dict.fromkeys(
        ("none", "tie", "tied", "equal", "same", "neither", "both", "draw", "no difference", "no_difference"),
        Choice.NONE,
    ),
}
MISSING = frozenset({"", "na", "n/a", "#n/a", "<na>", "nan", "null", "."})
# these may be names or answers, but never numbers
NO_FIGURE = MISSING | {"none", "-", "--", "?"}


def is_missing(text: str) -> bool:
    """Returns whether a name or an answer is marked as unknown: empty, NA, NaN, null or a dot."""
    return text.strip().casefold() in MISSING


def no_figure(text: str) -> bool:
    """Returns whether a number is marked as unknown: as for names, and also None, a dash or `?`."""
    return text.strip().casefold() in NO_FIGURE


def key_of(text: str) -> str:
    """Normalises a word or a whole number for comparison with those of an option: lower case, 1.0 as 1."""
    word = text.strip().casefold()
    return f"{float(word):g}" if _WHOLE.fullmatch(word) else word
