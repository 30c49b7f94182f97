"""Reads files that may be gzip, wherever a plain file is expected; what is unpacked counts against the budget."""

import zlib
from dataclasses import dataclass
from io import BytesIO
from typing import IO

from eyelevel.errors import BadInputError
from eyelevel.importing.limits import Budget

GZIP, ZIP = b"\x1f\x8b", b"PK\x03\x04"
# other compressions by their first bytes
FOREIGN = {
    b"\x28\xb5\x2f\xfd": "Zstandard",
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"7z\xbc\xaf\x27\x1c": "7-Zip",
    b"Rar!": "RAR",
    b"\x04\x22\x4d\x18": "LZ4",
}
ARC = b"filedesc://"
TAR, TAR_AT = b"ustar", 257
BLOCK = 1 << 14
# a file is seldom zipped more than twice
MOST_LAYERS = 3


class DamagedError(Exception):
    """The file breaks off or is damaged."""


@dataclass(frozen=True)
class Plain:
    """A file without its gzip coding; `members` says where in `data` the parts of the gzip file begin."""

    data: bytes
    members: frozenset[int] = frozenset()


def opened(file: IO[bytes], budget: Budget) -> Plain:
    """Raise DamagedError where gzip data is damaged, and BadInputError where it unpacks to too much."""
    first = file.read(BLOCK)
    if not first.startswith(GZIP):
        rest = file.read()
        budget.take(len(first) + len(rest))
        return Plain(first + rest if rest else first)
    found = _unpacked(first, file, budget)
    for _ in range(MOST_LAYERS - 1):
        if not found.data.startswith(GZIP):
            break
        found = _unpacked(b"", BytesIO(found.data), budget)
    return found


def check_readable(data: bytes, source: str) -> None:
    """Raise BadInputError for a compression or a format that is not read."""
    if data.startswith(ARC):
        raise BadInputError(f"{source} is an ARC file, which came before WARC; convert it to WARC, and import that.")
    if data.startswith(TAR, TAR_AT):
        raise BadInputError(f"{source} is a tar archive; unpack it, and import what it holds.")
    for start, name in FOREIGN.items():
        if data.startswith(start):
            raise BadInputError(f"{source} is compressed with {name}; unpack it, and import what it holds.")


def _unpacked(first: bytes, file: IO[bytes], budget: Budget) -> Plain:
    found, members = bytearray(), set()
    decoder, data = None, first
    while data or (data := file.read(BLOCK)):
        if decoder is None:
            data = data.lstrip(b"\0")  # padding between members
            if not data:
                continue
            decoder = zlib.decompressobj(zlib.MAX_WBITS | 16)
            members.add(len(found))
        try:
            part = decoder.decompress(data)
        except zlib.error as error:
            raise DamagedError(str(error)) from error
        budget.take(len(part))
        found += part
        data = decoder.unused_data
        if decoder.eof:
            decoder = None
    if decoder is not None:
        raise DamagedError("the gzip data breaks off")
    return Plain(bytes(found), frozenset(members))
