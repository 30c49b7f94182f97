"""Makes the recording for downloads: a page, and a file of a given size on the same host."""

from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

ORIGIN, ADDRESS = "https://download.example", "192.0.2.80"
FILE = "/file"
PATTERN = bytes(range(256))
PAGE = b'<!doctype html><title>Download</title><link rel="icon" href="data:,">'


def write_recording(to: Path, size_bytes: int) -> None:
    """Writes a WARC (ISO 28500) whose `/file` has a body of this size; the same size gives the same bytes."""
    body = (PATTERN * (size_bytes // len(PATTERN) + 1))[:size_bytes]
    with to.open("wb") as file:
        file.writelines(_record("/", "text/html", PAGE))
        file.writelines(_record(FILE, "application/octet-stream", body))


def _record(path: str, kind: str, body: bytes) -> list[bytes]:
    url = f"{ORIGIN}{path}"
    answer = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    fields = (
        "WARC/1.0",
        "WARC-Type: response",
        f"WARC-Record-ID: <urn:uuid:{uuid5(NAMESPACE_URL, url)}>",
        "WARC-Date: 2024-01-01T00:00:00Z",
        f"WARC-Target-URI: {url}",
        f"WARC-IP-Address: {ADDRESS}",
        "Content-Type: application/http; msgtype=response",
        f"Content-Length: {len(answer) + len(body)}",
    )
    return ["\r\n".join(fields).encode() + b"\r\n\r\n", answer, body, b"\r\n\r\n"]
