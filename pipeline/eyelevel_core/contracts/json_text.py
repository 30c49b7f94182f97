"""Reads JSON from outside, with errors for values that Python cannot read or a database cannot store."""

import json
import math
from typing import Any, NoReturn

# characters of a number; Python takes quadratic time for a long one
MAX_NUMBER = 40


def parse_json(data: bytes | str) -> Any:
    """Parses a JSON text in UTF-8.

    Raise ValueError, with the reason as a clause, also where the text is nested too deeply, or has a number that is not
    finite or takes more than 64 bits.
    """
    try:
        text = data.decode() if isinstance(data, bytes) else data
        return json.loads(text, parse_int=_whole, parse_float=_fraction, parse_constant=_no_constant)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _whole(text: str) -> int:
    _check_length(text)
    value = int(text)
    if not -(2**63) <= value < 2**63:
        raise ValueError(f"the number {text} takes more than 64 bits")
    return value


def _fraction(text: str) -> float:
    _check_length(text)
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"the number {text} is larger than any that can be stored")
    return value


def _check_length(text: str) -> None:
    if len(text) > MAX_NUMBER:
        raise ValueError(f"a number has {len(text)} characters, but at most {MAX_NUMBER} are read")


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value; write null for unknown")
