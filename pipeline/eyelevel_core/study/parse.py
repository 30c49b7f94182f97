"""Parses a study file from YAML, and records the line of every field.

The C parser of PyYAML (all its wheels have it) takes linear time for what stays within the limits: its pure-Python
parser needs 5 s for 8,000 opening brackets. Values are those of JSON, as in YAML 1.2: the numbers to base 60 of YAML
1.1 take quadratic time, and its tags stop Python with all kinds of errors.
"""

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import yaml

from eyelevel_core.characters import looks_like_utf16
from eyelevel_core.contracts.check import ContractError
from eyelevel_core.contracts.json_text import MAX_NUMBER
from eyelevel_core.contracts.sentences import Where
from eyelevel_core.contracts.written import as_written
from eyelevel_core.study.yaml_messages import UTF16, LineFault, explained, odd_name, unreadable
from eyelevel_core.study.yaml_texts import misread

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


@dataclass(frozen=True)
class Fault:
    """A fault of a study file: a sentence, the field, and its line; None where it is not known."""

    says: str
    where: Where = ()
    line: int | None = None
    column: int | None = None


class StudyError(ContractError):
    """A study file is wrong; the text has a line for each of `faults`; `where` and `line` are those of the first."""

    def __init__(self, faults: Sequence[Fault], *, source: str) -> None:
        super().__init__("\n".join(_with_place(fault, source) for fault in faults), faults[0].where)
        self.faults = faults
        self.line = faults[0].line


def _with_place(fault: Fault, source: str) -> str:
    line = "" if fault.line is None else f", line {fault.line}"
    column = "" if fault.column is None else f", column {fault.column}"
    return f"{source}{line}{column}: {fault.says}"


@dataclass(frozen=True)
class Parsed:
    """The value of a study file, the line of each field, and faults of fields that are written twice or misread.

    Other faults of a misread field are a consequence.
    """

    value: Any
    lines: Lines
    twice: Sequence[Fault] = ()
    misread: Sequence[Fault] = ()


@dataclass(frozen=True)
class _Text:
    """The lines of a file, and faults in its fields: written twice, named with an odd space, or misread."""

    lines: Sequence[str]
    twice: list[Fault] = field(default_factory=list)
    odd: list[Fault] = field(default_factory=list)
    misread: list[Fault] = field(default_factory=list)


class Loader(yaml.CSafeLoader):
    """Reads unquoted values as boolean, null, decimal number or text; without dates and merged mappings."""

    yaml_implicit_resolvers: dict[Any, Any] = {  # noqa: RUF012 - typed as in its base
        # whatever the first letter; the first that matches
        None: [
            ("tag:yaml.org,2002:bool", TRUTH),
            ("tag:yaml.org,2002:null", NOTHING),
            ("tag:yaml.org,2002:int", WHOLE),
            ("tag:yaml.org,2002:float", FRACTION),
        ]
    }


def _number(loader: Loader, node: yaml.ScalarNode) -> float:
    """Returns a number that messages print as it is written in the file."""
    if node.tag.endswith("int"):
        return as_written(loader.construct_yaml_int(node), node.value)
    return as_written(loader.construct_yaml_float(node), node.value)


for kind in ("int", "float"):
    Loader.add_constructor(f"tag:yaml.org,2002:{kind}", _number)


