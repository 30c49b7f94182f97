"""Splits a WARC file into records (ISO 28500), and continues after a record that cannot be read. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from eyelevel.importing.limits import Budget
from eyelevel.importing.opened import BEGIN, Break, Plain
from eyelevel.importing.wire import END_OF_HEAD, Message, message

END = b"\r\n\r\n"
SEPARATOR = END + BEGIN
LINE_ENDS = re.compile(rb"[\r\n]*")
# some editors write a byte order mark
START = re.compile(rb"(?:\xef\xbb\xbf)?[\r\n]*")
NO_LENGTH = "its record has no Content-Length"
IN_DOUBT = "the gzip data of its record is damaged; its body may be wrong"
WRONG_NUMBER = "the Content-Length of its record is {length!r}, and must be a whole number"
NO_RECORD = "what is there is no WARC record"
CUT = "the file breaks off within its record"
WRONG_LENGTH = "the Content-Length of its record is not that of its block"


@dataclass(frozen=True)
class Record:
    """`missing_bytes` is how much shorter the block is than its Content-Length.

    `fault` is why it cannot be used: it does not say where it ends, and `block` is what comes before the next one; or
    the file is damaged there. `doubt` is why its block may be wrong. `file` is the part of a WACZ that it is in.
    """

    number: int
    head: Message
    block: bytes
    missing_bytes: int = 0
    fault: str | None = None
    doubt: str | None = None
    file: str = ""

    @property
    def kind(self) -> str:
        return self.field("WARC-Type").lower()

    @property
    def url(self) -> str:
        """The target; some writers of WARC/1.0 wrap it in angle brackets."""
        return self.field("WARC-Target-URI").strip("<>")

    @property
    def place(self) -> str:
        return self.url or f"record {self.number}{f' of {self.file}' if self.file else ''}"

    def field(self, name: str) -> str:
        return self.head.field(name) or ""


def split(plain: Plain, budget: Budget, file: str = "") -> Iterator[Record]:
    """All records; those that the file does not have whole have a fault. Raise BadInputError for one too large."""
    number = 0
    for part, end in plain.parts():
        found = list(_records(part, number, budget))
        number += len(found)
        records = [record for _, record in found]
        if end is not None:
            records = [_doubted(record) if at >= end.begin and not end.is_end else record for at, record in found]
            records = _ended(records, end, number + 1, is_last_in_doubt=bool(found) and found[-1][0] >= end.begin)
            number += len(records) - len(found)
        yield from (replace(record, file=file) for record in records)


def _doubted(record: Record) -> Record:
    return replace(record, doubt=IN_DOUBT)


def _ended(records: list[Record], end: Break, number: int, *, is_last_in_doubt: bool) -> list[Record]:
    """The records with the one that is damaged; one more where what is missing comes after the last."""
    last, why = records[-1] if records else None, "the file breaks off" if end.is_end else "the file is damaged"
    if last is not None and (last.fault == CUT or (is_last_in_doubt and not end.is_end)):
        return [*records[:-1], replace(last, fault=f"{why} within its record")]
    return [*records, Record(number, message(b""), b"", fault=f"{why} there")]


def _records(plain: Plain, number: int, budget: Budget) -> Iterator[tuple[int, Record]]:
    """Each with the place where it begins; numbers continue after `number`."""
    at = START.match(plain.data).end()  # type: ignore[union-attr]  # matches anything
    while at < len(plain.data):
        number += 1
        record, following = _read(plain, at, number, budget)
        yield at, record
        at = following


def _read(plain: Plain, at: int, number: int, budget: Budget) -> tuple[Record, int]:
    """The record that begins here, and where the next one does."""
    data = plain.data
    if not data.startswith(BEGIN, at):
        following, _ = _next(plain, at)
        return Record(number, message(b""), data[at:following], fault=NO_RECORD), following
    end_of_head = END_OF_HEAD.search(data, at)
    if end_of_head is None:
        known = data[at:].rpartition(b"\n")[0]
        return Record(number, message(known, "utf-8"), b"", fault=CUT), len(data)
    head = message(data[at : end_of_head.end()], "utf-8")
    return _read_block(plain, end_of_head.end(), Record(number, head, b""), budget)


def _read_block(plain: Plain, begin: int, record: Record, budget: Budget) -> tuple[Record, int]:
    """The record with its block, which begins here."""
    data, length = plain.data, record.field("Content-Length")
    if re.fullmatch("[0-9]{1,15}", length) is None:
        following, _ = _next(plain, begin)
        fault = WRONG_NUMBER.format(length=length[:60]) if length else NO_LENGTH
        return replace(record, block=data[begin:following], fault=fault), following
    end = begin + int(length)
    name = record.field("WARC-Target-URI") or f"a record of the type {record.field('WARC-Type')}"
    budget.check_entry(name, min(end, len(data)) - begin)
    after = _following(data, end)
    if after is not None:
        return replace(record, block=data[begin:end]), after
    following, short = _next(plain, begin)
    if following == len(data) < end:
        return replace(record, block=data[begin:], fault=CUT), len(data)
    if short is not None and begin + short < end:
        return replace(record, block=data[begin : begin + short], missing_bytes=end - begin - short), following
    return replace(record, block=data[begin:following], fault=WRONG_LENGTH), following


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
