"""Finds texts in a line of YAML that need quotes, and the indentation that a line should have."""

import re
from collections.abc import Sequence

from eyelevel_core.contracts.written import field, quoted

FIELD = re.compile(r"[\w-]+:\s+")
BRACKETS = ("[", "{")
COLON = "the text has a colon; put it in quotes: "


def second_colon(line: str, at: int) -> str | None:
    """Returns the sentence about a text that contains a colon `at` this place."""
    begins = _value(line)
    if begins is None or begins > at:
        return None
    return f"{COLON}{line[:begins].lstrip(' -')}{quoted(_text(line[begins:]))}."


def after_quote(line: str, at: int) -> str | None:
    """Returns the sentence about a text that continues after a quote or a bracket before `at`."""
    begins = _value(line) or len(line) - len(line.lstrip(" -"))
    value, rest = _text(line[begins:]), _text(line[at:])
    if begins < at and value[:1] in BRACKETS:
        if rest and not rest.strip("]} "):
            return f"the line has one {rest[0]} more than it opens; delete it."
        whole = f"{line[:begins].lstrip(' -')}{quoted(value)}"
        return f"the text goes on after the closing bracket; put it in quotes: {whole}."
    if value[:1] not in tuple("\"'") or value[0] not in line[begins + 1 : at]:
        return None
    return _whole(value)


def in_brackets(line: str, start: int, at: int, closes: str) -> str | None:
    """Returns the sentence about a text in brackets that has a colon or a quote `at` this place, or just before it.

    The entries begin at `start`.
    """
    inner, at = line[start : line.rfind(closes)], at - start
    entries = [(match.start(), match.end(), match[1]) for match in re.finditer(r"(?:^|,)\s*([\w-]+):\s+", inner)]
    entries = entries or [(0, 0, "")]
    number = max((place for place, (_, begins, _) in enumerate(entries) if begins <= at), default=0)
    _, begins, name = entries[number]
    ends = entries[number + 1][0] if number + 1 < len(entries) else len(inner)
    text = inner[begins:ends].strip()
    if text[:1] in tuple("\"'") and text[0] in text[1 : max(at - begins, 0)]:
        return _whole(text)
    if not name or inner[at : at + 1] != ":":
        return None
    word = re.search(r"\s([\w-]+)$", inner[begins:at])
    comma = f", or write the comma missing before {word[1]}" if word else ""
    return f"{COLON}{field(name, quoted(text), alone=len(entries) == 1)}{comma}."


def nearest(lines: Sequence[str], number: int) -> int | None:
    """Returns the indentation that a line should have, by the lines above it; None if it has it, or there are none."""
    line, fitting, limit = lines[number], list[int](), len(lines[number]) + 1
    indentation, is_entry = _spaces(line), line.lstrip().startswith("- ")
    for above in reversed(lines[:number]):
        dashes = re.match(r" *(?:- +)*", above)
        if dashes is None or not above.strip() or above.lstrip().startswith("#") or _spaces(above) >= limit:
            continue
        if is_entry:
            fitting += [place for place, letter in enumerate(dashes[0]) if letter == "-"]
        elif re.match(r"[\w-]+:(\s|$)", above[dashes.end() :]):
            fitting.append(dashes.end())
        limit = _spaces(above)
    best = min(fitting, key=lambda spaces: (abs(spaces - indentation), -spaces), default=indentation)
    return None if best == indentation else best


def indented(line: str, spaces: int) -> str:
    """Returns a sentence about the indentation of a line, without its full stop."""
    count = _spaces(line)
    begins = f"the line begins with {count} space{'' if count == 1 else 's'}"
    if not spaces:
        return f"{begins}, but the lines beside it with none; delete {'it' if count == 1 else 'them'}"
    return f"{begins}, but the lines beside it with {spaces}; write {spaces}"


def _whole(text: str) -> str:
    kind = "single" if quoted(text).startswith("'") else "double"
    return f"the text goes on after the closing quote; put {kind} quotes around the whole text: {quoted(text)}."


def _value(line: str) -> int | None:
    """Where the value of a field begins."""
    begins = len(line) - len(line.lstrip(" -"))
    match = FIELD.match(line, begins)
    return None if match is None else match.end()


def _text(value: str) -> str:
    return re.split(r"\s#", value)[0].strip()


def _spaces(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
