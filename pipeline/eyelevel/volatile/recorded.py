"""Reads the responses of a recording, for learning."""

from io import BytesIO
from pathlib import Path
from urllib.parse import urljoin

from warcio.bufferedreaders import BufferedReader
from warcio.recordloader import ArcWarcRecord

from eyelevel.errors import BadInputError
from eyelevel.raw_headers import raw_records
from eyelevel.recorded import BROKEN, body_of, target_of
from eyelevel.volatile.learning import Recorded

SUCCESS = range(200, 300)
REDIRECTS = {301, 302, 303, 307, 308}
# codings that are decoded here, and up to which size; the testbed also decodes br and zstd
# (testbed/crates/replay/src/coding.rs)
CODINGS = {"": None, "identity": None, "gzip": "gzip", "x-gzip": "gzip", "deflate": "deflate"}
MOST_BYTES = 4 << 20


def recorded(recording: Path) -> list[Recorded]:
    """Returns the responses with a 2xx status, and redirects; raises BadInputError if the file is not a recording.

    A redirect between http and https is left out, as in the testbed: it would hide the answer of the same address.
    """
    try:
        with recording.open("rb") as file:
            answers = (_recorded(record) for record in raw_records(file) if record.rec_type == "response")
            return [answer for answer in answers if answer is not None]
    except BROKEN as error:
        raise BadInputError(f"{recording} cannot be read as a recording (WARC): {error}.") from error


def _recorded(record: ArcWarcRecord) -> Recorded | None:
    status = _status(record)
    if status in REDIRECTS:
        return _redirect(record)
    return _success(record) if status in SUCCESS else None


def _redirect(record: ArcWarcRecord) -> Recorded | None:
    url = target_of(record)
    location = record.http_headers.get_header("Location")
    if location is None or _changes_scheme_only(url, _target(url, location)):
        return None
    return Recorded(url, location.encode("latin-1"))


def _changes_scheme_only(url: str, target: str) -> bool:
    schemes = {url.partition("://")[0], target.partition("://")[0]}
    return schemes == {"http", "https"} and url.partition("://")[2] == target.partition("://")[2]


def _target(url: str, location: str) -> str:
    """The target of a redirect; a Location that is not an address is returned unchanged."""
    try:
        return urljoin(url, location)
    except ValueError:
        return location


def _success(record: ArcWarcRecord) -> Recorded:
    coding = (record.http_headers.get_header("Content-Encoding") or "").strip().lower()
    is_script = "javascript" in (record.http_headers.get_header("Content-Type") or "").lower()
    sent: bytes = body_of(record).read()
    plain = _decoded(sent, coding)
    return Recorded(target_of(record), sent if plain is None else plain, is_script, is_script and plain is None)


def _decoded(sent: bytes, coding: str) -> bytes | None:
    """The decoded body; None if its coding is not supported here, or if it has more than MOST_BYTES.

    At most MOST_BYTES and one block are decoded. Such a body is compared as it was sent.
    """
    if coding not in CODINGS:
        return None
    reader = BufferedReader(BytesIO(sent), decomp_type=CODINGS[coding])
    plain: bytes = reader.read(MOST_BYTES + 1)
    return plain if len(plain) <= MOST_BYTES else None


def _status(record: object) -> int:
    headers = getattr(record, "http_headers", None)
    code = headers.get_statuscode() if headers is not None else ""
    return int(code) if code.isdigit() else 0
