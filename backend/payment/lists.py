"""Recruiters' lists of submissions as CSV, and files for import at the recruiter.

Columns and statuses are those of Prolific's export of submissions and of MTurk's batch results for requesters. For any
other recruiter, the researcher chooses the names of the columns.
"""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from eyelevel_core.tables import csv_text
from lib.problems import Problem
from payment.books import Action, Claim, Entry, Status, Why

Name = Literal["prolific", "mturk", "other"]
MAX_ROWS = 20_000


@dataclass(frozen=True)
class Format:
    """Column names of a list; `statuses` are in lower case. Without a status column, all submissions are waiting."""

    person: str
    submission: str
    code: str
    status: str = ""
    statuses: Mapping[str, Status] = field(default_factory=dict)
    # whether people can be asked to return a submission
    can_return: bool = False


PROLIFIC = Format(
    person="Participant id",
    submission="Submission id",
    code="Completion code",
    status="Status",
    statuses={
        "active": Status.RUNNING,
        "reserved": Status.RUNNING,
        "awaiting review": Status.WAITING,
        "approved": Status.PAID,
        "partially approved": Status.PART_PAID,
        "rejected": Status.REJECTED,
        "returned": Status.GONE,
        "timed-out": Status.GONE,
        "timed out": Status.GONE,
        "screened out": Status.PART_PAID,
    },
    can_return=True,
)
MTURK = Format(
    person="WorkerId",
    submission="AssignmentId",
    code="Answer.code",
    status="AssignmentStatus",
    statuses={"submitted": Status.WAITING, "approved": Status.PAID, "rejected": Status.REJECTED},
)
FORMATS: Mapping[str, Format] = {"prolific": PROLIFIC, "mturk": MTURK}

# messages for the participant
REASONS: Mapping[Why, str] = {
    Why.NOT_ACCEPTED: "Your answers did not pass all checks of this study",
    Why.CODE_WITHOUT_SESSION: "You submitted the completion code, but the study has no completed session for your ID",
    Why.NOT_COMPLETED: "The study has no completed session for your ID",
    Why.NOT_SHOWN: "Most videos could not be shown in your browser",
    Why.TWICE: "You took part once, and another submission of yours is paid",
    Why.CODE_OF_ANOTHER: "Your code belongs to another participant, and the study has no completed session for your ID",
}


# explanations for the participant of broken rules for which a study does not pay
RULES: Mapping[str, str] = {
    "R1": "a video was not played to its end",
    "R2": "a video stalled",
    "R3": "the page was hidden or another window was in front",
    "R4": "an answer came before anything was visible",
    "R5": "the study took too long",
    "R6": "control videos were answered wrongly",
    "R7": "control questions were answered wrongly",
    "R8": "a video was shown too small",
    "R9": "less time passed than the videos last",
}


def read(text: str, form: Format) -> tuple[list[dict[str, str]], list[Claim]]:
    """Parse a list into its rows and claims; raises Problem 422 with the line, or the missing column.

    A row that repeats an earlier one, as in two lists that were joined, counts once.
    """
    reader = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")))
    wanted = [name for name in (form.person, form.submission, form.code, form.status) if name]
    missing = [name for name in wanted if name not in (reader.fieldnames or ())]
    if missing:
        raise _wrong(f"The list has no column {missing[0]!r}; its columns are {_listed(reader.fieldnames or ())}.")
    rows: list[dict[str, str]] = []
    claims: list[Claim] = []
    known: dict[tuple[str, str], Claim] = {}
    try:
        for row in reader:
            if len(rows) == MAX_ROWS:
                raise _wrong(f"The list has more than {MAX_ROWS} rows; split it, and send the parts separately.")
            claim = _claim(row, form, line=reader.line_num)
            earlier = known.setdefault((claim.person, claim.submission), claim) if claim.submission else claim
            if earlier != claim:
                raise _wrong(
                    f"Line {reader.line_num} has the submission {claim.submission!r} again, with other values; remove "
                    "the row that is out of date."
                )
            if earlier is claim:
                rows.append(row)
                claims.append(claim)
    except csv.Error as error:
        raise _wrong(f"Line {reader.line_num} is not valid CSV: {error}.") from None
    return rows, claims


def _claim(row: Mapping[str, str | None], form: Format, *, line: int) -> Claim:
    def value(name: str) -> str:
        return (row.get(name) or "").strip()

    if not value(form.person):
        raise _wrong(f"Line {line} has no value in the column {form.person!r}.")
    status = Status.WAITING
    if form.status:
        name = value(form.status).lower().replace("_", " ")
        if name not in form.statuses:
            known = _listed(dict.fromkeys(form.statuses))
            raise _wrong(f"Line {line}: {form.status!r} is {value(form.status)!r}, but must be one of {known}.")
        status = form.statuses[name]
    return Claim(value(form.person), value(form.submission), status, value(form.code))


@dataclass(frozen=True)
class File:
    """A file to import at the recruiter."""

    name: str
    text: str


def files(name: Name, rows: Sequence[Mapping[str, str]], entries: Sequence[Entry]) -> list[File]:
    """Files to import at the recruiter, without empty ones. `decisions.csv` has every entry, for any recruiter."""
    output = [File("decisions.csv", _decisions(entries))]
    if name == "prolific":
        approve = [entry.submission for entry in entries if entry.action is Action.APPROVE]
        # Prolific imports a list of ids, one per line
        output += [File("approve.txt", _lines(approve))] if approve else []
        back = [entry.submission for entry in entries if entry.action is Action.RETURN]
        output += [File("ask-to-return.txt", _lines(back))] if back else []
    elif name == "mturk":
        output.append(File("reviewed.csv", _reviewed(rows, entries)))
    return output


def reason(entry: Entry) -> str:
    """The message for a participant whose submission is rejected or to be returned."""
    rules = f": {'; '.join(RULES.get(rule, rule) for rule in entry.rules)}" if entry.rules else ""
    return f"{REASONS[entry.why]}{rules}."


def _message(entry: Entry) -> str:
    return reason(entry) if entry.action in (Action.REJECT, Action.RETURN) else ""


def _decisions(entries: Iterable[Entry]) -> str:
    rows = [
        (entry.person, entry.submission, entry.action, entry.why, _message(entry))
        for entry in entries
        if entry.action is not Action.NOTHING
    ]
    return csv_text(("recruiter_id", "submission", "action", "reason", "message"), rows)


def _reviewed(rows: Sequence[Mapping[str, str]], entries: Sequence[Entry]) -> str:
    """MTurk's list with an x in the column Approve, or a reason in the column Reject."""
    of_submission = {entry.submission: entry for entry in entries}
    names = list(rows[0]) if rows else []
    names += [name for name in ("Approve", "Reject") if name not in names]
    filled = []
    for row in rows:
        entry = of_submission.get(row[MTURK.submission])
        marks = dict(row)
        if entry is not None and entry.action is Action.APPROVE:
            marks["Approve"] = "x"
        elif entry is not None and entry.action is Action.REJECT:
            marks["Reject"] = reason(entry)
        filled.append([marks.get(name) or "" for name in names])
    return csv_text(names, filled)


def _lines(values: Iterable[str]) -> str:
    return "".join(f"{value}\n" for value in values)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(repr(name) for name in names) or "none"


def _wrong(message: str) -> Problem:
    return Problem(422, "invalid", message, details={"field": "list"})
