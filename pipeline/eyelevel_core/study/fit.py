"""What YAML can write, the schema lets pass and a frozen study cannot hold: where, and a sentence's rest about it."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

# the path of a field from the root
Where = tuple[str | int, ...]
WHITE = "\t\n\r"


def unfit(value: Any, where: Where = ()) -> Iterator[tuple[Where, str]]:
    """Each number that is not finite, and each text with a control character or half of a surrogate pair."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from unfit(key, where)
            yield from unfit(item, (*where, key))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from unfit(item, (*where, number))
    elif isinstance(value, float) and not math.isfinite(value):
        yield where, f"is {value}, but must be a finite number."
    elif isinstance(value, str):  # a name of a field too
        odd = next((letter for letter in value if letter not in WHITE and (letter < " " or _half(letter))), None)
        if odd is not None:
            yield where, f"has the character U+{ord(odd):04X}, which is no text; take it out."


def loose(value: Any, form: Mapping[str, Any], where: Where = ()) -> Iterator[tuple[Where, str]]:
    """Each whole number that is written as a fraction, and each name that ends with a line break.

    `value` keeps the schema `form`, to which 6.0 is an integer and whose patterns overlook a last line break.
    """
    if isinstance(value, dict):
        for key, part in form.get("properties", {}).items():
            if key in value:
                yield from loose(value[key], part, (*where, key))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from loose(item, form.get("items", {}), (*where, number))
    elif isinstance(value, float) and form.get("type") == "integer":
        yield where, f"is {value}, but must be a whole number; write {value:.0f}."
    elif isinstance(value, str) and "pattern" in form and value.endswith("\n"):
        yield where, "ends with a line break; take it out."


def _half(letter: str) -> bool:
    return "\ud800" <= letter <= "\udfff"
