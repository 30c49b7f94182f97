"""The date of a recording, which its pages see as today."""

from datetime import UTC, datetime
from pathlib import Path

from warcio.archiveiterator import ArchiveIterator

# for a recording without a date: the day of the paper
ELSE = datetime(2019, 7, 22, tzinfo=UTC)


def recorded_at_ms(recording: Path) -> int:
    """The date of the first response, in milliseconds since 1970, in whole seconds."""
    with recording.open("rb") as file:
        for record in ArchiveIterator(file):
            date = record.rec_headers.get_header("WARC-Date")
            if record.rec_type == "response" and date:
                return int(datetime.fromisoformat(date).timestamp()) * 1000
    return int(ELSE.timestamp()) * 1000
