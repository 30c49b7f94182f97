"""Parses the figure in a cell, and says what to write for one in another spelling."""

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
    """Whether a cell seems to be one figure with a decimal comma."""
    return _DECIMAL_COMMA.fullmatch(text) is not None


def decimal_comma(text: str) -> str:
    """Why a figure with a comma is not read, and what to do."""
    instead = f"write {_decimal(text)}" if has_decimal_comma(text) else "write decimal points"
    if _LIKE_THOUSANDS.fullmatch(text):
        instead += f" (or {text.replace(',', '')} if the comma separates thousands)"
    return (
        f"Decimal commas are read only where commas do not separate cells; {instead}, or separate cells by semicolons."
    )


def number(text: str, *, comma: bool) -> float | None:
    """The figure in a cell, with a decimal comma if allowed; None where it is none."""
    try:
        return float(text.replace(",", ".") if comma else text) if "_" not in text else None
    except ValueError:
        return None


def cure_of(text: str, *, comma: bool) -> str:
    """What to write for a cell that is no figure, as a sentence; empty where it seems to be text.

    `comma` says whether figures may have a decimal comma.
    """
    if _ERROR.fullmatch(text):
        return "It is an error of a spreadsheet; correct its formula, or empty the cell."
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
    """A figure without the separator of its thousands."""
    return whole.replace(separator, "") + (f".{fraction}" if fraction else "")
