"""Parses a study file from YAML, and records the line of every field.

The C parser of PyYAML (all its wheels have it) takes linear time for what stays within the limits: its pure-Python
parser needs 5 s for 8,000 opening brackets.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from eyelevel_core.contracts.check import ContractError
from eyelevel_core.study.storable import Where

MAX_BYTES = 256 * 1024
# levels of mappings and lists; a study file needs fewer than ten
MAX_DEPTH = 50

# the line, from 1, on which each field is written
Lines = Mapping[Where, int]


class StudyError(ContractError):
    """A study file is wrong; `where` is the field, `line` its line in the file, None where it is not known."""

    def __init__(self, message: str, where: Where = (), line: int | None = None) -> None:
        super().__init__(message, where)
        self.line = line


def parse_study(text: str, *, source: str) -> tuple[Any, Lines]:
    """The value of a YAML text, and the lines of its fields; raises StudyError.

    Aliases are rejected, because a short file could expand without limit, and so are duplicate keys.
    """
    size = len(text.encode(errors="surrogatepass"))
    if size > MAX_BYTES:
        raise StudyError(f"{source}: has {size} bytes, but a study file has at most {MAX_BYTES}; shorten it.")
    try:
        _scan(text, source)
        loader = yaml.CSafeLoader(text)
        root = loader.get_single_node()
        if root is None:
            return None, {}
        lines = dict(_lines(root, (), source))
        return loader.construct_document(root), lines
    except ContractError:  # a ValueError too, but with its own sentence
        raise
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        at = mark.line + 1 if mark else None
        place = f"{source}, line {at}" if at else source
        raise StudyError(f"{place}: this is not valid YAML: {error.problem}.", line=at) from error
    except (yaml.YAMLError, ValueError) as error:
        raise StudyError(f"{source}: this is not valid YAML: {' '.join(str(error).split())}.") from error


def _scan(text: str, source: str) -> None:
    """Raise StudyError at the first alias, and at the first field nested too deeply, before anything is built."""
    depth = 0
    for event in yaml.parse(text, Loader=yaml.CSafeLoader):
        line = event.start_mark.line + 1 if event.start_mark else None
        if isinstance(event, yaml.AliasEvent):
            raise StudyError(f"{source}, line {line}: uses the alias *{event.anchor}; write the value out.", line=line)
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > MAX_DEPTH:
            raise StudyError(
                f"{source}, line {line}: is nested deeper than {MAX_DEPTH} levels; a study file needs fewer than ten.",
                line=line,
            )


def line_of(where: Where, lines: Lines) -> int | None:
    """The line of a field, or of the nearest parent that is written in the file."""
    while where and where not in lines:
        where = where[:-1]
    return lines.get(where)


def dotted(where: Where) -> str:
    """A field's path as people write it: `contexts[0].label`."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in where).lstrip(".")


def _lines(node: yaml.Node, where: Where, source: str) -> Iterator[tuple[Where, int]]:
    yield where, node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        seen: dict[str, int] = {}
        for key, child in node.value:
            line, name = key.start_mark.line + 1, str(key.value)
            if name in seen:
                sentence = f"{name} is written twice, first in line {seen[name]}; keep one."
                raise StudyError(f"{source}, line {line}: {sentence}", (*where, name), line)
            seen[name] = line
            yield from _lines(child, (*where, name), source)
            yield (*where, name), line  # a reader looks for the key, not for the start of its value
    elif isinstance(node, yaml.SequenceNode):
        for number, child in enumerate(node.value):
            yield from _lines(child, (*where, number), source)
