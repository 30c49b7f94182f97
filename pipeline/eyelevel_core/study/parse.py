"""Parses a study file from YAML, and records the line of every field.

The C parser of PyYAML (all its wheels have it) takes linear time for what stays within the limits: its pure-Python
parser needs 5 s for 8,000 opening brackets. Values are those of JSON, as in YAML 1.2: the numbers to base 60 of YAML
1.1 take quadratic time, and its tags stop Python with all kinds of errors.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from eyelevel_core.contracts.check import ContractError, Where
from eyelevel_core.contracts.json_text import MAX_NUMBER

MAX_BYTES = 256 * 1024
# levels of mappings and lists; a study file needs fewer than ten
MAX_DEPTH = 50

TRUTH = re.compile(r"(?:true|True|TRUE|false|False|FALSE)$")
NOTHING = re.compile(r"(?:~|null|Null|NULL|)$")
WHOLE = re.compile(r"[-+]?(?:0|[1-9][0-9]*)$")
FRACTION = re.compile(
    r"[-+]?(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$"
)

# the line, from 1, on which each field is written
Lines = Mapping[Where, int]


class StudyError(ContractError):
    """A study file is wrong; `where` is the field, `line` its line in the file, None where it is not known."""

    def __init__(self, message: str, where: Where = (), line: int | None = None) -> None:
        super().__init__(message, where)
        self.line = line


class Loader(yaml.CSafeLoader):
    """Reads what is not quoted as truth value, nothing, decimal number, or text: no dates, and no merged mappings."""

    yaml_implicit_resolvers: dict[Any, Any] = {  # noqa: RUF012 - typed as in its base
        # whatever the first letter; the first that matches
        None: [
            ("tag:yaml.org,2002:bool", TRUTH),
            ("tag:yaml.org,2002:null", NOTHING),
            ("tag:yaml.org,2002:int", WHOLE),
            ("tag:yaml.org,2002:float", FRACTION),
        ]
    }


def parse_study(text: str, *, source: str) -> tuple[Any, Lines]:
    """The value of a YAML text, and the lines of its fields; raises StudyError.

    Aliases are rejected, because a short file could expand without limit, and so are tags, long numbers, and keys that
    are no text or are written twice.
    """
    size = len(text.encode(errors="surrogatepass"))
    if size > MAX_BYTES:
        raise StudyError(f"{source}: has {size} bytes, but a study file has at most {MAX_BYTES}; shorten it.")
    try:
        _scan(text, source)
        loader = Loader(text)
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
    """Raise StudyError at the first thing that a study file may not contain, before anything is built."""
    depth = 0
    for event in yaml.parse(text, Loader=Loader):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if fault := _fault(event, depth):
            line = event.start_mark.line + 1 if event.start_mark else None
            raise StudyError(f"{source}, line {line}: {fault}.", line=line)


def _fault(event: yaml.Event, depth: int) -> str | None:
    if isinstance(event, yaml.AliasEvent):
        return f"uses the alias *{event.anchor}; write the value out"
    if tag := getattr(event, "tag", None):
        return f"uses the tag {tag.replace('tag:yaml.org,2002:', '!!')}; leave it out"
    if depth > MAX_DEPTH:
        return f"is nested deeper than {MAX_DEPTH} levels; a study file needs fewer than ten"
    if isinstance(event, yaml.ScalarEvent) and event.implicit[0] and _is_long_number(event.value):
        return f"a number has {len(event.value)} characters, but at most {MAX_NUMBER} are read; shorten it"
    return None


def _is_long_number(text: str) -> bool:
    return len(text) > MAX_NUMBER and bool(WHOLE.match(text) or FRACTION.match(text))


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
            line = key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarNode):
                raise StudyError(f"{source}, line {line}: the name of a field is no text; write one.", where, line)
            # as in JSON, also where it looks like a number
            key.tag = "tag:yaml.org,2002:str"
            name = key.value
            if name in seen:
                sentence = f"{name} is written twice, first in line {seen[name]}; keep one."
                raise StudyError(f"{source}, line {line}: {sentence}", (*where, name), line)
            seen[name] = line
            yield from _lines(child, (*where, name), source)
            yield (*where, name), line  # a reader looks for the key, not for the start of its value
    elif isinstance(node, yaml.SequenceNode):
        for number, child in enumerate(node.value):
            yield from _lines(child, (*where, number), source)
