"""Chunked bodies (RFC 9112, section 7.1). Pure."""

import re

SIZE = re.compile(rb"([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\r\n]*)?\r?\n")
LINE_END = re.compile(rb"\r?\n")


def is_broken_off(body: bytes) -> bool:
    """Returns whether a chunked body lacks its last chunk; many recorders join chunks, but keep the header field."""
    at, is_first = 0, True
    while True:
        size = SIZE.match(body, at)
        if size is None:
            return not is_first and body[at : at + 20].strip(b"\r\n0123456789abcdefABCDEF") == b""
        length = int(size[1], 16)
        if length == 0:
            return False
        at = size.end() + length
        if at > len(body):
            return not is_first or size[0].endswith(b"\r\n")
        at += 2 if body.startswith(b"\r\n", at) else 1 if body.startswith(b"\n", at) else 0
        is_first = False


def joined(body: bytes) -> bytes:
    """Returns the joined chunks, also of a truncated body; the body itself if it is not chunked."""
    plain, at = bytearray(), 0
    while (size := SIZE.match(body, at)) and (length := int(size[1], 16)):
        plain += body[size.end() : size.end() + length]
        at = size.end() + length
        end = LINE_END.match(body, at)
        if end is None and at < len(body):
            break
        at = end.end() if end else at
    return bytes(plain) if plain else body


def bytes_after_last(body: bytes) -> int | None:
    """Returns the number of bytes after the last chunk and its trailers; None if the last chunk is missing."""
    at = 0
    while size := SIZE.match(body, at):
        length, at = int(size[1], 16), size.end()
        if length == 0:
            end = body.find(b"\r\n\r\n", at - 2)
            return max(len(body) - end - 4, 0) if end >= 0 else 0
        at += length
        end_of_data = LINE_END.match(body, at)
        if end_of_data is None:
            return None
        at = end_of_data.end()
    return None
