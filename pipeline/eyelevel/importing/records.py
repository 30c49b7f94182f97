"""Splits a WARC file into records (ISO 28500), and continues after a record that cannot be read. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from eyelevel.importing.limits import Budget
from eyelevel.importing.opened import DamagedError, Plain
from eyelevel.importing.wire import END_OF_HEAD, Message, message

BEGIN = b"WARC/"
SEPARATOR = b"\r\n\r\nWARC/"
LINE_ENDS = re.compile(rb"[\r\n]*")
NO_LENGTH = "its record has no Content-Length"
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
    data, at, number = plain.data, LINE_ENDS.match(plain.data).end(), 0  # type: ignore[union-attr]  # matches anything
    while at < len(data):
        number += 1
        end_of_head = END_OF_HEAD.search(data, at)
        if not data.startswith(BEGIN, at) or end_of_head is None:
            raise DamagedError(f"it breaks off in record {number}, or has something else there")
        head = message(data[at : end_of_head.end()], "utf-8")
        begin, length = end_of_head.end(), head.field("Content-Length") or ""
        block_bytes = int(length) if re.fullmatch("[0-9]{1,15}", length) else None
        name = head.field("WARC-Target-URI") or f"a record of the type {head.field('WARC-Type')}"
        budget.check_entry(name, min(block_bytes or 0, len(data) - begin))
        following = None if block_bytes is None else _following(data, begin + block_bytes)
        if block_bytes is not None and following is not None:
            yield Record(number, head, data[begin : begin + block_bytes])
            at = following
            continue
        at, short = _next(plain, begin, number)
        if block_bytes is not None and short is not None and short < block_bytes:
            yield Record(number, head, data[begin : begin + short], block_bytes - short)
        else:
            fault = NO_LENGTH if block_bytes is None else WRONG_LENGTH
            yield Record(number, head, data[begin:at], fault=fault)


def _following(data: bytes, end: int) -> int | None:
    """Where the next record begins after one that ends here; None where it does not end here."""
    if end > len(data):
        return None
    after = LINE_ENDS.match(data, end).end()  # type: ignore[union-attr]  # matches anything
    return after if after == len(data) or data.startswith(BEGIN, after) else None


def _next(plain: Plain, begin: int, number: int) -> tuple[int, int | None]:
    """Where the next record begins, and how long the block is where the end of a gzip member ends it."""
    member = min((one for one in plain.members if one > begin and plain.data.startswith(BEGIN, one)), default=None)
    found = plain.data.find(SEPARATOR, begin)
    if member is not None and (found < 0 or member <= found + len(SEPARATOR) - len(BEGIN)):
        block = plain.data[begin:member].removesuffix(b"\r\n\r\n")
        return member, len(block)
    if found < 0:
        raise DamagedError(f"it breaks off in record {number}")
    return found + len(SEPARATOR) - len(BEGIN), None
