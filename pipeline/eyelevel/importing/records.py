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
NO_RECORD = "it is not a WARC record"
CUT = "the file ends within its record"
WRONG_LENGTH = "the Content-Length of its record does not match its block"


@dataclass(frozen=True)
class Record:
    """A WARC record; `missing_bytes` is how much shorter the block is than its Content-Length.

    `fault` is why it cannot be used: its length is unknown (then `block` extends to the next record), or the file is
    damaged. `doubt` is why its block may be wrong. `file` is the file in a WACZ that contains it.
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
        """Returns the target URI; some writers of WARC/1.0 put it in angle brackets."""
        return self.field("WARC-Target-URI").strip("<>")

    @property
    def place(self) -> str:
        return self.url or f"record {self.number}{f' of {self.file}' if self.file else ''}"

    def field(self, name: str) -> str:
        return self.head.field(name) or ""


def split(plain: Plain, budget: Budget, file: str = "") -> Iterator[Record]:
    """Yields all records, with `fault` if they are incomplete; raises BadInputError if one is too large."""
    number = 0
    for part, end in plain.parts():
        placed = list(_records(part, number, budget))
        number += len(placed)
        records = [record for _, record in placed]
        if end is not None:
            records = [_doubted(record) if at >= end.begin and not end.is_end else record for at, record in placed]
            records = _ended(records, end, number + 1, is_last_in_doubt=bool(placed) and placed[-1][0] >= end.begin)
            number += len(records) - len(placed)
        yield from (replace(record, file=file) for record in records)


def _doubted(record: Record) -> Record:
    return replace(record, doubt=IN_DOUBT)


def _ended(records: list[Record], end: Break, number: int, *, is_last_in_doubt: bool) -> list[Record]:
    """The records with a fault in the damaged one; with one more record if the damage is after the last."""
    last, why = records[-1] if records else None, "the file ends" if end.is_end else "the file is damaged"
    if last is not None and (last.fault == CUT or (is_last_in_doubt and not end.is_end)):
        return [*records[:-1], replace(last, fault=f"{why} within its record")]
    return [*records, Record(number, message(b""), b"", fault=f"{why} there")]


def _records(plain: Plain, number: int, budget: Budget) -> Iterator[tuple[int, Record]]:
    """Each record with the place where it begins; numbers continue after `number`."""
    at = START.match(plain.data).end()  # type: ignore[union-attr]  # matches anything
    while at < len(plain.data):
        number += 1
        record, following = _read(plain, at, number, budget)
        yield at, record
        at = following


def _read(plain: Plain, at: int, number: int, budget: Budget) -> tuple[Record, int]:
    """The record that begins here, and the place of the next one."""
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
    """The record with its block, which begins at `begin`, and the place of the next record."""
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
    """The place of the next record after one that ends here; None if it does not end here."""
    if end > len(data):
        return None
    after = LINE_ENDS.match(data, end).end()  # type: ignore[union-attr]  # matches anything
    is_end = after == len(data) or data.startswith(BEGIN, after) or data.startswith(END, end)
    return after if is_end else None


def _next(plain: Plain, begin: int) -> tuple[int, int | None]:
    """The place of the next record, or of the file's end, and the block's length if a gzip member ends with it."""
    member = min(
        (place for place in plain.members if place > begin and plain.data.startswith(BEGIN, place)), default=None
    )
    separator = plain.data.find(SEPARATOR, begin)
    if member is not None and (separator < 0 or member <= separator + len(SEPARATOR) - len(BEGIN)):
        block = plain.data[begin:member].removesuffix(END)
        return member, len(block)
    return len(plain.data) if separator < 0 else separator + len(SEPARATOR) - len(BEGIN), None
