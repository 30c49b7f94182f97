"""Recruiters' lists of submissions as CSV, and files for import at the recruiter."""

import csv
import io
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from eyelevel_core.study.submissions import MTURK, Format, Status
from eyelevel_core.tables import Language, csv_text
from lib.problems import Problem
from payment.books import Action, Claim, Entry
from payment.reasons import explanation, message

Name = Literal["prolific", "mturk", "other"]
MAX_ROWS = 20_000
# as recruiters write lists, and as spreadsheets save them
DELIMITERS = ",;\t"
# of a first line that is not the header
SHOWN_COLUMNS, SHOWN_CHARACTERS = 20, 40


def read(text: str, form: Format) -> tuple[list[dict[str, str]], list[Claim]]:
    """Parse a list into its rows and claims; raises Problem 422 with the line, or the missing column.

    A row that repeats an earlier one, as in two lists that were joined, counts once.
    """
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise _wrong("The list is empty; download it from the recruiter again, as CSV.")
    if "\0" in text:
        raise _wrong("The file is not text in UTF-8; if it is a spreadsheet, save it as CSV (UTF-8).")
    if not form.person:
        message = "The name of the column with the participant's ID is missing; enter it."
        raise Problem(422, "invalid", message, details={"field": "person"})
    wanted = [name for name in (form.person, form.submission, form.code, form.status) if name]
    reader = csv.DictReader(io.StringIO(text), delimiter=max(DELIMITERS, key=partial(_columns, text, wanted)))
    rows: list[dict[str, str]] = []
    claims: list[Claim] = []
    known: dict[tuple[str, str], Claim] = {}
    try:
        _check_header(reader.fieldnames or (), wanted)
        for row in reader:
            # a spreadsheet may save empty rows
            if not any("".join(cell or "").strip() for cell in row.values()):
                continue
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
        raise _wrong(f"Line {reader.reader.line_num} is not valid CSV: {error}.") from None
    if not claims:
        raise _wrong("The list has the names of columns, but no submissions; download it again when there are some.")
    return rows, claims


def _columns(text: str, wanted: Collection[str], delimiter: str) -> tuple[int, int]:
    """How many wanted columns, and how many columns at all, the first line has if cells end at this delimiter."""
    try:
        names = next(csv.reader(io.StringIO(text), delimiter=delimiter))
    except csv.Error:
        return 0, 0
    return sum(name in names for name in wanted), len(names)


def _check_header(names: Sequence[str], wanted: Iterable[str]) -> None:
    missing = next((name for name in wanted if name not in names), None)
    if missing is not None:
        found = _listed(name[:SHOWN_CHARACTERS] for name in names[:SHOWN_COLUMNS])
        raise _wrong(
            f"The list has no column {missing!r}; its first line must have the names of the columns, but has {found}."
        )


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


def files(
    name: Name, rows: Sequence[Mapping[str, str]], entries: Sequence[Entry], *, language: Language = "en"
) -> list[File]:
    """Files to import at the recruiter, without empty ones. `decisions.csv` has every entry, for any recruiter."""
    output = [File("decisions.csv", _decisions(entries, language))]
    if name == "prolific":
        approve = [entry.submission for entry in entries if entry.action is Action.APPROVE]
        # Prolific imports a list of ids, one per line
        output += [File("approve.txt", _lines(approve))] if approve else []
        back = [entry.submission for entry in entries if entry.action is Action.RETURN]
        output += [File("ask-to-return.txt", _lines(back))] if back else []
    elif name == "mturk":
        output.append(File("reviewed.csv", _reviewed(rows, entries)))
    return output


def _decisions(entries: Iterable[Entry], language: Language) -> str:
    rows = [
        (entry.person, entry.submission, entry.action, entry.why, explanation(entry, language), message(entry))
        for entry in entries
        if entry.action is not Action.NOTHING
    ]
    return csv_text(("recruiter_id", "submission", "action", "reason", "explanation", "message"), rows)


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
            marks["Reject"] = message(entry)
        filled.append([marks.get(name) or "" for name in names])
    return csv_text(names, filled)


def _lines(values: Iterable[str]) -> str:
    return "".join(f"{value}\n" for value in values)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(repr(name) for name in names) or "none"


def _wrong(message: str) -> Problem:
    return Problem(422, "invalid", message, details={"field": "list"})
