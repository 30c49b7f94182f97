"""Reads files that may be gzip, wherever a plain file is expected; what is unpacked counts against the budget."""

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import IO

from eyelevel.errors import BadInputError
from eyelevel.importing import limits
from eyelevel.importing.limits import Budget

GZIP, ZIP = b"\x1f\x8b", b"PK\x03\x04"
# of a WARC record, and of a part of a gzip file
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
# between parts of a gzip file
PADDING = re.compile(rb"\0*")
BREAKS_OFF, IS_DAMAGED = "the gzip data breaks off", "the gzip data is damaged"
# a file is seldom zipped more than twice
MOST_LAYERS = 3


class DamagedError(Exception):
    """The file breaks off or is damaged."""


@dataclass(frozen=True)
class Break:
    """Where in the unpacked data bytes are missing.

    Where the file breaks off (`is_end`), what comes before is right. Else the data from `begin` on is in doubt: it is
    of a part whose checksum or code is wrong.
    """

    at: int
    begin: int
    is_end: bool

    @property
    def why(self) -> str:
        return BREAKS_OFF if self.is_end else IS_DAMAGED


@dataclass(frozen=True)
class Plain:
    """A file without its gzip coding; `members` says where in `data` the parts of the gzip file begin."""

    data: bytes
    members: frozenset[int] = frozenset()
    breaks: tuple[Break, ...] = ()

    @property
    def whole(self) -> bytes:
        """All of the data. Raise DamagedError where some is missing."""
        if self.breaks:
            raise DamagedError(self.breaks[0].why)
        return self.data

    def parts(self) -> Iterator[tuple["Plain", Break | None]]:
        """What lies between breaks, with places counted from its begin, and the break that ends it."""
        if not self.breaks:
            yield self, None
            return
        begin = 0
        for one in (*self.breaks, None):
            end = len(self.data) if one is None else one.at
            members = frozenset(at - begin for at in self.members if begin <= at < end)
            yield Plain(self.data[begin:end], members), one and Break(end - begin, one.begin - begin, one.is_end)
            begin = end


def opened(file: IO[bytes], budget: Budget) -> Plain:
    """Raise BadInputError where it unpacks to too much."""
    raw = file.read(limits.MOST_UNPACKED_BYTES + 1)
    if not raw.startswith(GZIP):
        budget.take(len(raw))
        return Plain(raw)
    found = _unpacked(raw, budget)
    for _ in range(MOST_LAYERS - 1):
        if not found.data.startswith(GZIP):
            break
        inner = _unpacked(found.data, budget)
        found = replace(inner, breaks=inner.breaks or tuple(_at_the_end(inner, one) for one in found.breaks[:1]))
    return found


def _at_the_end(plain: Plain, found: Break) -> Break:
    return Break(len(plain.data), 0, found.is_end)


def check_readable(data: bytes, source: str) -> None:
    """Raise BadInputError for a compression or a format that is not read."""
    if data.startswith(ARC):
        raise BadInputError(f"{source} is an ARC file, which came before WARC; convert it to WARC, and import that.")
    if data.startswith(EMPTY_ZIP):
        raise BadInputError(f"{source} is a zip that holds no files; export it again.")
    if data.startswith(TAR, TAR_AT):
        raise BadInputError(f"{source} is a tar archive; unpack it, and import what it holds.")
    for start, name in FOREIGN.items():
        if data.startswith(start):
            raise BadInputError(f"{source} is compressed with {name}; unpack it, and import what it holds.")


def _unpacked(raw: bytes, budget: Budget) -> Plain:
    """All parts that can be read; after a damaged one, reading continues at the next one that holds a WARC record."""
    found, members, breaks = bytearray(), set[int](), list[Break]()
    at = 0
    while at < len(raw):
        begin = len(found)
        members.add(begin)
        after, is_damaged = _member(raw, at, found, budget)
        if after is None:
            after = _next_member(raw, at + 1)
            breaks.append(Break(len(found), begin, is_end=not is_damaged and after == len(raw)))
        at = PADDING.match(raw, after).end()  # type: ignore[union-attr]  # matches anything
    return Plain(bytes(found), frozenset(members), tuple(breaks))


def _member(raw: bytes, at: int, found: bytearray, budget: Budget) -> tuple[int | None, bool]:
    """Append what the part of the file holds. Where it ends, None where it does not, and whether it is damaged."""
    decoder, steps = zlib.decompressobj(zlib.MAX_WBITS | 16), BLOCK
    while at < len(raw) and not decoder.eof:
        before = decoder.copy() if steps > 1 else decoder
        try:
            part = decoder.decompress(raw[at : at + steps])
        except zlib.error:
            if steps == 1:
                return None, True
            decoder, steps = before, 1  # all that comes before the damage
            continue
        budget.take(len(part))
        found += part
        at += steps
    return (min(at, len(raw)) - len(decoder.unused_data), False) if decoder.eof else (None, False)


def _next_member(raw: bytes, at: int) -> int:
    """Where the next part begins that holds a WARC record; the end where there is none."""
    while (at := raw.find(MEMBER, at)) >= 0:
        try:
            if zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(raw[at : at + BLOCK], len(BEGIN)) == BEGIN:
                return at
        except zlib.error:
            pass
        at += 1
    return len(raw)
