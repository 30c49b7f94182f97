"""Reads the responses of a recording, for learning."""

from pathlib import Path

from warcio.archiveiterator import ArchiveIterator
from warcio.recordloader import ArcWarcRecord

from eyelevel.errors import BadInputError
from eyelevel.recorded import BROKEN, body_of, target_of
from eyelevel.volatile.learning import Recorded

SUCCESS = range(200, 300)
# what the testbed decodes, and up to which size (testbed/crates/replay/src/matching/coding.rs)
CODINGS = frozenset({"", "identity", "gzip", "x-gzip", "deflate"})
MOST_BYTES = 4 << 20


def recorded(recording: Path) -> list[Recorded]:
    """The responses of a 2xx status. Raise BadInputError where the file is no recording."""
    try:
        with recording.open("rb") as file:
            return [
                _recorded(record)
                for record in ArchiveIterator(file)
                if record.rec_type == "response" and _status(record) in SUCCESS
            ]
    except BROKEN as error:
        raise BadInputError(f"{recording} cannot be read as a recording (WARC): {error}.") from error


def _recorded(record: ArcWarcRecord) -> Recorded:
    coding = (record.http_headers.get_header("Content-Encoding") or "").strip().lower()
    is_script = "javascript" in (record.http_headers.get_header("Content-Type") or "").lower()
    is_known = coding in CODINGS
    body = record.content_stream().read() if is_known else body_of(record).read()
    return Recorded(target_of(record), body, sealed=is_script and (not is_known or len(body) > MOST_BYTES))


def _status(record: object) -> int:
    headers = getattr(record, "http_headers", None)
    code = headers.get_statuscode() if headers is not None else ""
    return int(code) if code.isdigit() else 0
