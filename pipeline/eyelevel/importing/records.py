"""Splits a WARC file into records (ISO 28500), and continues after a record that cannot be read. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from eyelevel.importing.limits import Budget
from eyelevel.importing.opened import DamagedError, Plain
from eyelevel.importing.wire import END_OF_HEAD, Message, message

BEGIN = b"WARC/"
END = b"\r\n\r\n"
SEPARATOR = END + BEGIN
LINE_ENDS = re.compile(rb"[\r\n]*")
NO_LENGTH = "its record has no Content-Length"
NO_RECORD = "what is there is no WARC record"
WRONG_LENGTH = "the Content-Length of its record is not that of its block"


@dataclass(frozen=True)
class Record:
    """`missing_bytes` is how much shorter the block is than its Content-Length.

    `fault` is why it cannot be used: it does not say where it ends, and `block` is what comes before the next one.
    """

    number: int
    head: Message
    block: bytes
    missing_bytes: int = 0
    fault: str | None = None

    @property
    def kind(self) -> str:
        return self.field("WARC-Type").lower()

    @property
    def url(self) -> str:
        """The target; some writers of WARC/1.0 wrap it in angle brackets."""
        return self.field("WARC-Target-URI").strip("<>")

    def field(self, name: str) -> str:
        return self.head.field(name) or ""


def split(plain: Plain, budget: Budget) -> Iterator[Record]:
    """Raise DamagedError where the file breaks off, and BadInputError for a record that is too large."""
    at, number = LINE_ENDS.match(plain.data).end(), 0  # type: ignore[union-attr]  # matches anything
    while at < len(plain.data):
        number += 1
        record, at = _read(plain, at, number, budget)
        yield record


def _read(plain: Plain, at: int, number: int, budget: Budget) -> tuple[Record, int]:
    """The record that begins here, and where the next one does."""
    data = plain.data
    if not data.startswith(BEGIN, at):
        following, _ = _next(plain, at)
        return Record(number, message(b""), data[at:following], fault=NO_RECORD), following
    end_of_head = END_OF_HEAD.search(data, at)
    if end_of_head is None:
        raise DamagedError(f"it breaks off in record {number}")
    head, begin = message(data[at : end_of_head.end()], "utf-8"), end_of_head.end()
    length = head.field("Content-Length") or ""
    if re.fullmatch("[0-9]{1,15}", length) is None:
        following, _ = _next(plain, begin)
        return Record(number, head, data[begin:following], fault=NO_LENGTH), following
    end = begin + int(length)
    name = head.field("WARC-Target-URI") or f"a record of the type {head.field('WARC-Type')}"
    budget.check_entry(name, min(end, len(data)) - begin)
    after = _following(data, end)
    if after is not None:
        return Record(number, head, data[begin:end]), after
    following, short = _next(plain, begin)
    if following == len(data) < end:
        raise DamagedError(f"it breaks off in record {number}")
    if short is not None and begin + short < end:
        return Record(number, head, data[begin : begin + short], end - begin - short), following
    return Record(number, head, data[begin:following], fault=WRONG_LENGTH), following


def _following(data: bytes, end: int) -> int | None:
    """What follows a record that ends here; None where it does not end here."""
    if end > len(data):
        return None
    after = LINE_ENDS.match(data, end).end()  # type: ignore[union-attr]  # matches anything
    is_end = after == len(data) or data.startswith(BEGIN, after) or data.startswith(END, end)
    return after if is_end else None


def _next(plain: Plain, begin: int) -> tuple[int, int | None]:
    """Where the next record begins, or the file ends, and how long the block is where a gzip member ends with it."""
    member = min((one for one in plain.members if one > begin and plain.data.startswith(BEGIN, one)), default=None)
    found = plain.data.find(SEPARATOR, begin)
    if member is not None and (found < 0 or member <= found + len(SEPARATOR) - len(BEGIN)):
        block = plain.data[begin:member].removesuffix(END)
        return member, len(block)
    return len(plain.data) if found < 0 else found + len(SEPARATOR) - len(BEGIN), None
