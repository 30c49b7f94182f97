"""Writes texts as they stand in a YAML file, for sentences that show the corrected value."""

import json
import re
from collections.abc import Sequence

from eyelevel_core.characters import plain
from eyelevel_core.contracts.json_text import MAX_NUMBER

# characters of a text that a sentence shows
SHOWN = 80
# letters that are taken for digits
_DIGITS = str.maketrans("OoIl", "0011")


class WrittenInt(int):
    """A whole number that prints as it stands in the file; as JSON it is the number alone."""

    text: str

    def __str__(self) -> str:
        return self.text


class WrittenFloat(float):
    """The same of a number with a point or an exponent."""

    text: str

    def __str__(self) -> str:
        return self.text


def as_written(number: float, text: str) -> float:
    """Returns the number, which keeps its text where JSON would write another one."""
    if json.dumps(number) == text:
        return number
    written = WrittenInt(number) if isinstance(number, int) else WrittenFloat(number)
    written.text = text
    return written


def number_meant(text: str, *, whole: bool) -> str | None:
    """Returns the number that a text was probably meant to be; None if it is not a number."""
    if len(text) > MAX_NUMBER:
        return None
    seen = plain(text).strip().rstrip(",;.%").replace("_", "")
    seen = re.sub(r"(?<=\d)[,'](?=\d{3}(?:\D|$))", "", seen)
    if re.fullmatch(r"0(?:[xX][0-9a-fA-F]+|[oO][0-7]+|[bB][01]+)", seen):
        return str(int(seen, 0))
    digits = seen.translate(_DIGITS)
    if any(letter.isdecimal() for letter in seen) and digits.isdecimal():
        return str(int(digits))
    if not whole and re.fullmatch(r"[+-]?\d+[.,]\d+", seen):
        return seen.replace(",", ".")
    return None


def cut(text: str, most: int = SHOWN) -> str:
    """Returns the text, shortened if it is long."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def quoted(text: str) -> str:
    """Returns the text in double quotes, or in single quotes if it contains double ones."""
    text = cut(text)
    return f'"{text}"' if '"' not in text and "\\" not in text else "'{}'".format(text.replace("'", "''"))


def inline(text: str) -> str:
    """Returns the text as an entry in brackets, quoted if necessary."""
    safe = re.fullmatch(r"[^\W\d_][^,:#\[\]{}\"'\n]*", text) and text == text.strip()
    return cut(text) if safe and text.lower() not in ("true", "false", "null") else quoted(text)


def field(name: str, value: str, *, alone: bool) -> str:
    """Returns a field with its value, in braces if it is the only one of its group."""
    written = f"{name}: {value}"
    return f"{{{written}}}" if alone else written


def texts(text: str, languages: Sequence[str]) -> str:
    """Returns one text per language, of which the first is known."""
    return f"{{{', '.join([f'{languages[0]}: {inline(text)}', *(f'{language}: ...' for language in languages[1:])])}}}"
