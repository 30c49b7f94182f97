"""Finds values that the schema accepts but a frozen study cannot store, with their path and a message.

These are numbers that are not finite, control characters, lone surrogates, whole numbers written as fractions, names
that end with a line break, invisible texts, and marks that reorder the visible text.
"""

import math
from collections.abc import Iterator
from typing import Any

from eyelevel_core.characters import named, outside_ascii, visible
from eyelevel_core.contracts.sentences import Form, Problem, Where

# embeddings, overrides and isolates of text that runs from right to left
REORDERING = frozenset(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A))))
WHITE = "\t\n\r"


def unstorable(value: Any, where: Where = ()) -> Iterator[Problem]:
    """Yields each number that is not finite, and each text with forbidden or only invisible characters."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from unstorable(key, where)
            yield from unstorable(item, (*where, key))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from unstorable(item, (*where, number))
    elif isinstance(value, float) and not math.isfinite(value):
        yield Problem(where, f"is {value}, but must be a finite number.")
    elif isinstance(value, str):  # a name of a field too
        odd = next((letter for letter in value if letter not in WHITE and (letter < " " or _surrogate(letter))), None)
        if odd is not None:
            yield Problem(where, f"contains the character U+{ord(odd):04X}, which text cannot contain; remove it.")
        elif value and not visible(value):
            yield Problem(
                where, f"shows nothing, as it is only {outside_ascii(value) or 'white space'}; write the text."
            )
        elif (odd := next((letter for letter in value if letter in REORDERING), None)) is not None:
            yield Problem(where, f"contains {named(odd)}, which reorders the visible text; delete it.")


def imprecise(value: Any, form: Form, where: Where = ()) -> Iterator[Problem]:
    """Yields each whole number that is written as a fraction, and each name that ends with a line break.

    `value` is valid by the schema `form`, to which 6.0 is an integer and whose patterns ignore a final line break.
    """
    if isinstance(value, dict):
        for key, part in form.get("properties", {}).items():
            if key in value:
                yield from imprecise(value[key], part, (*where, key))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from imprecise(item, form.get("items", {}), (*where, number))
    elif isinstance(value, float) and form.get("type") == "integer":
        yield Problem(where, f"is {value}, but must be a whole number; write {value:.0f}.")
    elif isinstance(value, str) and "pattern" in form and value.endswith("\n"):
        yield Problem(where, "ends with a line break; remove it.")


def _surrogate(letter: str) -> bool:
    return "\ud800" <= letter <= "\udfff"
