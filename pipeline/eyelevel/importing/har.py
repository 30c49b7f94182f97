"""Reads a HAR file (version 1.2) with bodies, as Chrome, Firefox, Playwright and others write it. Pure.

Source: the HAR 1.2 specification (J. Odvarka, W3C web performance group's draft). Bodies in a HAR are decoded, so the
content-encoding is dropped; text is written in UTF-8, and its type says so.
"""

import base64
import binascii
import json
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any

from eyelevel.errors import BadInputError
from eyelevel.importing.exchange import Exchange, Headers, Imported, without
from eyelevel.importing.fields import Fields, utc
from eyelevel.importing.limits import Budget
from eyelevel.record.addresses import split

# of the connection, or about the encoding that is undone
UNDONE = ("content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive")
NO_BODY = {204, 205, 304}
EXPORT = (
    "export it with bodies (Chrome: Export HAR with sensitive data or content; Firefox: Save All As HAR; Playwright: "
    "record_har_content=embed)"
)


def read_har(data: bytes, *, source: str) -> Imported:
    """Raise BadInputError, which names the file, the field and the cure."""
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise BadInputError(
            f"{source} is neither a HAR (JSON), a WACZ (zip), a WARC nor a Mahimahi folder: {error}."
        ) from error
    log = Fields(value, source, "").object("log")
    creator = log.object("creator") if "creator" in log.value else None
    exchanges, left_out = [], []
    budget = Budget(source)
    for number in range(len(log.list("entries"))):
        entry = log.entry("entries", number)
        url = entry.object("request").line("url")
        if split(url) is None:
            continue  # data:, blob:, ws: and the like never went over HTTP
        found = _exchange(entry, url.partition("#")[0])
        if isinstance(found, Exchange):
            for body in (found.request_body, found.body):
                budget.check_entry(url, len(body))  # all together are not larger than the file, which has its limit
            exchanges.append(found)
        else:
            left_out.append(f"{url}: {found}")
    if not any(each.body for each in exchanges):
        raise BadInputError(f"{source} holds no bodies; {EXPORT}.")
    tool = None if creator is None else f"{creator.text('name')} {creator.optional_text('version') or ''}".strip()
    return Imported("HAR", tool, exchanges[0].url, tuple(exchanges), tuple(left_out))


def _exchange(entry: Fields, url: str) -> Exchange | str:
    """The exchange, or why there is none."""
    request, response = entry.object("request"), entry.object("response")
    status = response.number("status")
    if not 100 <= status <= 599:
        return "it got no answer"
    content = response.object("content") if "content" in response.value else Fields({}, entry.source, "")
    body = _body(content)
    method = request.line("method").upper()
    if body is None:
        if _has_content(content, method, status):
            return "its body is not in the file"
        body = b""
    elif status == 304:
        status = 200  # it was asked whether it changed, and the file has what the browser kept
    return Exchange(
        url=url,
        method=method,
        request_headers=without(_headers(request), "content-length"),
        request_body=_sent(request),
        status=status,
        reason="" if response.optional_text("statusText") is None else response.line("statusText"),
        headers=(*_typed(response, content), ("Content-Length", str(len(body)))),
        body=body,
        address=_address(entry),
        date=_date(entry),
    )


def _body(content: Fields) -> bytes | None:
    """None where the file has none."""
    text = content.optional_text("text")
    if text is None:
        return None
    encoding = content.optional_text("encoding") or ""
    if not encoding:
        return text.encode("utf-8", "replace")
    if encoding != "base64":
        raise content.wrong("encoding", "base64, or left out for text")
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error:
        raise content.wrong("text", "base64, as encoding says") from None


def _has_content(content: Fields, method: str, status: int) -> bool:
    """Whether there was a body; a size below 0 is unknown, and then a status of success says that there was."""
    if method == "HEAD" or status in NO_BODY:
        return status == 304
    size = content.value.get("size", -1)
    return bool(size > 0) if isinstance(size, int | float) and size >= 0 else status < 300


def _headers(message: Fields) -> Headers:
    """Without the pseudo-headers of HTTP/2, and with one field for each line of a value."""
    fields = [message.entry("headers", number) for number in range(len(message.list("headers")))]
    return tuple(
        (field.line("name"), line.strip("\r"))
        for field in fields
        if not field.line("name").startswith(":")
        for line in field.text("value").split("\n")
    )


def _typed(response: Fields, content: Fields) -> Headers:
    headers = without(_headers(response), *UNDONE)
    given = next((value for name, value in headers if name.lower() == "content-type"), None)
    media_type = given or content.optional_text("mimeType")
    if not media_type or media_type == "x-unknown":
        return headers
    if content.value.get("text") and not content.value.get("encoding"):
        media_type = f"{media_type.partition(';')[0].strip()}; charset=utf-8"
    return (*without(headers, "content-type"), ("Content-Type", media_type))


def _sent(request: Fields) -> bytes:
    if not isinstance(request.value.get("postData"), Mapping):
        return b""
    return (request.object("postData").optional_text("text") or "").encode("utf-8", "replace")


def _address(entry: Fields) -> str | None:
    """None where the field is left out or empty, as of answers from a cache."""
    text = (entry.optional_text("serverIPAddress") or "").strip("[]")
    if not text:
        return None
    try:
        ip_address(text)
    except ValueError:
        raise entry.wrong("serverIPAddress", "an IP address") from None
    return text


def _date(entry: Fields) -> str | None:
    text: Any = entry.value.get("startedDateTime")
    return utc(text) if isinstance(text, str) else None
