"""The words by which tables of other people write choices and missing values."""

import re
from enum import StrEnum

_WHOLE = re.compile(r"[+-]?[0-9]{1,6}(\.0*)?")


class Choice(StrEnum):
    """What a participant preferred of two stimuli."""

    LEFT = "left"
    RIGHT = "right"
    NONE = "none"


# by default, without regard to case; bare figures mean different things in different tables, so none is here
WORDS = {
    **dict.fromkeys(("left", "l", "first", "a"), Choice.LEFT),
    **dict.fromkeys(("right", "r", "second", "b"), Choice.RIGHT),
    **dict.fromkeys(
        ("none", "tie", "tied", "equal", "same", "neither", "both", "draw", "no difference", "no_difference"),
        Choice.NONE,
    ),
}
MISSING = frozenset({"", "na", "n/a", "#n/a", "<na>", "nan", "null", "."})
# these may be names or answers, but never figures
NO_FIGURE = MISSING | {"none", "-", "--", "?"}


def is_missing(text: str) -> bool:
    """Whether a cell with a name or an answer says that it is unknown: empty, NA, NaN, null or a dot."""
    return text.strip().casefold() in MISSING


def no_figure(text: str) -> bool:
    """Whether a cell of figures says that the figure is unknown: as for names, and also None, a dash or `?`."""
    return text.strip().casefold() in NO_FIGURE


def key_of(text: str) -> str:
    """A word or a whole number as it is compared with those of an option: in any case, 1.0 as 1."""
    word = text.strip().casefold()
    return f"{float(word):g}" if _WHOLE.fullmatch(word) else word
