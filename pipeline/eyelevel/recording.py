"""Reads the metadata of a recording: the seed of the page's random numbers, and the page's date.

`eyelevel record` writes both into the WARC's first warcinfo record, as fields of application/warc-fields (WARC 1.1,
section 6.2). Recordings of other tools have neither; the date of their page is that of the first response.
"""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from eyelevel.errors import BadInputError
from eyelevel.pinning import SEEDS
from eyelevel.raw_headers import raw_records
from eyelevel.recorded import BROKEN, records, target_of

CHANCE_SEED = "eyelevel-chance-seed"
PAGE_DATE = "eyelevel-page-date"
# URI of the resource record with a screenshot of the settled page, a PNG
SCREENSHOT = "urn:eyelevel:screenshot"
# limit for a warcinfo record, which may come from elsewhere; its fields have some hundred bytes
INFO_BYTES = 1 << 16
# the date of a recording without one: the day of the paper
ELSE = datetime(2019, 7, 22, tzinfo=UTC)


def chance_seed(recording: Path) -> int | None:
    """Returns the seed of the page's random numbers in the recording; None if it stores none.

    None also for a file that is not a WARC: the testbed reports what is wrong with it. Raises BadInputError for an
    invalid seed.
    """
    text = _fields(recording).get(CHANCE_SEED)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and int(text) < SEEDS):
        raise BadInputError(
            f"{recording}: the field {CHANCE_SEED} of its warcinfo record is {text!r}, and must be a whole number from "
            f"0 to {SEEDS - 1}; record the page again."
        )
    return int(text)


def recorded_at_ms(recording: Path) -> int:
    """Returns the page's date at its time origin, in milliseconds since 1970, in whole seconds.

    It is the date of the page's clock in the recording, or else the date of the first response. Raises BadInputError if
    the file cannot be read as a WARC, or if a date is invalid.
    """
    given = _fields(recording).get(PAGE_DATE)
    if given is not None:
        try:
            return _ms(given)
        except (ValueError, OverflowError):
            raise BadInputError(
                f"{recording}: the field {PAGE_DATE} of its warcinfo record is {given!r}, and must be a date such as "
                "2026-11-24T12:00:00Z; record the page again."
            ) from None
    for record in records(recording):
        date = record.rec_headers.get_header("WARC-Date")
        if record.rec_type == "response" and date:
            try:
                return _ms(date)
            except (ValueError, OverflowError):
                raise BadInputError(
                    f"{recording}: the WARC-Date of the response for {target_of(record)} is {date!r}, and must be a "
                    "date such as 2026-11-24T12:00:00Z; correct it, or record the page again."
                ) from None
    return int(ELSE.timestamp()) * 1000


def _ms(date: str) -> int:
    return int(datetime.fromisoformat(date).timestamp()) * 1000


def _fields(recording: Path) -> dict[str, str]:
    """The fields of the first warcinfo record, by their names in lower case."""
    try:
        with recording.open("rb") as file:
            first: Any = next(iter(raw_records(file)), None)
            text = first.content_stream().read(INFO_BYTES).decode(errors="replace") if _is_info(first) else ""
    except BROKEN:
        return {}
    pairs = (line.partition(":") for line in text.splitlines())
    return {name.strip().lower(): value.strip() for name, _, value in pairs}


def _is_info(record: Any) -> bool:
    return record is not None and record.rec_type == "warcinfo"
