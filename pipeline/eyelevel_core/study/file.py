"""Reads a study file: parsed, checked and resolved once, with the line of every field for error messages."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from eyelevel_core.contracts.check import ContractError, Where
from eyelevel_core.study.check import check_study
from eyelevel_core.study.design import Design
from eyelevel_core.study.parse import Lines, StudyError, line_of, parse_study


@dataclass(frozen=True)
class StudyFile:
    """A valid study file; `source` names it in errors.

    `written` is the value as the researcher wrote it, `resolved` the same with every default applied (what freezing
    stores), and `design` the resolved value as dataclasses.
    """

    written: Mapping[str, Any]
    resolved: Mapping[str, Any]
    design: Design
    lines: Lines
    source: str

    def stated(self, field: str) -> frozenset[int]:
        """Numbers of the blocks whose author wrote this field."""
        return frozenset(number for number, block in enumerate(self.written["trials"]) if field in block)

    def error(self, message: str, where: Where = ()) -> StudyError:
        """An error at this field, or at its nearest parent that is written in the file."""
        line = line_of(where, self.lines)
        place = self.source if line is None else f"{self.source}, line {line}"
        return StudyError(f"{place}: {message}", where, line)


def read_study_file(text: str, *, source: str) -> StudyFile:
    """Parse, check and resolve a study file; raises StudyError."""
    value, lines = parse_study(text, source=source)
    try:
        resolved, design = check_study(value, source=source)
    except ContractError as error:
        raise _located(error, source, lines) from error
    return StudyFile(value, resolved, design, lines, source)


def _located(error: ContractError, source: str, lines: Lines) -> StudyError:
    line = line_of(error.where, lines)
    message = str(error)
    if line is not None:
        message = f"{source}, line {line}{message.removeprefix(source)}"
    return StudyError(message, error.where, line)
