"""Reads a study file: parses, checks and resolves it, with the line of every field for error messages."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from eyelevel_core.characters import foreign
from eyelevel_core.contracts.sentences import Problem, Where, displayed, dotted, sentence
from eyelevel_core.study.check import WrongStudyError, check_study
from eyelevel_core.study.design import Design
from eyelevel_core.study.names import Names
from eyelevel_core.study.parse import Fault, Lines, StudyError, line_of, parse_study

# largest number of faults of a file that are listed
SHOWN = 30


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
        """Returns the numbers of the blocks in which the author wrote this field."""
        return frozenset(number for number, block in enumerate(self.written["trials"]) if field in block)

    def error(self, message: str, where: Where = ()) -> StudyError:
        """Returns an error at this field, or at its nearest parent that is written in the file."""
        return StudyError([Fault(message, where, line_of(where, self.lines))], source=self.source)


def read_study_file(text: str, *, source: str, names_of: Callable[[str], Names | None] | None = None) -> StudyFile:
    """Parses, checks and resolves a study file; raises StudyError with all faults.

    `names_of` returns the names of a batch, or None if there is no such batch; with it, the names in the study are
    checked as well.
    """
    parsed = parse_study(text, source=source)
    names, faults = None, [*parsed.twice, *parsed.misread]
    explained = {fault.where for fault in parsed.misread}
    batch = parsed.value.get("batch") if isinstance(parsed.value, dict) else None
    if names_of is not None and isinstance(batch, str):
        names = names_of(batch)
        if names is None:
            faults.append(Fault(_no_batch(batch), ("batch",), line_of(("batch",), parsed.lines)))
            explained.add(("batch",))
    try:
        resolved, design = check_study(parsed.value, source=source, names=names)
    except WrongStudyError as error:
        unexplained = [problem for problem in error.problems if problem.where not in explained]
        faults += [_fault(problem, error.renamed, parsed.lines) for problem in unexplained]
    else:
        if not faults:
            return StudyFile(parsed.value, resolved, design, parsed.lines, source)
    # a line is missing only where it is that of the whole file
    faults.sort(key=lambda fault: fault.line or 0)
    if len(faults) > SHOWN:
        faults[SHOWN:] = [Fault(f"there are more faults; correct these {SHOWN} first.")]
    raise StudyError(faults, source=source)


def _no_batch(name: str) -> str:
    """Returns the sentence about a batch that the platform does not have."""
    return (
        f"batch is {displayed(name)}, but this platform has no batch with this digest or campaign; upload it first."
        f"{foreign(name)}"
    )


def _fault(problem: Problem, renamed: Mapping[Where, Where], lines: Lines) -> Fault:
    written = problem.where
    for length in range(len(written), 0, -1):
        if written[:length] in renamed and written not in lines:
            written = (*renamed[written[:length]], *written[length:])
            break
    says, beside = sentence(problem), problem.beside
    if beside is not None and beside in lines:
        says = says.replace(f" {dotted(beside)} ", f" {dotted(beside)} (line {lines[beside]}) ", 1)
    return Fault(says, problem.where, line_of(written, lines))
