"""A study file: from YAML text to a value that keeps its contract, every error with its field and line.

Text and values in, values and errors out: both the capture machine and the platform check with this.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import yaml
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from eyelevel_core.contracts.check import ContractError, _sentence, check, schema
from eyelevel_core.study.design import block_schema, trial_count, written_out
from eyelevel_core.study.fit import loose, unfit
from eyelevel_kinds import KINDS

CONTRACT = "study.1"
MAX_BYTES = 1 << 20
PLACEHOLDER = re.compile(r"\{[^{}]*\}")

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

    Beyond the schema: every text exists in every language of the study; keys of contexts, groups, questions, choices,
    control questions and hypotheses are unique; a block names nothing twice, only contexts of the study and networks
    of its contexts, pairs two different stacks, and repeats no more trials than it has; the right answer of a control
    question is one of its choices, and its turn comes before the end; a recruiter's address takes the completion code;
    every number is finite, and every whole number is written as one.
    """
    try:
        _check_fit(value, source)
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


def _check_fit(value: Any, source: str) -> None:
    for where, sentence in unfit(value):
        raise ContractError(f"{source}: {dotted(where) or 'the file'} {sentence}", where)


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
        items: list[Mapping[str, Any]] = [*({} for _ in range(number)), block_schema(kind)]
        wrapped = {"type": "object", "properties": {"trials": {"prefixItems": items}}}
        error = best_match(Draft202012Validator(wrapped).iter_errors({"trials": blocks[: number + 1]}))
        if error is not None:
            raise ContractError(_sentence(error, source), tuple(error.absolute_path))


def _check_sense(study: Mapping[str, Any], source: str) -> None:
    for where, sentence in _contradictions(study):
        raise ContractError(f"{source}: {sentence}", where)


def _contradictions(study: Mapping[str, Any]) -> Iterator[tuple[Where, str]]:
    for where, sentence in _loose(study):
        yield where, f"{dotted(where)} {sentence}"
    for where, text in _texts(study, schema(CONTRACT), ()):
        for language in study["languages"]:
            if not text.get(language, "").strip():
                yield where, f"{dotted(where)} lacks its text in {language}, which languages lists."
    yield from _same_keys(study)
    networks = {context["key"]: context["networks"] for context in study["contexts"]}
    for number, block in enumerate(study["trials"]):
        yield from _of_block(("trials", number), block, networks)
    for number, key in enumerate(networks):
        if all(key not in block.get("contexts", [key]) for block in study["trials"]):
            sentence = f"contexts[{number}] ({key}) is in no block; name it in a block's contexts or drop it."
            yield ("contexts", number), sentence
    yield from _of_groups(study.get("groups", []))
    yield from _of_control_questions(study)


def _loose(study: Mapping[str, Any]) -> Iterator[tuple[Where, str]]:
    yield from loose(study, schema(CONTRACT))
    for number, block in enumerate(study["trials"]):
        yield from loose(block, block_schema(block["kind"]), ("trials", number))


def _texts(value: Any, form: Mapping[str, Any], where: Where) -> Iterator[tuple[Where, Mapping[str, str]]]:
    """Every text of the study: what the contract has languages for the keys of."""
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from _texts(item, form.get("items", {}), (*where, number))
    elif isinstance(value, dict):
        if "propertyNames" in form:
            yield where, value
        for key, part in form.get("properties", {}).items():
            if key in value:
                yield from _texts(value[key], part, (*where, key))


def _same_keys(study: Mapping[str, Any]) -> Iterator[tuple[Where, str]]:
    controls = study.get("controls", {}).get("questions", [])
    lists: dict[Where, list[Any]] = {
        ("contexts",): study["contexts"],
        ("groups",): study.get("groups", []),
        ("questions",): study.get("questions", []),
        ("controls", "questions"): controls,
        ("plan", "hypotheses"): study.get("plan", {}).get("hypotheses", []),
    }
    for place in (("questions",), ("controls", "questions")):
        for number, question in enumerate(lists[place]):
            lists[*place, number, "choices"] = question["choices"]
    for where, items in lists.items():
        yield from _repeated(where, (item["key"] for item in items))


def _of_groups(groups: Iterable[Mapping[str, Any]]) -> Iterator[tuple[Where, str]]:
    for number, group in enumerate(groups):
        address = group.get("recruiter", {}).get("return_url")
        if address is None:
            continue
        where: Where = ("groups", number, "recruiter", "return_url")
        places = PLACEHOLDER.findall(address)
        if "{code}" not in places:
            yield where, f"{dotted(where)} lacks {{code}}, by which the recruiter learns the completion code; add it."
        for other in sorted(set(places) - {"{code}"}):
            yield where, f"{dotted(where)} has {other}, which nothing replaces; only {{code}} is replaced."


def _of_control_questions(study: Mapping[str, Any]) -> Iterator[tuple[Where, str]]:
    trials = trial_count(written_out(study))
    for number, question in enumerate(study.get("controls", {}).get("questions", [])):
        where: Where = ("controls", "questions", number)
        choices = [choice["key"] for choice in question["choices"]]
        if question["right"] not in choices:
            names = f"{question['right']}, which is none of its choices {', '.join(choices)}"
            yield (*where, "right"), f"{dotted((*where, 'right'))} is {names}; name one of them."
        if question.get("after", 0) > trials:
            asked = f"{question['after']}, but a participant has only {trials} trials"
            yield (*where, "after"), f"{dotted((*where, 'after'))} is {asked}; write {trials} or less."


def _repeated(where: Where, keys: Iterable[str]) -> Iterator[tuple[Where, str]]:
    seen: set[str] = set()
    for number, key in enumerate(keys):
        if key in seen:
            yield (*where, number), f"{dotted(where)} has {key} twice; every key must be another."
        seen.add(key)


def _of_block(
    where: Where, block: Mapping[str, Any], networks: Mapping[str, Iterable[str]]
) -> Iterator[tuple[Where, str]]:
    """`networks` are those of each context, by its key."""
    for field in ("sites", "networks", "stacks"):
        yield from _repeated((*where, field), block.get(field, []))
    contexts = block.get("contexts", list(networks))
    for number, context in enumerate(contexts):
        if context not in networks:
            sentence = f"{dotted((*where, 'contexts'))} has {context}, but contexts has only {', '.join(networks)}."
            yield (*where, "contexts", number), sentence
    known = sorted({network for context in contexts for network in networks.get(context, [])})
    for number, network in enumerate(block.get("networks", [])):
        if network not in known:
            yield (
                (*where, "networks", number),
                f"{dotted((*where, 'networks'))} has {network}, which no context of the block has; "
                f"they have {', '.join(known)}.",
            )
    if block.get("repeats", 0) > block["count"]:
        asked = f"{block['repeats']}, but the block has only {block['count']} trials to repeat"
        yield (*where, "repeats"), f"{dotted((*where, 'repeats'))} is {asked}; lower it or raise count."
    for at, culprit, says in KINDS[block["kind"]].contradictions(block):
        yield (*where, *at), f"{dotted((*where, *culprit))} {says}"


def dotted(where: Where) -> str:
    """A field's path as people write it: `contexts[0].label`."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in where).lstrip(".")
