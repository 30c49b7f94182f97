"""Reads a folder that Mahimahi's mm-webrecord wrote: one file per exchange, a protocol buffer each. Pure but for files.

Source: Netravali et al., Mahimahi: Accurate Record-and-Replay for HTTP, USENIX ATC 2015; field numbers as documented in
its http_record.proto. The three messages need varints and length-delimited fields only (Protocol Buffers encoding), so
they are read here; the protobuf package would need a generated module and a dependency for them.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from eyelevel.errors import BadInputError
from eyelevel.importing.exchange import Exchange, Imported, LeftOut
from eyelevel.importing.limits import Budget
from eyelevel.importing.opened import DamagedError, opened
from eyelevel.importing.rules import imported
from eyelevel.importing.wire import BLANK, status_of

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
HTTP, HTTPS = 1, 2
HTTPS_PORT = 443
NO_SCHEME = "the file does not say whether it was http or https; the port decides"
# around a first line and a value
STRIPPED = " \t\r\n"
DAMAGED = "it is damaged, or was not written by mm-webrecord"
FOLDER = "it is a subfolder; import it separately"


class ProtobufError(ValueError):
    """The bytes are not a protocol buffer, or not the expected one."""


@dataclass
class Message:
    """An HTTP message: request or response."""

    first_line: str = ""
    headers: list[tuple[str, str]] = field(default_factory=list)
    body: bytes = b""

    def header(self, name: str) -> str | None:
        """Returns the first value of a header field; None if it is missing."""
        return next((value for key, value in self.headers if key.lower() == name), None)


def read_folder(folder: Path) -> Imported:
    """Reads the files in the order of their names; raises BadInputError, which gives the folder and the cure."""
    files = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
    budget = Budget(str(folder))
    if not files:
        raise BadInputError(f"{folder} has no files; give a folder that mm-webrecord wrote.")
    folders = sorted(path for path in folder.iterdir() if path.is_dir() and not path.name.startswith("."))
    answers = [*(_exchange(path, budget) for path in files), *(LeftOut(f"{path.name}/", FOLDER) for path in folders)]
    return imported("Mahimahi folder", None, None, answers, source=str(folder), order="none")


def _exchange(path: Path, budget: Budget) -> Exchange | LeftOut:
    budget.check_entry(path.name, path.stat().st_size)
    try:
        with path.open("rb") as file:
            data = opened(file, budget).whole
        budget.check_entry(path.name, len(data))
        return read_exchange(data, path.name)
    except (ProtobufError, DamagedError) as error:
        return LeftOut(path.name, f"it cannot be read as an exchange of Mahimahi ({error}); {DAMAGED}")


def is_exchange(data: bytes) -> bool:
    """Returns whether the bytes are a RequestResponse of Mahimahi."""
    try:
        read_exchange(data)
    except ProtobufError:
        return False
    return True


def read_exchange(data: bytes, place: str = "") -> Exchange | LeftOut:
    """Returns the exchange in a RequestResponse; raises ProtobufError. `place` is the file's name for messages."""
    address, port, scheme, request, response = "", 0, 0, None, None
    for number, value in _fields(data):
        match number, value:
            case 1, bytes():
                address = value.decode("latin-1")
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
    known = {HTTP: "http", HTTPS: "https"}.get(scheme)
    url = _url(
        known or ("https" if port == HTTPS_PORT else "http"),
        port,
        request.header("host") or _bracketed(address),
        target,
    )
    status = status_of(response.first_line)
    if status is None:
        why = f"its response is not an HTTP message: it begins with {response.first_line[:60]!r}"
        return LeftOut(f"{url} ({place})" if place else url, why)
    return Exchange(
        url=url,
        method=method,
        request_headers=tuple(request.headers),
        request_body=request.body,
        status=status[0],
        reason=status[1],
        headers=tuple(response.headers),
        body=response.body,
        address=address or None,
        remarks=() if known else (NO_SCHEME,),
    )


def _message(data: bytes) -> Message:
    message = Message()
    for number, value in _fields(data):
        match number, value:
            case 1, bytes():
                message.first_line = value.decode("latin-1").strip(STRIPPED)
            case 2, bytes():
                pair = dict(_fields(value))
                key, text = pair.get(1, b""), pair.get(2, b"")
                if not isinstance(key, bytes) or not isinstance(text, bytes):
                    raise ProtobufError("a header is not of bytes")
                message.headers.append((key.decode("latin-1"), text.decode("latin-1").strip(STRIPPED)))
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
                raise ProtobufError("it is truncated")
            yield number, data[at - length : at]
        elif kind in {FIXED64, FIXED32}:
            at += 8 if kind == FIXED64 else 4
        else:
            raise ProtobufError("it is not a protocol buffer")


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for place, byte in enumerate(data[at : at + 10]):
        value |= (byte & 0x7F) << (7 * place)
        if byte < 0x80:
            return value, at + place + 1
    raise ProtobufError("it ends within a number")


def _request_line(line: str) -> tuple[str, str]:
    """Method and target; some clients send targets with blanks."""
    method, _, rest = line.partition(" ")
    target, _, version = rest.strip(BLANK).rpartition(" ")
    if not method or not target or not version.upper().startswith("HTTP/"):
        raise ProtobufError(f"its request begins with {line[:60]!r}")
    return method.upper(), target.strip(BLANK)


def _bracketed(address: str) -> str:
    return f"[{address}]" if ":" in address else address


def _url(scheme: str, port: int, host: str, target: str) -> str:
    """The URL as text; its bytes are UTF-8, or otherwise kept unchanged."""
    if target.startswith(("http://", "https://")):
        whole = target
    else:
        usual = {"http": 80, "https": 443}[scheme]
        place = host if ":" in host.rpartition("]")[2] or port in {0, usual} else f"{host}:{port}"
        whole = f"{scheme}://{place}{target if target.startswith('/') else '/' + target}"
    return whole.encode("latin-1").decode("utf-8", "surrogateescape")
