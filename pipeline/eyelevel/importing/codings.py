"""Content codings of a body (RFC 9110, section 8.4.1): whether it has them, and is complete. Pure."""

import re
import zlib
from dataclasses import dataclass

from eyelevel.importing import limits
from eyelevel.importing.chunks import joined
from eyelevel.importing.opened import MEMBER
from eyelevel.importing.signatures import ALL_SIGNATURES
from eyelevel.importing.wire import Headers, named

GZIPPED, DEFLATED, BROTLI, ZSTANDARD = {"gzip", "x-gzip"}, {"deflate"}, {"br"}, {"zstd"}
# registered by IANA
OTHERS = {"aes128gcm", "compress", "x-compress", "dcb", "dcz", "exi", "pack200-gzip"}
# a frame, and one that is skipped (RFC 8878)
FRAME = b"\x28\xb5\x2f\xfd"
ZSTANDARD_FRAME = re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18")
UTF_16 = (b"\xff\xfe", b"\xfe\xff")
CONTROL = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]")
EMPTY_BROTLI = b";"
# how many bytes are examined, and how many without a control character are text in any encoding
MOST_BYTES, ENOUGH_BYTES = 1 << 16, 256
MOST_TEXT_BYTES = 1 << 20


@dataclass(frozen=True)
class Inflated:
    """A decoded body; `is_whole`: it is complete."""

    data: bytes
    is_whole: bool


def codings(headers: Headers) -> list[str]:
    """Returns the codings in the header, in the order in which they were applied."""
    values = ",".join(value for name, value in headers if name.lower() == "content-encoding")
    return [
        coding for coding in (each.strip().lower() for each in values.split(",")) if coding and coding != "identity"
    ]


def content(headers: Headers, body: bytes) -> bytes:
    """Returns the body with its chunks joined."""
    return joined(body) if "chunked" in (named(headers, "transfer-encoding") or "").lower() else body


def is_known(coding: str) -> bool:
    """Returns whether a coding is registered."""
    return coding in GZIPPED | DEFLATED | BROTLI | ZSTANDARD | OTHERS


def inflated(data: bytes, coding: str) -> Inflated | None:
    """Returns the body decoded from gzip or deflate (with or without zlib's frame); None if it is not so coded."""
    if coding in GZIPPED:
        return _inflated(data, zlib.MAX_WBITS | 16) if data.startswith(MEMBER) else None
    framed, bare = _inflated(data, zlib.MAX_WBITS), _inflated(data, -zlib.MAX_WBITS)
    whole = next((result for result in (framed, bare) if result is not None and result.is_whole), None)
    return whole or framed or (None if is_plain(data) else bare)


def _inflated(data: bytes, window: int) -> Inflated | None:
    """All members, up to an error; None if the first one fails at its start."""
    plain = bytearray()
    while data and len(plain) <= limits.MOST_ENTRY_BYTES:
        decoder = zlib.decompressobj(window)
        try:
            plain += decoder.decompress(data, limits.MOST_ENTRY_BYTES + 1)
        except zlib.error:
            return Inflated(bytes(plain), is_whole=False) if plain or window > zlib.MAX_WBITS else None
        if not decoder.eof:
            return Inflated(bytes(plain), is_whole=bool(decoder.unconsumed_tail))
        data = decoder.unused_data if decoder.unused_data.startswith(MEMBER) else b""
    return Inflated(bytes(plain), is_whole=True)


def is_plain(data: bytes) -> bool:
    """Returns whether the bytes are text, or begin with the signature of an unencoded file."""
    data = data[:MOST_BYTES]
    if data.startswith((*ALL_SIGNATURES, *UTF_16)) or data.count(0) * 3 > len(
        data
    ):  # UTF-16 has a zero for each letter
        return True
    if CONTROL.search(data) or data == EMPTY_BROTLI:
        return False
    try:
        data[:-3].decode()  # the last letter may be cut
    except UnicodeDecodeError:
        return len(data) >= ENOUGH_BYTES
    return True


def has(data: bytes, coding: str) -> bool:
    """Returns whether the body has this coding, judged by its bytes."""
    if coding in GZIPPED | DEFLATED:
        return inflated(data, coding) is not None
    if coding in ZSTANDARD:
        return ZSTANDARD_FRAME.match(data) is not None
    return not is_plain(data)


def ends(data: bytes, coding: str) -> bool:
    """Returns whether the coded data is complete, as far as can be determined; Brotli cannot be decoded here."""
    if coding in GZIPPED | DEFLATED:
        plain = inflated(data, coding)
        return plain is None or plain.is_whole
    return coding not in ZSTANDARD or not data.startswith(FRAME) or _frame_ends(data)


def _frame_ends(data: bytes) -> bool:
    """Whether the first frame of Zstandard has its last block and its checksum (RFC 8878, section 3.1.1)."""
    if len(data) <= len(FRAME):
        return False
    descriptor = data[len(FRAME)]
    is_single, size_flag = bool(descriptor & 0x20), descriptor >> 6
    at = len(FRAME) + 1 + (not is_single) + (0, 1, 2, 4)[descriptor & 3] + (int(is_single), 2, 4, 8)[size_flag]
    is_last = False
    while not is_last and at + 3 <= len(data):
        header = int.from_bytes(data[at : at + 3], "little")
        is_last, is_repeated = bool(header & 1), header >> 1 & 3 == 1
        at += 3 + (1 if is_repeated else header >> 3)
    return is_last and at + (4 if descriptor & 4 else 0) <= len(data)


def decoded(headers: Headers, body: bytes) -> bytes:
    """Returns the body with its chunks joined, and decoded as far as possible here."""
    data = content(headers, body)
    for coding in reversed(codings(headers)):
        plain = inflated(data, coding) if coding in GZIPPED | DEFLATED else None
        if plain is None:
            break
        data = plain.data
    return data


def text_of(headers: Headers, body: bytes) -> str | None:
    """Returns the beginning of the text; None if it cannot be decoded here."""
    data = content(headers, body[:MOST_TEXT_BYTES])
    for coding in reversed(codings(headers)):
        plain = inflated(data, coding) if coding in GZIPPED | DEFLATED else None
        if plain is None:
            return None
        data = plain.data
    return data[:MOST_TEXT_BYTES].decode("utf-8", "replace")
