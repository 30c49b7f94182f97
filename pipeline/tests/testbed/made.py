"""Recordings made for tests, record by record."""

from dataclasses import dataclass, field


@dataclass
class Made:
    """A WARC file in memory; responses in the order in which they are added."""

    text: bytes = b""
    records: int = field(default=0)

    def add(
        self, url: str, body: bytes, kind: str = "text/plain", *, status: str = "200 OK", fields: str = "",
        posted: bytes | None = None,
    ) -> None:  # fmt: skip
        """A response; `posted` is the body of the recorded request, a GET where it is None."""
        head = f"HTTP/1.1 {status}\r\ncontent-type: {kind}\r\n{fields}content-length: {len(body)}\r\n\r\n"
        answer = self._record("response", url, head.encode() + body)
        if posted is not None:
            asked = f"POST / HTTP/1.1\r\nhost: recorded\r\ncontent-length: {len(posted)}\r\n\r\n".encode() + posted
            self._record("request", url, asked, f"WARC-Concurrent-To: {answer}\r\n")

    def add_block(self, url: str, block: bytes) -> None:
        """A response record with this block, whatever it is."""
        self._record("response", url, block)

    def _record(self, kind: str, url: str, block: bytes, fields: str = "") -> str:
        self.records += 1
        identity = f"<urn:uuid:{self.records}>"
        head = f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: {identity}\r\nWARC-Target-URI: {url}\r\n{fields}"
        self.text += f"{head}Content-Length: {len(block)}\r\n\r\n".encode() + block + b"\r\n\r\n"
        return identity
