"""Reads the responses of a recording, for learning."""

from pathlib import Path

from warcio.archiveiterator import ArchiveIterator

from eyelevel.errors import BadInputError
from eyelevel.recorded import BROKEN
from eyelevel.volatile.learning import Recorded

SUCCESS = range(200, 300)


def recorded(recording: Path) -> list[Recorded]:
    """The responses of a 2xx status. Raise BadInputError where the file is no recording."""
    try:
        with recording.open("rb") as file:
            return [
                Recorded(record.rec_headers.get_header("WARC-Target-URI"), record.content_stream().read())
                for record in ArchiveIterator(file)
                if record.rec_type == "response" and _status(record) in SUCCESS
            ]
    except BROKEN as error:
        raise BadInputError(f"{recording} cannot be read as a recording (WARC): {error}.") from error


def _status(record: object) -> int:
    headers = getattr(record, "http_headers", None)
    code = headers.get_statuscode() if headers is not None else ""
    return int(code) if code.isdigit() else 0
