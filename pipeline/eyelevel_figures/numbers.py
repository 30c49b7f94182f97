"""Number formats in English and German."""

from typing import Literal

from eyelevel_stats.rows.words import level_percent

Language = Literal["en", "de"]
LANGUAGES: tuple[Language, ...] = ("en", "de")
UNKNOWN = "–"
MINUS = "−"


def decimal(value: float | None, digits: int, language: Language) -> str:
    """Formats a number with these decimals and a real minus; a value that rounds to 0 has no sign."""
    if value is None:
        return UNKNOWN
    text = f"{abs(value):,.{digits}f}"
    zero = not text.strip("0.,")
    return ("" if zero or value >= 0 else MINUS) + _localised(text, language)


def signed(value: float | None, digits: int, language: Language) -> str:
    """Formats the same with a plus sign if the value is above 0."""
    text = decimal(value, digits, language)
    if value is None or value <= 0 or not text.strip("0.,"):
        return text
    return f"+{text}"


def percent(value: float | None, language: Language) -> str:
    """Formats a fraction as a whole percentage."""
    return UNKNOWN if value is None else f"{decimal(100 * value, 0, language)}\u00a0%"


def plain(value: float, language: Language) -> str:
    """Formats a value at an axis: at most four significant digits."""
    text = f"{abs(value):,.4g}" if abs(value) < 10_000 else f"{abs(value):,.0f}"
    return (MINUS if value < 0 else "") + _localised(text, language)


def level(value: float, language: Language) -> str:
    """Formats the level of an interval as a percentage, never 100 % for a level below 1."""
    return f"{_localised(level_percent(value), language)}\u00a0%"


def _localised(text: str, language: Language) -> str:
    return text if language == "en" else text.translate(str.maketrans(",.", ".,"))
