"""A study file as a researcher wrote it, with the line of every field for the sentence that names it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from eyelevel_core.study.study import Lines, StudyError, Where, check_study, line_of, parse_study


@dataclass(frozen=True)
class Draft:
    """A study file that keeps its contract, and where its fields stand; `source` names it in errors."""

    design: Mapping[str, Any]
    lines: Lines
    source: str

    def error(self, message: str, where: Where = ()) -> StudyError:
        """An error at this field, or at the nearest one above it that is written down."""
        line = line_of(where, self.lines)
        place = self.source if line is None else f"{self.source}, line {line}"
        return StudyError(f"{place}: {message}", where, line)


def read_draft(text: str, *, source: str) -> Draft:
    """Parse and check a study file; raises StudyError."""
    design, lines = parse_study(text, source=source)
    check_study(design, source=source, lines=lines)
    return Draft(design, lines, source)
