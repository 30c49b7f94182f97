"""Reads a folder that Mahimahi's mm-webrecord wrote: one file per exchange, a protocol buffer each. Pure but for files.

Source: Netravali et al., Mahimahi: Accurate Record-and-Replay for HTTP, USENIX ATC 2015; field numbers as documented in
its http_record.proto. The three messages need varints and length-delimited fields only (Protocol Buffers encoding), so
they are read here; the protobuf package would need a generated module and a dependency for them.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from eyelevel.errors import BadInputError
from eyelevel.importing.exchange import Exchange, Headers, Imported
from eyelevel.importing.fields import CONTROL
from eyelevel.importing.limits import Budget

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
HTTPS = 2
DAMAGED = "it is damaged, or was not written by mm-webrecord; record the page again"


class ProtobufError(ValueError):
    """The bytes are no protocol buffer, or not the expected one."""


@dataclass
class Message:
    """An HTTP message: request or response."""

    first_line: str = ""
    headers: list[tuple[str, str]] = field(default_factory=list)
    body: bytes = b""

    def header(self, name: str) -> str | None:
        return next((value for key, value in self.headers if key.lower() == name), None)


def read_folder(folder: Path) -> Imported:
    """Files in the order of their names. Raise BadInputError, which names the file and the cure.

    The page to start with is the only HTML page whose request names no page that led to it; None where that is not
    one.
    """
    files = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
    budget = Budget(str(folder))
    for path in files:
        budget.check_entry(path.name, path.stat().st_size)
        budget.take(path.stat().st_size)
    exchanges = [_exchange(path) for path in files]
    if not exchanges:
        raise BadInputError(f"{folder} holds no files; give a folder that mm-webrecord wrote.")
    starts = {each.url for each in exchanges if each.is_page and not _named(each.request_headers, "referer")}
    return Imported("Mahimahi folder", None, starts.pop() if len(starts) == 1 else None, tuple(exchanges))


def _exchange(path: Path) -> Exchange:
    try:
        return read_exchange(path.read_bytes())
    except (ProtobufError, UnicodeDecodeError) as error:
        raise BadInputError(f"{path} cannot be read as an exchange of Mahimahi ({error}); {DAMAGED}.") from error


def read_exchange(data: bytes) -> Exchange:
    """Raise ProtobufError where the bytes are not a RequestResponse."""
    address, port, scheme, request, response = "", 0, 0, None, None
    for number, value in _fields(data):
        match number, value:
            case 1, bytes():
                address = value.decode()
            case 2, int():
                port = value
            case 3, int():
                scheme = value
            case 4, bytes():
                request = _message(value)
            case 5, bytes():
                response = _message(value)
    if request is None or response is None:
        raise ProtobufError("it has no request or no response")
    method, target = _request_line(request.first_line)
    status, reason = _status_line(response.first_line)
    return Exchange(
        url=_url("https" if scheme == HTTPS else "http", port, request.header("host") or address, target),
        method=method,
        request_headers=tuple(request.headers),
        request_body=request.body,
        status=status,
        reason=reason,
        headers=tuple(response.headers),
        body=response.body,
        address=address or None,
    )


def _message(data: bytes) -> Message:
    message = Message()
    for number, value in _fields(data):
        match number, value:
            case 1, bytes():
                message.first_line = value.decode("latin-1").strip()
            case 2, bytes():
                pair = dict(_fields(value))
                key, held = pair.get(1, b""), pair.get(2, b"")
                if not isinstance(key, bytes) or not isinstance(held, bytes):
                    raise ProtobufError("a header is not of bytes")
                message.headers.append((key.decode("latin-1"), held.decode("latin-1").strip()))
            case 3, bytes():
                message.body = value
    return message


def _fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Field numbers with their values: whole numbers and bytes; fields of fixed size are skipped."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        number, kind = key >> 3, key & 7
        if kind == VARINT:
            value, at = _varint(data, at)
            yield number, value
        elif kind == BYTES:
            length, at = _varint(data, at)
            at += length
            if at > len(data):
                raise ProtobufError("it breaks off")
            yield number, data[at - length : at]
        elif kind in {FIXED64, FIXED32}:
            at += 8 if kind == FIXED64 else 4
        else:
            raise ProtobufError(f"it has a field of kind {kind}")


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for place, byte in enumerate(data[at : at + 10]):
        value |= (byte & 0x7F) << (7 * place)
        if byte < 0x80:
            return value, at + place + 1
    raise ProtobufError("it breaks off within a number")


def _request_line(line: str) -> tuple[str, str]:
    parts = line.split()
    if len(parts) != 3:
        raise ProtobufError(f"its request begins with {line[:60]!r}")
    return parts[0].upper(), parts[1]


def _status_line(line: str) -> tuple[int, str]:
    parts = line.split(maxsplit=2)
    if len(parts) < 2 or not parts[0].startswith("HTTP/") or not parts[1].isdigit():
        raise ProtobufError(f"its response begins with {line[:60]!r}")
    return int(parts[1]), parts[2] if len(parts) > 2 else ""


def _url(scheme: str, port: int, host: str, target: str) -> str:
    if target.startswith(("http://", "https://")):
        return target
    usual = {"http": 80, "https": 443}[scheme]
    place = host if ":" in host or port in {0, usual} else f"{host}:{port}"
    if CONTROL.search(place):
        raise ProtobufError(f"its host is {host[:60]!r}")
    return f"{scheme}://{place}{target if target.startswith('/') else '/' + target}"


def _named(headers: Headers, name: str) -> str | None:
    return next((value for key, value in headers if key.lower() == name), None)
