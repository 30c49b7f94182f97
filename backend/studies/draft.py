"""A study file as a researcher wrote it: YAML, checked, with the line of every field for the sentence that names it."""

from collections.abc import Iterator
from typing import Any

import yaml

from eyelevel_contracts import ContractError, check

SOURCE = "study"
MAX_BYTES = 1 << 20

Where = tuple[str | int, ...]


class DraftError(Exception):
    """The file is wrong; `line` counts from 1, `field` is dotted."""

    def __init__(self, message: str, *, line: int | None = None, field: str | None = None) -> None:
        super().__init__(message if line is None else f"Line {line}: {message}")
        self.line = line
        self.field = field


class Draft:
    """A study file that keeps its contract, and where its fields stand."""

    def __init__(self, design: dict[str, Any], lines: dict[Where, int]) -> None:
        self.design = design
        self._lines = lines

    def error(self, message: str, where: Where = ()) -> DraftError:
        """An error at this field, or at the nearest one above it that is written down."""
        written = where
        while written not in self._lines and written:
            written = written[:-1]
        return DraftError(message, line=self._lines.get(written), field=dotted(where) or None)


def read(text: str) -> Draft:
    """Parse and check a study file; raises DraftError."""
    if len(text.encode()) > MAX_BYTES:
        raise DraftError(f"The study file has more than {MAX_BYTES} bytes; it is no study file.")
    try:
        if any(isinstance(token, yaml.AliasToken) for token in yaml.scan(text, Loader=yaml.SafeLoader)):
            raise DraftError("The study file uses a YAML alias (*name); write the value out.")
        # first, because it refuses keys that are no plain values
        value = yaml.safe_load(text)
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        lines = dict(_lines(root, ())) if root is not None else {}
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise DraftError(f"This is no YAML: {error.problem}.", line=mark.line + 1 if mark else None) from None
    except (yaml.YAMLError, ValueError) as error:
        raise DraftError(f"This is no YAML: {error}.") from None
    draft = Draft(value, lines)
    try:
        check(value, "study.1", source=SOURCE)
    except ContractError as error:
        raise draft.error(str(error), error.where) from None
    return draft


def dotted(where: Where) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in where).lstrip(".")


def _lines(node: yaml.Node, where: Where) -> Iterator[tuple[Where, int]]:
    yield where, node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            line = key.start_mark.line + 1
            if key.value in seen:
                raise DraftError(f"{dotted((*where, key.value))} is written twice.", line=line, field=key.value)
            seen.add(key.value)
            yield from _lines(value, (*where, key.value))
            # the key's line rather than its value's
            yield (*where, key.value), line
    elif isinstance(node, yaml.SequenceNode):
        for number, item in enumerate(node.value):
            yield from _lines(item, (*where, number))
