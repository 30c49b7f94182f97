"""Explains why a text is not valid YAML: line, column, and a sentence with the correction instead of the parser's."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import yaml

from eyelevel_core.characters import is_odd_space, named
from eyelevel_core.contracts.written import quoted
from eyelevel_core.study.yaml_lines import after_quote, in_brackets, indented, nearest, second_colon

# looks like the colon after a field's name
COLONS = "：∶ː﹕"
# looks like the sign before the entry of a list
DASHES = "‐‑‒–—−⁃•‣◦▪●·∙"
# a text that begins with one of these needs quotes
RESERVED = "@`%&*!|>?"
TAB = "the line is indented with a tab, but YAML needs spaces; replace each tab with spaces."
UTF16 = "the file looks like UTF-16; save it as UTF-8."
BULLET = " in place of -; write - and a space."
SHOWN = 40


class LineFault(NamedTuple):
    """A sentence about a line; line and column count from 1, and are None for the whole file."""

    line: int | None
    column: int | None
    says: str


def unreadable(text: str) -> LineFault | None:
    """Returns the first character that YAML cannot contain, or None."""
    for number, line in enumerate(text.split("\n"), start=1):
        for place, letter in enumerate(line):
            if _is_unreadable(letter):
                many = "\0" in text[:200] and text[:200].count("\0") > len(text[:200]) / 4
                if many:
                    return LineFault(None, None, UTF16)
                says = f"the line contains the character U+{ord(letter):04X}; remove it."
                return LineFault(number, place + 1, says)
    return None


def _is_unreadable(letter: str) -> bool:
    code = ord(letter)
    if code < 0x20:
        return letter not in "\t\r"
    return (0x7F <= code < 0xA0 and code != 0x85) or 0xD800 <= code < 0xE000 or code in (0xFFFE, 0xFFFF)


def odd_name(name: str, lines: Sequence[str], number: int) -> LineFault | None:
    """Returns the fault of a field name that contains a look-alike of a space; `number` is that of its line."""
    line = lines[number - 1] if number <= len(lines) else ""
    if name[:1] in tuple(DASHES) and name[1:2] == " ":
        return _dash(line, number)
    letter = next((letter for letter in name if is_odd_space(letter)), None)
    if letter is None:
        return None
    return LineFault(number, line.find(letter) + 1, _of_odd(letter, line))


def explained(error: yaml.MarkedYAMLError, text: str) -> LineFault:
    """Returns the fault that caused an error of the parser."""
    lines = text.splitlines()
    mark, context = error.problem_mark or error.context_mark, error.context_mark or error.problem_mark
    if mark is None or context is None:
        return LineFault(1, None, "the text cannot be read as YAML; check its indentation, quotes and colons.")
    at, since = min(mark.line, max(len(lines) - 1, 0)), context.line
    # the cause of a parser error is often before its position
    for number in dict.fromkeys((since, at - 1, at)):
        if 0 <= number < len(lines) and (fault := _misleading(lines[number], number + 1)):
            return fault
    begins, place = LineFault(since + 1, context.column + 1, ""), LineFault(at + 1, mark.column + 1, "")
    problem, line = error.problem or "", lines[at] if lines else ""
    if "',' or" in problem:
        return _open_bracket(error.context or "", lines, begins, place)
    if "expected ':'" in problem:
        return _no_colon(lines, since)
    if problem.startswith("mapping values"):
        return _second_colon(lines, at, mark.column + 1)
    if "unexpected end of stream" in problem:
        place, said = begins, "the line opens a quote that is not closed; add the closing quote."
    elif "tab character" in problem or line[mark.column : mark.column + 1] == "\t":
        said = TAB
    else:
        said = _of_problem(error, lines, at, mark.column)
    return place._replace(says=said)


def _of_problem(error: yaml.MarkedYAMLError, lines: Sequence[str], at: int, column: int) -> str:
    problem, context, letter = error.problem or "", error.context or "", _char(error, lines)
    line = lines[at] if lines else ""
    if "another document" in problem:
        return "the line begins a second document (---); a study file has only one."
    if "quoted scalar" in context:
        return (
            "the line has a backslash in double quotes that stands for no character; double it, or use single quotes."
        )
    if "block sequence entries" in problem:
        return "the line begins a list behind a colon; write each - on its own line."
    said = f"the line cannot be read as YAML: {_shown(line)}; check its indentation, quotes and colons."
    if "block scalar" in context:
        said = f"the line has text behind {letter}; begin the text on the next line, or put it in quotes."
    elif letter == "*" and line.lstrip().startswith("* "):
        said = f"the line begins with *{BULLET}"
    elif letter and letter in RESERVED:
        said = f"the line has a text that begins with {letter}; put the text in quotes."
    elif "node content" in problem:
        said = "the line lacks a value at this place; write one, or delete the comma or bracket."
    elif problem.endswith("expected key") and (whole := after_quote(line, column)):
        said = whole
    elif problem.endswith(("expected key", "'-' indicator")):
        fits = "indent it like the other fields or entries of its group"
        said = f"the line does not fit the lines above: {_shown(line)}; {fits}."
        if (spaces := nearest(lines, at)) is not None:
            said = f"{indented(line, spaces)}."
    return said


def _misleading(line: str, number: int) -> LineFault | None:
    """A space or colon that only looks like one, where YAML needs a real one."""
    indent = re.match(r"\s*", line)
    beside = [match for match in (indent, *re.finditer(r"[-:,](\W)", line)) if match is not None]
    for match in beside:
        for place in range(match.start(), match.end()):
            if is_odd_space(line[place]) and not (number == 1 and place == 0):
                return LineFault(number, place + 1, _of_odd(line[place], line))
    if line.startswith("\ufeff", 0 if number > 1 else 1):
        return LineFault(number, 1, _of_odd("\ufeff", line))
    if (dash := _dash(line, number)) is not None:
        return dash
    if colon := re.search(f"^[\\s-]*[\\w-]+([{COLONS}])", line):
        says = f"the line has {named(colon[1])} in place of a colon; write : and a space."
        return LineFault(number, colon.start(1) + 1, says)
    tab = re.match(r" *(?:- *)?(\t)", line)
    return None if tab is None else LineFault(number, tab.start(1) + 1, TAB)


def _dash(line: str, number: int) -> LineFault | None:
    """A dash or bullet that is not the sign of YAML before an entry."""
    match = re.match(f" *([{DASHES}])\\s", line)
    if match is None:
        return None
    return LineFault(number, match.start(1) + 1, f"the line begins with {named(match[1])}{BULLET}")


def _of_odd(letter: str, line: str) -> str:
    indent = line[: len(line) - len(line.lstrip())]
    where = "is indented with" if letter in indent else "has"
    seen = "YAML does not read as a space" if letter.isspace() else "cannot be seen"
    if line.count(letter) == 1:
        cure = "replace it with a space" if letter.isspace() else "delete it"
        return f"the line {where} {named(letter)}, which {seen}; {cure}."
    name, code = named(letter).split(" ", 1)[1].rsplit(" ", 1)
    cure = "replace each with a space" if letter.isspace() else "delete each"
    return f"the line {where} {name} characters {code}, which {seen.replace('a space', 'spaces')}; {cure}."


def _open_bracket(context: str, lines: Sequence[str], begins: LineFault, at: LineFault) -> LineFault:
    """A list or group in brackets that is not closed, or has a text that needs quotes."""
    opens, closes, what, parts = (
        ("[", "]", "list", "entries") if "sequence" in context else ("{", "}", "group", "fields")
    )
    number, column = (at.line or 1) - 1, (at.column or 1) - 1
    line = lines[number] if number < len(lines) else ""
    same = at.line == begins.line
    if closes in line[column:] and (same or opens not in line[column:]):
        start = begins.column or 1 if same else 0
        said = in_brackets(line, start, column, closes)
        return at._replace(says=said or f"the line lacks a comma between two {parts}; write it.")
    opened = lines[(begins.line or 1) - 1]
    if (lost := re.search(rf"\s(#.*\{closes}.*)", opened[begins.column :])) is not None:
        says = (
            f"YAML reads {quoted(lost[1].rstrip())} as a comment, so the {what} opened with {opens} is not closed; put "
            "the text that contains # in quotes."
        )
        return LineFault(begins.line, (begins.column or 0) + lost.start(1) + 1, says)
    cure = f"write {closes} at its end, or the comma missing between two {parts}"
    return begins._replace(says=f"the {what} opened here with {opens} is not closed; {cure}.")


def _no_colon(lines: Sequence[str], number: int) -> LineFault:
    line = lines[number] if number < len(lines) else ""
    if match := re.match(r"[\s-]*[\w-]+:(?=\S)", line):
        said = f"the line has no space after the colon: {_shown(line)}; add a space."
        return LineFault(number + 1, match.end(), said)
    return LineFault(number + 1, None, f"the line has no colon: {_shown(line)}; write a field as NAME: VALUE.")


def _second_colon(lines: Sequence[str], number: int, column: int) -> LineFault:
    """A colon in a text without quotes, or a field below a field that has a value already."""
    line = lines[number]
    if whole := second_colon(line, column - 1):
        return LineFault(number + 1, column, whole)
    above = next((place for place in range(number - 1, -1, -1) if lines[place].strip()), None)
    if above is not None and not re.search(r":(\s|$)", lines[above]):
        return _no_colon(lines, above)
    or_text = "or, if it continues a text with a colon, put the text in quotes"
    if (spaces := nearest(lines, number)) is not None:
        return LineFault(number + 1, None, f"{indented(line, spaces)}, {or_text}.")
    said = f"the line is indented below a line that has a value already: {_shown(line)}"
    return LineFault(number + 1, None, f"{said}; indent it like that line, {or_text}.")


def _char(error: yaml.MarkedYAMLError, lines: Sequence[str]) -> str:
    """The character at which the text begins that could not be read."""
    mark = error.problem_mark if "cannot start" in (error.problem or "") else error.context_mark
    if mark is None or mark.line >= len(lines):
        return ""
    return lines[mark.line][mark.column : mark.column + 1]


def _shown(line: str) -> str:
    text = line.strip()
    return f'"{text}"' if len(text) <= SHOWN else f'"{text[: SHOWN - 3]}..."'
