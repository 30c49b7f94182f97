"""A study file: from YAML text to a value that keeps its contract, every error with its field and line.

Text and values in, values and errors out: both the capture machine and the platform check with this.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import yaml
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from eyelevel_contracts.check import ContractError, _sentence, check, schema
from eyelevel_kinds import KINDS

CONTRACT = "study.1"
MAX_BYTES = 1 << 20

# the path of a field from the root, e.g. ("contexts", 0, "label", "en")
Where = tuple[str | int, ...]
# the line, from 1, at which each field is written
Lines = Mapping[Where, int]


class StudyError(ContractError):
    """A study file is wrong; `where` is the field, `line` its line in the file, null where it is not known."""

    def __init__(self, message: str, where: Where = (), line: int | None = None) -> None:
        super().__init__(message, where)
        self.line = line


def read_study(text: str, *, source: str) -> dict[str, Any]:
    """Parse and check a study file; `source` names it in errors."""
    value, lines = parse_study(text, source=source)
    check_study(value, source=source, lines=lines)
    assert isinstance(value, dict)  # noqa: S101 - the contract says so
    return value


def parse_study(text: str, *, source: str) -> tuple[Any, Lines]:
    """The value that a YAML text stands for, and where its fields are written.

    Aliases are refused, since a short file could stand for an endless one, and so is a key that is written twice.
    """
    if len(text.encode()) > MAX_BYTES:
        raise StudyError(f"{source}: has more than {MAX_BYTES} bytes; a study file is shorter.")
    try:
        for token in yaml.scan(text, Loader=yaml.SafeLoader):
            if isinstance(token, yaml.AliasToken):
                line = token.start_mark.line + 1
                raise StudyError(
                    f"{source}, line {line}: uses the alias *{token.value}; write the value out.", line=line
                )
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        lines = dict(_lines(root, (), source)) if root is not None else {}
        return yaml.safe_load(text), lines
    except ContractError:  # a ValueError too, but one with its sentence
        raise
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        at = mark.line + 1 if mark else None
        place = f"{source}, line {at}" if at else source
        raise StudyError(f"{place}: this is not YAML: {error.problem}.", line=at) from error
    except (yaml.YAMLError, ValueError) as error:
        raise StudyError(f"{source}: this is not YAML: {' '.join(str(error).split())}.") from error
    except RecursionError as error:
        raise StudyError(f"{source}: is nested too deeply.") from error


def check_study(value: Any, *, source: str, lines: Lines | None = None) -> None:
    """Raise StudyError if `value` breaks the contract study.1 or contradicts itself.

    Beyond the schema: every text exists in every language of the study; keys of contexts, questions and choices are
    unique; a block names nothing twice, has a network that one of the contexts has, and pairs two different stacks.
    """
    try:
        _check_kinds(value, source)
        check(value, CONTRACT, source=source)
        _check_sense(value, source)
    except ContractError as error:
        raise _located(error, source, lines or {}) from error


def line_of(where: Where, lines: Lines) -> int | None:
    """The line of a field, or of the nearest one above it that is written down."""
    while where and where not in lines:
        where = where[:-1]
    return lines.get(where)


def _located(error: ContractError, source: str, lines: Lines) -> StudyError:
    line = line_of(error.where, lines)
    message = str(error)
    if line is not None:
        message = f"{source}, line {line}{message.removeprefix(source)}"
    return StudyError(message, error.where, line)


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
            yield (*where, name), line  # a reader looks for the key, not for where its value begins
    elif isinstance(node, yaml.SequenceNode):
        for number, child in enumerate(node.value):
            yield from _lines(child, (*where, number), source)


def block_schema(kind: str) -> dict[str, Any]:
    """The JSON Schema of a block of this kind: the fields that all blocks have, and the kind's own."""
    shared = schema(CONTRACT)["properties"]["trials"]["items"]
    own = KINDS[kind].block
    return {
        "type": "object",
        "additionalProperties": False,
        "required": [*shared["required"], *own.get("required", [])],
        "properties": {**shared["properties"], "kind": {"const": kind}, **own["properties"]},
    }


def _check_kinds(value: Any, source: str) -> None:
    """Check each block by its own kind: what is allowed in it depends on that."""
    blocks = value.get("trials") if isinstance(value, dict) else None
    if not isinstance(blocks, list):
        return
    for number, block in enumerate(blocks):
        if not isinstance(block, dict) or "kind" not in block:
            continue
        kind = block["kind"]
        if not isinstance(kind, str) or kind not in KINDS:
            sentence = f"{source}: trials[{number}].kind is {kind!r}, but must be one of {', '.join(KINDS)}."
            raise ContractError(sentence, ("trials", number, "kind"))
        # named as they stand in the whole file
        items = [{}] * number + [block_schema(kind)]
        wrapped = {"type": "object", "properties": {"trials": {"prefixItems": items}}}
        error = best_match(Draft202012Validator(wrapped).iter_errors({"trials": blocks[: number + 1]}))
        if error is not None:
            raise ContractError(_sentence(error, source), tuple(error.absolute_path))


def _check_sense(study: Mapping[str, Any], source: str) -> None:
    for where, sentence in _contradictions(study):
        raise ContractError(f"{source}: {sentence}", where)


def _contradictions(study: Mapping[str, Any]) -> Iterator[tuple[Where, str]]:
    for where, text in _texts(study):
        for language in study["languages"]:
            if not text.get(language, "").strip():
                yield where, f"{dotted(where)} lacks its text in {language}, which languages lists."
    yield from _repeated(("contexts",), (context["key"] for context in study["contexts"]))
    yield from _repeated(("questions",), (question["key"] for question in study.get("questions", [])))
    for number, question in enumerate(study.get("questions", [])):
        yield from _repeated(("questions", number, "choices"), (choice["key"] for choice in question["choices"]))
    networks = {network for context in study["contexts"] for network in context["networks"]}
    for number, block in enumerate(study["trials"]):
        yield from _of_block(("trials", number), block, networks)


def _texts(study: Mapping[str, Any]) -> Iterator[tuple[Where, Mapping[str, str]]]:
    yield ("title",), study["title"]
    yield ("consent", "text"), study["consent"]["text"]
    if "instructions" in study:
        yield ("instructions",), study["instructions"]
    for number, context in enumerate(study["contexts"]):
        yield ("contexts", number, "label"), context["label"]
    for number, question in enumerate(study.get("questions", [])):
        yield ("questions", number, "label"), question["label"]
        for place, choice in enumerate(question["choices"]):
            yield ("questions", number, "choices", place, "label"), choice["label"]


def _repeated(where: Where, keys: Iterable[str]) -> Iterator[tuple[Where, str]]:
    seen: set[str] = set()
    for number, key in enumerate(keys):
        if key in seen:
            yield (*where, number), f"{dotted(where)} has {key} twice; every key must be another."
        seen.add(key)


def _of_block(where: Where, block: Mapping[str, Any], networks: set[str]) -> Iterator[tuple[Where, str]]:
    for field in ("sites", "networks", "stacks"):
        yield from _repeated((*where, field), block.get(field, []))
    for number, network in enumerate(block.get("networks", [])):
        if network not in networks:
            have = ", ".join(sorted(networks))
            yield (
                (*where, "networks", number),
                f"{dotted((*where, 'networks'))} has {network}, which no context has; they have {have}.",
            )
    for at, field, says in KINDS[block["kind"]].contradictions(block):
        yield (*where, *at), f"{dotted((*where, *field))} {says}"


def dotted(where: Where) -> str:
    """A field's path as people write it: `contexts[0].label`."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in where).lstrip(".")
