"""Reads files that may be compressed by gzip; the unpacked size counts against the budget."""

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import IO

from eyelevel.errors import BadInputError
from eyelevel.importing import limits
from eyelevel.importing.limits import Budget

GZIP, ZIP = b"\x1f\x8b", b"PK\x03\x04"
# beginning of a WARC record, and of a member of a gzip file
BEGIN, MEMBER = b"WARC/", GZIP + b"\x08"
# other compressions by their first bytes
FOREIGN = {
    b"\x28\xb5\x2f\xfd": "Zstandard",
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"7z\xbc\xaf\x27\x1c": "7-Zip",
    b"Rar!": "RAR",
    b"\x04\x22\x4d\x18": "LZ4",
}
EMPTY_ZIP = b"PK\x05\x06"
ARC = b"filedesc://"
TAR, TAR_AT = b"ustar", 257
BLOCK = 1 << 14
# between members of a gzip file
PADDING = re.compile(rb"\0*")
BREAKS_OFF, IS_DAMAGED = "the gzip data is truncated", "the gzip data is damaged"
# a file is seldom zipped more than twice
MOST_LAYERS = 3


class DamagedError(Exception):
    """The file is truncated or damaged."""


@dataclass(frozen=True)
class Break:
    """A place in the unpacked data where bytes are missing.

    If the file is truncated (`is_end`), the data before is correct. Otherwise the data from `begin` on may be wrong: it
    is from a member whose checksum or coding is wrong.
    """

    at: int
    begin: int
    is_end: bool

    @property
    def why(self) -> str:
        return BREAKS_OFF if self.is_end else IS_DAMAGED


@dataclass(frozen=True)
class Plain:
    """A decompressed file; `members` are the places in `data` where members of the gzip file begin."""

    data: bytes
    members: frozenset[int] = frozenset()
    breaks: tuple[Break, ...] = ()

    @property
    def whole(self) -> bytes:
        """Returns all data; raises DamagedError if some is missing."""
        if self.breaks:
            raise DamagedError(self.breaks[0].why)
        return self.data

    def parts(self) -> Iterator[tuple["Plain", Break | None]]:
        """Yields the data between breaks, with places relative to its start, and the break that ends it."""
        if not self.breaks:
            yield self, None
            return
        begin = 0
        for gap in (*self.breaks, None):
            end = len(self.data) if gap is None else gap.at
            members = frozenset(at - begin for at in self.members if begin <= at < end)
            yield Plain(self.data[begin:end], members), gap and Break(end - begin, gap.begin - begin, gap.is_end)
            begin = end


def opened(file: IO[bytes], budget: Budget) -> Plain:
    """Reads and decompresses a file; raises BadInputError if it unpacks to too much."""
    raw = file.read(limits.MOST_UNPACKED_BYTES + 1)
    if not raw.startswith(GZIP):
        budget.take(len(raw))
        return Plain(raw)
    plain = _unpacked(raw, budget)
    for _ in range(MOST_LAYERS - 1):
        if not plain.data.startswith(GZIP):
            break
        inner = _unpacked(plain.data, budget)
        plain = replace(inner, breaks=inner.breaks or tuple(_at_the_end(inner, gap) for gap in plain.breaks[:1]))
    return plain


def _at_the_end(plain: Plain, outer: Break) -> Break:
    return Break(len(plain.data), 0, outer.is_end)


def check_readable(data: bytes, source: str) -> None:
    """Raises BadInputError for an unsupported compression or format."""
    if data.startswith(ARC):
        raise BadInputError(f"{source} is an ARC file, the predecessor of WARC; convert it to WARC first.")
    if data.startswith(EMPTY_ZIP):
        raise BadInputError(f"{source} is a zip without files; export it again.")
    if data.startswith(TAR, TAR_AT):
        raise BadInputError(f"{source} is a tar archive; unpack it, and import its contents.")
    for start, name in FOREIGN.items():
        if data.startswith(start):
            raise BadInputError(f"{source} is compressed with {name}; unpack it, and import its contents.")


def _unpacked(raw: bytes, budget: Budget) -> Plain:
    """All readable members; after a damaged one, reading continues at the next member with a WARC record."""
    data, members, breaks = bytearray(), set[int](), list[Break]()
    at = 0
    while at < len(raw):
        begin = len(data)
        members.add(begin)
        after, is_damaged = _member(raw, at, data, budget)
        if after is None:
            after = _next_member(raw, at + 1)
            breaks.append(Break(len(data), begin, is_end=not is_damaged and after == len(raw)))
        at = PADDING.match(raw, after).end()  # type: ignore[union-attr]  # matches anything
    return Plain(bytes(data), frozenset(members), tuple(breaks))


def _member(raw: bytes, at: int, data: bytearray, budget: Budget) -> tuple[int | None, bool]:
    """Appends the contents of a member to `data`; the place of its end (None if missing), and whether it is damaged."""
    decoder, steps = zlib.decompressobj(zlib.MAX_WBITS | 16), BLOCK
    while at < len(raw) and not decoder.eof:
        before = decoder.copy() if steps > 1 else decoder
        try:
            part = decoder.decompress(raw[at : at + steps])
        except zlib.error:
            if steps == 1:
                return None, True
            decoder, steps = before, 1  # byte by byte, to read all data before the damage
            continue
        budget.take(len(part))
        data += part
        at += steps
    return (min(at, len(raw)) - len(decoder.unused_data), False) if decoder.eof else (None, False)


def _next_member(raw: bytes, at: int) -> int:
    """The place of the next member with a WARC record; the end of the file if there is none."""
    while (at := raw.find(MEMBER, at)) >= 0:
        try:
            if zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(raw[at : at + BLOCK], len(BEGIN)) == BEGIN:
                return at
        except zlib.error:
            pass
        at += 1
    return len(raw)
