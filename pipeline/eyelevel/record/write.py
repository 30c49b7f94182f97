"""Writes a recording from the proxy's WARC files: atomically, and without information about the recording machine."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from urllib.parse import urlsplit

from warcio.archiveiterator import ArchiveIterator
from warcio.warcwriter import WARCWriter


@dataclass
class Contents:
    """Numbers of responses, hosts and pages in a recording."""

    responses: int = 0
    hosts: set[str] = field(default_factory=set)
    pages: set[str] = field(default_factory=set)

    def has(self, url: str) -> bool:
        """Whether the recording has a response for `url`, over http or https."""
        return _page(url) in self.pages


def write_recording(parts: Iterable[Path], out: Path, *, url: str, recorder: str) -> Contents:
    """Copy the records of `parts` into `out` with a new warcinfo record; the file appears once it is complete."""
    contents = Contents()
    beside = out.with_name(out.name + ".part")
    with beside.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        info = {
            "software": f"eyelevel {version('eyelevel')}, {recorder}",
            "format": "WARC File Format 1.0",
            "description": f"One visit to {url}. Bodies are as they came over the wire, content-encoding included.",
        }
        writer.write_record(writer.create_warcinfo_record(out.name, info))
        for part in parts:
            _copy(part, writer, contents)
    beside.rename(out)
    return contents


def _copy(part: Path, writer: WARCWriter, contents: Contents) -> None:
    with part.open("rb") as file:
        for record in ArchiveIterator(file):
            if record.rec_type == "warcinfo":  # it has the name and address of the machine
                continue
            record.rec_headers.remove_header("WARC-Warcinfo-ID")
            if record.rec_type == "response":
                contents.responses += 1
                target = record.rec_headers.get_header("WARC-Target-URI")
                contents.hosts.add(urlsplit(target).hostname or "")
                contents.pages.add(_page(target))
            writer.write_record(record)


def _page(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.netloc}{parts.path or '/'}?{parts.query}"
