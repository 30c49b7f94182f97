"""A study file as a researcher wrote it, with the line of every field for the sentence that names it."""

from dataclasses import dataclass
from typing import Any

from eyelevel_contracts.study import MAX_BYTES, Lines, StudyError, Where, check_study, line_of, parse_study

SOURCE = "study"

__all__ = ["MAX_BYTES", "SOURCE", "Draft", "StudyError", "dotted", "read"]


@dataclass(frozen=True)
class Draft:
    """A study file that keeps its contract, and where its fields stand."""

    design: dict[str, Any]
    lines: Lines

    def error(self, message: str, where: Where = ()) -> StudyError:
        """An error at this field, or at the nearest one above it that is written down."""
        line = line_of(where, self.lines)
        place = SOURCE if line is None else f"{SOURCE}, line {line}"
        return StudyError(f"{place}: {message}", where, line)


def read(text: str) -> Draft:
    """Parse and check a study file; raises StudyError."""
    design, lines = parse_study(text, source=SOURCE)
    check_study(design, source=SOURCE, lines=lines)
    return Draft(design, lines)


def dotted(where: Where) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in where).lstrip(".")