def decoded(data: bytes, *, source: str) -> str:
    """Decodes a study file; raises StudyError if it is not UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        says = "the file is not UTF-8 text; save it as UTF-8."
        if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) or looks_like_utf16(data):
            raise StudyError([Fault(UTF16)], source=source) from error
        raise StudyError([Fault(says, line=data[: error.start].count(b"\n") + 1)], source=source) from error


def parse_study(text: str, *, source: str) -> Parsed:
    """Parses a YAML text, with the lines of its fields; raises StudyError where it cannot be read at all.

    Anchors and aliases are rejected, because a short file could expand without limit, and so are tags, long numbers,
    and keys that are not text.
    """
    size = len(text.encode(errors="surrogatepass"))
    if size > MAX_BYTES:
        says = f"the file has {size} bytes, but a study file has at most {MAX_BYTES}; shorten it."
        raise StudyError([Fault(says)], source=source)
    if (unread := unreadable(text)) is not None:
        raise _error(source, unread)
    try:
        _scan(text, source)
        loader = Loader(text)
        root = loader.get_single_node()
        if root is None or (isinstance(root, yaml.ScalarNode) and NOTHING.fullmatch(root.value) and not root.style):
            begins = "the file holds no study; write one" if text.strip() else "the file is empty; write a study"
            raise StudyError([Fault(f"{begins}, as docs/guides/write-a-study.md shows.")], source=source)
        names = _Text(text.splitlines())
        lines = dict(_lines(root, (), names, source))
        if names.odd:
            # the fields are not in the groups in which their author sees them
            raise StudyError(names.odd, source=source)
        return Parsed(loader.construct_document(root), lines, names.twice, names.misread)
    except ContractError:  # a ValueError too, but with its own sentence
        raise
    except yaml.MarkedYAMLError as error:
        raise _error(source, explained(error, text)) from error
    except (yaml.YAMLError, ValueError) as error:
        says = "cannot be read as YAML; check its characters, indentation and quotes."
        raise StudyError([Fault(says)], source=source) from error


def _error(source: str, at: LineFault) -> StudyError:
    return StudyError([Fault(at.says, line=at.line, column=at.column)], source=source)


def _scan(text: str, source: str) -> None:
    """Raises StudyError at the first construct that a study file may not contain, before any value is built."""
    depth = 0
    for event in yaml.parse(text, Loader=Loader):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if fault := _fault(event, depth):
            line = event.start_mark.line + 1 if event.start_mark else None
            raise StudyError([Fault(f"{fault}.", line=line)], source=source)


def _fault(event: yaml.Event, depth: int) -> str | None:
    quotes = ", or, if it begins a text, put the text in quotes"
    if isinstance(event, yaml.AliasEvent):
        return f"the line uses the alias *{event.anchor}; write the value out{quotes}"
    if anchor := getattr(event, "anchor", None):
        return f"the line uses the anchor &{anchor}; write the value at each place where it is needed{quotes}"
    if tag := getattr(event, "tag", None):
        return f"the line uses the tag {tag.replace('tag:yaml.org,2002:', '!!')}; leave it out{quotes}"
    if depth > MAX_DEPTH:
        return f"the line is nested deeper than {MAX_DEPTH} levels; a study file needs fewer than ten"
    if isinstance(event, yaml.ScalarEvent) and event.implicit[0] and _is_long_number(event.value):
        return f"a number has {len(event.value)} characters, but at most {MAX_NUMBER} are read; shorten it"
    return None


def _is_long_number(text: str) -> bool:
    return len(text) > MAX_NUMBER and bool(WHOLE.match(text) or FRACTION.match(text))


def line_of(where: Where, lines: Lines) -> int | None:
    """Returns the line of a field, or of the nearest parent that is written in the file."""
    while where and where not in lines:
        where = where[:-1]
    return lines.get(where)


def _lines(node: yaml.Node, where: Where, text: _Text, source: str, column: int = 0) -> Iterator[tuple[Where, int]]:
    """The lines of a value, whose field or entry begins at `column`."""
    yield where, node.start_mark.line + 1
    if isinstance(node, yaml.ScalarNode):
        name = next((part for part in where[-1:] if isinstance(part, str)), "")
        if (fault := misread(node, name, text.lines, column)) is not None:
            text.misread.append(Fault(fault.says, where, fault.line, fault.column))
    elif isinstance(node, yaml.MappingNode):
        seen: dict[str, int] = {}
        for key, child in node.value:
            line = key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarNode):
                says = "the name of a field is not a text; write one."
                raise StudyError([Fault(says, where, line)], source=source)
            # as in JSON, also where it looks like a number
            key.tag = "tag:yaml.org,2002:str"
            name = key.value
            if name in seen:
                first = "" if seen[name] == line else f", first on line {seen[name]}"
                says = f"{name} is written twice{first}; keep one."
                text.twice.append(Fault(says, (*where, name), line))
            elif (odd := odd_name(name, text.lines, line)) is not None:
                text.odd.append(Fault(odd.says, (*where, name), line, odd.column))
            seen.setdefault(name, line)
            yield from _lines(child, (*where, name), text, source, key.start_mark.column)
            yield (*where, name), line  # a reader looks for the key, not for the start of its value
    elif isinstance(node, yaml.SequenceNode):
        for number, child in enumerate(node.value):
            yield from _lines(child, (*where, number), text, source, node.start_mark.column)
