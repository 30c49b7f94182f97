"""Reads what a recording says of itself: the seed of its page's chance, and the page's date.

`eyelevel record` writes both into the WARC's first warcinfo record, as fields of application/warc-fields (WARC 1.1,
section 6.2). Recordings of other tools have neither; their page's date is that of the first response.
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
# of a resource record: the settled page as it was recorded, a PNG
SCREENSHOT = "urn:eyelevel:screenshot"
# of a warcinfo record, which others may have made of any size; its fields have some hundred
INFO_BYTES = 1 << 16
# the date of a recording that has none: the day of the paper
ELSE = datetime(2019, 7, 22, tzinfo=UTC)


def chance_seed(recording: Path) -> int | None:
    """The seed by which the page drew its random numbers when it was recorded; None where the recording has none.

    None also for a file that is no WARC: the testbed says what is wrong with it. Raise BadInputError for a seed that
    the page script cannot have.
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
    """The page's date at its time origin, in milliseconds since 1970, in whole seconds.

    It is the date that the page had when it was recorded, or else the date of the first response. Raise BadInputError
    for a file that cannot be read as a WARC, and for a wrong date.
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
