"""HTTP headers of WARC records, unchanged: warcio decodes them as UTF-8 or latin-1, and rewrites or rejects others.

Here header text is latin-1, so that each character is one recorded byte, and headers are written as they were read.
"""

from typing import Any, BinaryIO

from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders, StatusAndHeadersParser

BLANK = " \t"


class RawHeaders(StatusAndHeaders):  # type: ignore[misc]  # warcio has no types
    """A first line and header fields, in latin-1."""

    def to_ascii_bytes(self, filter_func: Any = None) -> bytes:
        return bytes(self.to_bytes(filter_func, encoding="latin-1"))


class RawParser(StatusAndHeadersParser):  # type: ignore[misc]  # warcio has no types
    """Parser that accepts any first line; if it is not HTTP, the status is not a number."""

    def parse(self, stream: Any, full_statusline: bytes | None = None) -> RawHeaders:
        line: bytes = stream.readline() if full_statusline is None else full_statusline
        if not line:
            raise EOFError
        read = len(line)
        lines: list[str] = []
        while text := line.rstrip(b"\r\n").decode("latin-1"):
            if lines and text.startswith((" ", "\t")):
                lines[-1] = f"{lines[-1]} {text.strip(BLANK)}"
            else:
                lines.append(text)
            line = stream.readline()
            read += len(line)
        protocol, _, status = lines[0].strip(BLANK).partition(" ") if lines else ("", "", "")
        pairs = (line.partition(":") for line in lines[1:])
        headers = [(name.rstrip(BLANK), value.strip(BLANK)) for name, colon, value in pairs if colon]
        return RawHeaders(status.strip(BLANK), headers, protocol, read)


def raw_records(file: BinaryIO) -> ArchiveIterator:
    """Iterates over all records of a WARC file, with RawHeaders."""
    iterator = ArchiveIterator(file)
    iterator.loader.http_parser = iterator.loader.http_req_parser = RawParser([], verify=False)
    return iterator
