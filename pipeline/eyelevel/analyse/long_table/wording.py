"""The words by which tables of other people write choices and missing values."""

from enum import StrEnum


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
MISSING = frozenset({"", "na", "n/a", "nan", "null", "."})


def is_missing(text: str) -> bool:
    """Whether a cell says that a value is unknown: empty, NA, NaN, null or a dot."""
    return text.strip().casefold() in MISSING
