"""Finds unquoted texts that YAML does not read as they look: cut off by #, or in typographic quotes."""

import re
from collections.abc import Sequence

import yaml

from eyelevel_core.characters import named
from eyelevel_core.contracts.written import quoted
from eyelevel_core.study.yaml_messages import LineFault

TEXT = "tag:yaml.org,2002:str"
OPENING, CLOSING = "\u201c\u201d\u201e\u00ab\u00bb\u2018\u2019\u201a", "\u201d\u201c\u00bb\u00ab\u2019\u2018"
# characters of the name of a language; fields with such a name are texts for people
LANGUAGE = 2
_COMMENT = re.compile(r"([ \t]+)(#(?:.*\S)?)")
_CONTINUED = re.compile(r"( +)(#[^#\s](?:.*\S)?)")
# as people write comments
_SPACED = re.compile(r"#+(?:\s|$)")


def misread(node: yaml.ScalarNode, name: str, lines: Sequence[str], column: int) -> LineFault | None:
    """Returns the fault in the text of a field, or of an entry of a list, which has no `name`; begins at `column`."""
    if node.style:
        return None
    begins = f"{name}: " if name else ""
    return _in_quotes(node, begins) or _cut_off(node, name, begins, lines) or _cut_below(node, begins, lines, column)


def _in_quotes(node: yaml.ScalarNode, begins: str) -> LineFault | None:
    """A text that stands as a whole between typographic quotes."""
    first, inner, last = node.value[:1], node.value[1:-1].strip(), node.value[1:][-1:]
    if node.tag != TEXT or not last or first not in OPENING or last not in CLOSING or first in inner:
        return None
    says = (
        f"the text stands between {named(first)} and {named(last)}, which YAML does not read as quotes; write "
        f"{begins}{quoted(inner)}, or, to keep them, {begins}{quoted(node.value)}."
    )
    return LineFault(node.start_mark.line + 1, node.start_mark.column + 1, says)


def _cut_off(node: yaml.ScalarNode, name: str, begins: str, lines: Sequence[str]) -> LineFault | None:
    """A text that is followed by # without the spaces that set a comment apart: two before it, and one after it.

    One space before it is enough behind a single word, which is no sentence.
    """
    end = node.end_mark
    comment = _COMMENT.match(lines[end.line], end.column) if end.line < len(lines) else None
    if comment is None or (node.tag != TEXT and node.value):
        return None
    sentence = " " in node.value or len(name) == LANGUAGE
    if _SPACED.match(comment[2]) and not (node.value and sentence and comment[1] == " "):
        return None
    return _lost(node, begins, comment, end.line)


def _cut_below(node: yaml.ScalarNode, begins: str, lines: Sequence[str], column: int) -> LineFault | None:
    """A text whose next line would continue it, but begins with # and no space."""
    below = node.end_mark.line + 1
    continued = _CONTINUED.match(lines[below]) if node.tag == TEXT and below < len(lines) else None
    return None if continued is None or len(continued[1]) <= column else _lost(node, begins, continued, below)


def _lost(node: yaml.ScalarNode, begins: str, match: re.Match[str], line: int) -> LineFault:
    between = " " if line > node.end_mark.line else match[1]
    whole = quoted(f"{node.value}{between}{match[2]}" if node.value else match[2])
    says = (
        f"YAML reads {quoted(match[2])} as a comment, so it is lost; put the whole text in quotes: {begins}{whole}. If "
        f"it is a comment, write {'' if line > node.end_mark.line else 'two spaces before # and '}one after it."
    )
    return LineFault(line + 1, match.start(2) + 1, says)
