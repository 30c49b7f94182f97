"""Numbers as people read them in English and German."""

from typing import Literal

from eyelevel_stats.rows.words import level_percent

Language = Literal["en", "de"]
LANGUAGES: tuple[Language, ...] = ("en", "de")
UNKNOWN = "–"
MINUS = "−"


def decimal(value: float | None, digits: int, language: Language) -> str:
    """With so many digits after the point or comma, and a real minus; what rounds to 0 has no sign."""
    if value is None:
        return UNKNOWN
    text = f"{abs(value):,.{digits}f}"
    zero = not text.strip("0.,")
    return ("" if zero or value >= 0 else MINUS) + _localised(text, language)


def signed(value: float | None, digits: int, language: Language) -> str:
    """The same with a plus where the value is above 0."""
    text = decimal(value, digits, language)
    if value is None or value <= 0 or not text.strip("0.,"):
        return text
    return f"+{text}"


def percent(value: float | None, language: Language) -> str:
    """A fraction as a whole percentage."""
    return UNKNOWN if value is None else f"{decimal(100 * value, 0, language)}\u00a0%"


def plain(value: float, language: Language) -> str:
    """A value at an axis: at most four meaningful digits."""
    text = f"{abs(value):,.4g}" if abs(value) < 10_000 else f"{abs(value):,.0f}"
    return (MINUS if value < 0 else "") + _localised(text, language)


def level(value: float, language: Language) -> str:
    """The level of an interval as a percentage, never 100 % for one below 1."""
    return f"{_localised(level_percent(value), language)}\u00a0%"


def _localised(text: str, language: Language) -> str:
    return text if language == "en" else text.translate(str.maketrans(",.", ".,"))
