"""The report of many recordings: a CSV with a row per site, and a sentence per site. Pure."""

import csv
from collections.abc import Iterable, Sequence
from io import StringIO

from eyelevel.record.addresses import unserved
from eyelevel.record.many import FAILED, KEPT, SiteResult
from eyelevel.recorded import Response, servers
from eyelevel_core.tables import csv_text

FILE = "recordings.csv"
COLUMNS = (
    "site", "url", "recording", "outcome", "attempts", "visits", "responses", "hosts", "addresses", "addresses_by",
    "body_bytes", "requests_not_recorded", "hosts_not_served", "title", "error",
)  # fmt: skip
# how many URLs a sentence names
NAMED = 3


def report_csv(results: Iterable[SiteResult]) -> str:
    """Returns the report; counts are of the first visit, like a load in replay, and an empty cell is unknown."""
    return csv_text(COLUMNS, [_row(result) for result in results])


def read_report(text: str) -> dict[str, dict[str, str]]:
    """Returns the rows by site; none if the text is not such a report."""
    return {row["site"]: row for row in csv.DictReader(StringIO(text, newline="")) if set(COLUMNS) <= row.keys()}


def _row(result: SiteResult) -> Sequence[object]:
    first = first_visit(result.responses)
    placed = servers(first) if first else None
    before = result.before
    return [
        result.site.name,
        result.site.url,
        None if result.outcome == FAILED else result.file.name,
        result.outcome,
        result.attempts,
        result.visits or before.get("visits"),
        *([len(first), len(_hosts(first))] if placed else [None, None]),
        *([placed.number, placed.by] if placed else [None, None]),
        sum(response.body_bytes for response in first) if placed else None,
        before.get("requests_not_recorded") if result.unrecorded is None else len(result.unrecorded),
        " ".join(unserved(response.url for response in first)) if placed else None,
        result.title or before.get("title"),
        result.error,
    ]


def sentence(result: SiteResult) -> str:
    """Returns the result of a site as a sentence."""
    if result.outcome == FAILED:
        return f"failed after {_count(result.attempts, 'attempt')}: {result.error}"
    prefix = "kept unchanged: " if result.outcome == KEPT else ""
    return f"{prefix}{contents(result.responses)}{not_recorded(result.unrecorded or ())}"


def contents(responses: Sequence[Response]) -> str:
    """Returns the numbers of a recording as a phrase."""
    first, later = first_visit(responses), sum(response.visit > 1 for response in responses)
    placed = servers(first)
    size = sum(response.body_bytes for response in first) / 1000
    more = f", and {later:,} more from later visits" if later else ""
    return (
        f"{_count(len(first), 'response')} of {_count(len(_hosts(first)), 'host')} at "
        f"{_count(placed.number, 'address', 'addresses')} ({placed.by}), {size:,.1f} kB{more}"
    )


def not_recorded(urls: Sequence[str]) -> str:
    """Returns the end of a sentence about requests without a recorded answer; an empty string if there are none."""
    if not urls:
        return ""
    named = ", ".join(url if len(url) <= 100 else f"{url[:99]}…" for url in urls[:NAMED])
    more = f" and {len(urls) - NAMED:,} more" if len(urls) > NAMED else ""
    return f"; {_count(len(urls), 'request')} without a recorded answer: {named}{more}"


def first_visit(responses: Iterable[Response]) -> tuple[Response, ...]:
    """Returns the responses of the first visit."""
    return tuple(response for response in responses if response.visit == 1)


def _hosts(responses: Iterable[Response]) -> set[str]:
    return {response.host for response in responses}


def _count(number: int, one: str, many: str | None = None) -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"
