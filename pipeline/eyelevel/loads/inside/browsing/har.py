"""Writes a HAR 1.2 log without bodies. Unknown sizes and times are -1, as HAR defines."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qsl, urlsplit

from eyelevel.loads.inside.browsing.exchange import Exchange

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def har(
    exchanges: Iterable[Exchange],
    *,
    zero_ms: float,
    title: str,
    load_ms: float | None,
    content_loaded_ms: float | None,
    browser_version: str,
    creator_version: str,
) -> dict[str, object]:
    """Returns the log; `zero_ms` is navigation start in ms since 1970, and other times are relative to it."""
    page = {
        "id": "page_1",
        "title": title,
        "startedDateTime": _date(zero_ms),
        "pageTimings": {"onContentLoad": _known(content_loaded_ms), "onLoad": _known(load_ms)},
    }
    entries = [_entry(x, zero_ms) for x in sorted(exchanges, key=lambda x: x.begun_ms)]
    return {
        "log": {
            "version": "1.2",
            "creator": {"name": "eyelevel", "version": creator_version},
            "browser": {"name": "Chromium", "version": browser_version},
            "pages": [page],
            "entries": entries,
        }
    }


def _entry(x: Exchange, zero_ms: float) -> dict[str, object]:
    timings = _timings(x.timing)
    entry = {
        "pageref": "page_1",
        "startedDateTime": _date(zero_ms + x.begun_ms),
        "time": round(sum(value for key, value in timings.items() if value > 0 and key != "ssl"), 3),
        "request": {
            "method": x.method,
            "url": x.url,
            "httpVersion": x.protocol or "",
            "cookies": [],
            "headers": _headers(x.request_headers),
            "queryString": [{"name": k, "value": v} for k, v in parse_qsl(urlsplit(x.url).query, True)],
            "headersSize": -1,
            "bodySize": -1,
        },
        "response": {
            "status": x.status or 0,
            "statusText": x.status_text,
            "httpVersion": x.protocol or "",
            "cookies": [],
            "headers": _headers(x.response_headers),
            "content": {"size": -1, "mimeType": _header(x.response_headers, "content-type")},
            "redirectURL": _header(x.response_headers, "location"),
            "headersSize": -1,
            "bodySize": _known(x.encoded_body_bytes),
        },
        "cache": {},
        "timings": timings,
        "_resourceType": x.resource_type,
        "_fromCache": x.from_cache,
    }
    if x.server_address is not None:
        entry["serverIPAddress"] = x.server_address
    if x.failure is not None:
        entry["response"]["_error"] = x.failure  # type: ignore[index]
    return entry


def _timings(timing: dict[str, float]) -> dict[str, float]:
    """HAR's phases from the marks of resource timing; -1 if a phase did not take place, or is unknown.

    If the end of sending is unknown, `wait` includes the time of sending.
    """

    def phase(start: str, end: str) -> float:
        first, last = timing.get(start, -1), timing.get(end, -1)
        return round(last - first, 3) if first >= 0 and last >= first else -1

    sent = "requestEnd" if timing.get("requestEnd", -1) >= 0 else "requestStart"
    before = [m for m in (timing.get(k, -1) for k in ("domainLookupStart", "connectStart", "requestStart")) if m >= 0]
    return {
        "blocked": round(before[0], 3) if before else -1,
        "dns": phase("domainLookupStart", "domainLookupEnd"),
        "connect": phase("connectStart", "connectEnd"),
        "ssl": phase("secureConnectionStart", "connectEnd"),
        "send": phase("requestStart", "requestEnd"),
        "wait": phase(sent, "responseStart"),
        "receive": phase("responseStart", "responseEnd"),
    }


def _headers(headers: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in headers]


def _header(headers: Sequence[tuple[str, str]], wanted: str) -> str:
    return next((value for name, value in headers if name.lower() == wanted), "")


def _known(value: float | None) -> float:
    return -1 if value is None else value


def _date(ms: float) -> str:
    return (EPOCH + timedelta(milliseconds=ms)).isoformat(timespec="milliseconds")
