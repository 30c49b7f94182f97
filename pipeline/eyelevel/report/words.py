"""Formats of numbers for reports."""

from collections.abc import Callable, Mapping
from typing import Any

from eyelevel_core.model.metrics import LABELS
from eyelevel_core.tables import Format

MINUS = "−"
# keeps a number and its unit on one line
NBSP = "\u00a0"


def signed(value: float, digits: int = 0, unit: str = "") -> str:
    """Formats a number with a sign, and a typographic minus; a number that rounds to 0 has no sign."""
    text = f"{abs(value):,.{digits}f}"
    sign = "" if float(text.replace(",", "")) == 0 else (MINUS if value < 0 else "+")
    return f"{sign}{text}{unit}"


def percent(value: float | None) -> str:
    """Formats a fraction as a signed percentage, with two significant digits if it is small."""
    if value is None:
        return "–"
    return signed(100 * value, 0 if abs(value) >= 0.0995 else 1, f"{NBSP}%")


def interval(low: float | None, high: float | None) -> str:
    return "–" if low is None or high is None else f"{percent(low)} to {percent(high)}"


def share(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}{NBSP}%"


def p_value(value: float | None) -> str:
    if value is None:
        return "–"
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def said_p(value: float | None) -> str:
    """Formats a p-value for a sentence, after "p": = 0.031, or < 0.001."""
    shown = p_value(value).replace(" ", NBSP)
    return f"{NBSP}{shown}" if shown.startswith("<") else f"{NBSP}={NBSP}{shown}"


def ms(value: float | None) -> str:
    return "–" if value is None else f"{value:,.0f}".replace("-", MINUS)


def signed_ms(value: float | None) -> str:
    return "–" if value is None else signed(value, 1 if abs(value) < 9.95 else 0)


def amount(value: float | None, unit: str) -> str:
    """Formats a value that may be 0, in ms or as a plain number with three decimals."""
    return ms(value) if unit or value is None else f"{value:.3f}".replace("-", MINUS)


def count(value: float | None) -> str:
    return "–" if value is None else f"{value:,.0f}"


def kilobytes(value: float | None) -> str:
    return "–" if value is None else f"{value / 1000:,.0f}"


def decimal(value: float | None) -> str:
    return "–" if value is None else signed(value, 2).removeprefix("+")


def text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "–" if value is None else str(value)


def listed(names: list[str]) -> str:
    """Joins names: a, b and c."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def sentence_case(words: str) -> str:
    return words[:1].upper() + words[1:]


def plural(number: int, one: str, many: str | None = None) -> str:
    return f"{number:,}{NBSP}{one if number == 1 else many or one + 's'}"


def duration(seconds: float) -> str:
    """Formats a duration in seconds, minutes or hours."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def one_decimal(value: float | None) -> str:
    return "–" if value is None else f"{value:,.1f}".replace("-", MINUS)


def precise(value: float | None) -> str:
    """Formats a number with three decimals, or with none from 10 on."""
    return "–" if value is None else f"{value:,.{3 if abs(value) < 10 else 0}f}".replace("-", MINUS)


def metric(key: str) -> str:
    return LABELS.get(key, key)


# by the names that declared columns use
FORMATS: Mapping[Format, Callable[[Any], str]] = {
    "text": text,
    "group": text,
    "count": count,
    "decimal": decimal,
    "precise": precise,
    "share": share,
    "percent": percent,
    "ms": ms,
    "signed_ms": signed_ms,
    "p": p_value,
    "metric": metric,
}
