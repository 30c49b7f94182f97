"""Parses the number in a cell, and suggests a spelling for a number that cannot be parsed."""

import re

from eyelevel_core.characters import plain

_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+")
_LIKE_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")
_ERROR = re.compile(r"#[A-Z/0]+[!?]")
_FIGURE = r"[+-]?\d+(?:[.,]\d+)?"
_UNITS = "%|ms|s|us|min|h|px|fps|dB|Hz|kHz|MHz|B|[kKMG]i?B|bytes|bit|[kMG]?bit/s|[kMG]?bps|points?"
_WITH_UNIT = re.compile(rf"({_FIGURE}) ?({_UNITS})")
_THOUSANDS = re.compile(r"([+-]?\d{1,3}(?:([ ',.])\d{3})(?:\2\d{3})*)(?:[.,](\d+))?")
_SEVERAL = re.compile(rf"({_FIGURE}) ?(?:/|-|:|of|out of) ?{_FIGURE}")


def has_decimal_comma(text: str) -> bool:
    """Returns whether a cell seems to be one number with a decimal comma."""
    return _DECIMAL_COMMA.fullmatch(text) is not None


def decimal_comma(text: str) -> str:
    """Returns why a number with a decimal comma is not accepted, and what to do."""
    instead = f"write {_decimal(text)}" if has_decimal_comma(text) else "write decimal points"
    if _LIKE_THOUSANDS.fullmatch(text):
        instead += f" (or {text.replace(',', '')} if the comma separates thousands)"
    return (
        f"Decimal commas are accepted only if commas do not separate cells; {instead}, or separate cells by semicolons."
    )


def number(text: str, *, comma: bool) -> float | None:
    """Parses the number in a cell, with a decimal comma if allowed; None if it is not a number."""
    try:
        return float(text.replace(",", ".") if comma else text) if "_" not in text else None
    except ValueError:
        return None


def cure_of(text: str, *, comma: bool) -> str:
    """Returns a sentence that says what to write instead of a cell that is not a number; empty if it seems to be text.

    `comma`: numbers may have a decimal comma.
    """
    if _ERROR.fullmatch(text):
        return "It is an error value of a spreadsheet; correct its formula, or empty the cell."
    seen = plain(text).strip("\"' ")
    if (unit := _WITH_UNIT.fullmatch(seen)) is not None:
        return f"Write {_decimal(unit[1])} without {unit[2]}."
    if _SEVERAL.fullmatch(seen):
        return "It is two numbers; write one."
    if not comma and has_decimal_comma(text):
        return decimal_comma(text)
    parts = _THOUSANDS.fullmatch(seen)
    meant = _joined(*parts.groups()) if parts else _decimal(seen.replace("_", ""))
    return f"Write {meant}." if number(meant, comma=False) is not None and meant != text else ""


def _decimal(figure: str) -> str:
    return figure.replace(",", ".")


def _joined(whole: str, separator: str, fraction: str | None) -> str:
    """Returns a number without thousands separators."""
    return whole.replace(separator, "") + (f".{fraction}" if fraction else "")
