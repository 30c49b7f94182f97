"""Reads a HAR file (version 1.2) with bodies, as Chrome, Firefox, Playwright and others write it. Pure.

Source: the HAR 1.2 specification (J. Odvarka, W3C web performance group's draft). Bodies in a HAR are decoded, so the
content-encoding is dropped; text is written in UTF-8, and its type says so.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

from eyelevel.errors import BadInputError
from eyelevel.importing.bodies import RAW, Body, body, decoded, text_bytes
from eyelevel.importing.codings import codings
from eyelevel.importing.exchange import Exchange, Imported, LeftOut
from eyelevel.importing.fields import Fields, WrongFieldError, utc
from eyelevel.importing.json_text import value_of
from eyelevel.importing.limits import Budget
from eyelevel.importing.posted import with_body
from eyelevel.importing.rules import as_page, imported
from eyelevel.importing.wire import REDIRECTS, Headers, as_sent, is_local, latin, named, without
from eyelevel.recorded import is_html

# fields of the connection, or about the encoding that is decoded
UNDONE = ("content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive")
EXPORT = (
    "export it with bodies (Chrome: Export HAR with sensitive data or content; Firefox: Save All As HAR; Playwright: "
    "record_har_content=embed)"
)
NO_METHOD = "its method is not in the file; GET is assumed"
NO_HEADER = "a {side} header without a name is left out"
TYPES = "it has several types ({types}); the first one is kept"
NO_SENT_BODY = "the body of its request is not in the file"
NO_ADDRESS = "its server address is not text; it is ignored"
# maximum size of an encoded empty body; gzip has 20 bytes
MOST_CODED_NOTHING = 32
FORM = "application/x-www-form-urlencoded"


def read_har(data: bytes, *, source: str) -> Imported:
    """Reads a HAR; raises BadInputError, which gives the file, the field and the cure."""
    value = value_of(data, source)
    log = Fields(value, source, "").object("log")
    entries = list(_entries(log, Budget(source)))
    if not any(isinstance(each, LeftOut) or each.body for each in entries):
        raise BadInputError(f"{source} has no bodies; {EXPORT}.")
    creator = log.optional_object("creator")
    tool = f"{creator.some_text('name')} {creator.some_text('version')}".strip()
    return imported("HAR", tool or None, _page(log), entries, source=source, order="requests")


def _page(log: Fields) -> str | None:
    """The URL of the first page; Chrome writes it as the page's title.

    If the title is not a URL, and the file has several pages, it is the URL of the page's first document.
    """
    listed = log.value.get("pages")
    pages = [each for each in listed if isinstance(each, Mapping)] if isinstance(listed, list) else []
    title = pages[0].get("title") if pages else None
    url = as_sent(title) if isinstance(title, str) else None
    if url is not None or len(pages) < 2:
        return url
    documents = (_first_document(log, page.get("id")) for page in pages)
    return next((document for document in documents if document is not None), None)


def _first_document(log: Fields, page: Any) -> str | None:
    for number in range(len(log.list("entries"))):
        entry = log.entry("entries", number)
        if not isinstance(entry.value, Mapping) or page is None or entry.value.get("pageref") != page:
            continue
        response, url = entry.optional_object("response"), entry.optional_object("request").some_text("url")
        status = response.optional_number("status") or 0
        kind = named(_headers(response), "content-type") or response.optional_object("content").some_text("mimeType")
        if not is_local(url) and (status in REDIRECTS or is_html(kind)):
            return as_sent(url)
    return None


def _entries(log: Fields, budget: Budget) -> Iterator[Exchange | LeftOut]:
    for number in range(len(log.list("entries"))):
        entry = log.entry("entries", number)
        place = entry.path
        try:
            request = entry.object("request")
            url = request.text("url")
            if not url.strip():
                raise request.wrong("url", "a complete http or https URL")
            place = url
            if is_local(url):
                continue
            exchange = _exchange(entry, url)
        except WrongFieldError as error:
            yield LeftOut(place, re.sub(f"^{re.escape(place)} ", "it ", error.reason), _page_without_body(entry, place))
            continue
        for data in (exchange.request_body, exchange.body or b""):
            budget.check_entry(url, len(data))  # their total is limited by the size of the file
        yield exchange


def _page_without_body(entry: Fields, url: str) -> Exchange | None:
    """The known facts of a page that cannot be read."""
    response = entry.optional_object("response")
    headers = _headers(response)
    media_type = named(headers, "content-type") or response.optional_object("content").some_text("mimeType")
    request = entry.optional_object("request")
    status = response.optional_number("status") or 0
    typed = (*without(headers, "content-type"), ("Content-Type", latin(media_type)))
    method = request.some_text("method").strip().upper() or "GET"
    return as_page(Exchange(as_sent(url) or url, method, _headers(request), b"", status, "", typed, None))


def _exchange(entry: Fields, url: str) -> Exchange:
    request, response = entry.object("request"), entry.object("response")
    sides = (("request", request), ("response", response))
    content = response.optional_object("content")
    headers = _headers(response)
    media_type = named(headers, "content-type") or content.some_text("mimeType")
    failure = next((text for text in (entry.some_text("_failureText"), response.some_text("_error")) if text), None)
    restored = body(content, media_type, next(iter(codings(headers)[-1:]), ""))
    if restored.data is None and failure is None and named(headers, "content-length") == "0":
        restored = Body(b"", 0)
    if not restored.data and restored.declared_bytes == 0 and _had_body(entry, headers):
        restored = Body(None, None)
    method = request.some_text("method").strip()
    sent, request_headers, sent_remarks = _sent(request)
    address, address_remark = _address(entry)
    return Exchange(
        url=url,
        method=method or "GET",
        request_headers=request_headers,
        request_body=sent,
        status=_status(response),
        reason=response.some_text("statusText"),
        headers=(
            *_typed(without(headers, *UNDONE), media_type, restored),
            *((("Content-Encoding", restored.coding),) if restored.coding else ()),
            *_location(response, headers),
            ("Content-Length", str(len(restored.data or b""))),
        ),
        body=restored.data,
        address=address,
        date=_date(entry),
        body_bytes=_declared_bytes(restored, headers),
        cut=restored.cut,
        failure=failure,
        remarks=(
            *restored.remarks,
            *sent_remarks,
            *address_remark,
            *(() if method else (NO_METHOD,)),
            *_ambiguous_type(headers),
            *(NO_HEADER.format(side=name) for name, each in sides if not _are_headers(each.value.get("headers"))),
        ),
    )


def _status(response: Fields) -> int:
    """The status as a number; some tools write it as text, with the reason."""
    text = re.match(r"\s*([0-9]{3})(?:\s|$)", response.some_text("status"))
    return int(text[1]) if text else response.number("status")


def _are_headers(value: Any) -> bool:
    """Whether all headers can be read; a file may have none."""
    if isinstance(value, list):
        return all(isinstance(each, Mapping) and each.get("name") is not None for each in value)
    return value is None or isinstance(value, Mapping)


def _declared_bytes(restored: Body, headers: Headers) -> int | None:
    """The size of the decoded body; if only a header gives it, the size of the body as it was sent."""
    length = named(headers, "content-length") or ""
    is_coded = (named(headers, "content-encoding") or "identity").lower() != "identity"
    if restored.declared_bytes is not None or is_coded or restored.is_text or not length.isdecimal():
        return restored.declared_bytes
    return int(length[:15])


def _ambiguous_type(headers: Headers) -> tuple[str, ...]:
    types = {value.lower() for name, value in headers if name.lower() == "content-type"}
    return (TYPES.format(types=", ".join(sorted(types))[:100]),) if len(types) > 1 else ()


def _location(response: Fields, headers: Headers) -> Headers:
    """The target of a redirect that is only in `redirectURL`."""
    place = response.some_text("redirectURL")
    is_missing = bool(place) and _status(response) in REDIRECTS and named(headers, "location") is None
    return (("Location", latin(place)),) if is_missing else ()


def _had_body(entry: Fields, headers: Headers) -> bool:
    """Whether a successful answer with empty content had a body, by its length, or was from the cache."""
    response = entry.object("response")
    if not 200 <= _status(response) < 300:
        return False
    length = named(headers, "content-length") or ""
    sent = int(length[:15]) if length.isdecimal() else response.optional_number("bodySize") or 0
    if sent > 0:
        return sent > (MOST_CODED_NOTHING if codings(headers) else 0)
    return not length and bool(entry.some_text("_fromCache"))


def _headers(message: Fields) -> Headers:
    """One field for each line of a value; none if the file has no list."""
    listed = message.value.get("headers")
    if isinstance(listed, Mapping):
        pairs: list[tuple[Any, Any]] = list(listed.items())
    else:
        fields = [each for each in listed if isinstance(each, Mapping)] if isinstance(listed, list) else []
        pairs = [(each.get("name"), each.get("value")) for each in fields]
    return tuple(
        (latin(str(name)), latin(line.strip("\r")))
        for name, given in pairs
        if name is not None
        for value in (given if isinstance(given, list) else [given])
        for line in str("" if value is None else value).split("\n")
    )


def _typed(headers: Headers, media_type: str, restored: Body) -> Headers:
    if not media_type or media_type == "x-unknown":
        return headers
    if restored.is_text and RAW not in restored.remarks:
        media_type = f"{media_type.partition(';')[0].strip()}; charset=utf-8"
    return (*without(headers, "content-type"), ("Content-Type", media_type))


def _sent(request: Fields) -> tuple[bytes, Headers, tuple[str, ...]]:
    """The body of the request, and its header."""
    posted, headers = request.optional_object("postData"), without(_headers(request), "content-length")
    text = posted.some_text("text")
    if text:
        raw = decoded(text) if posted.some_text("encoding") == "base64" else None
        return text_bytes(text) if raw is None else raw, headers, ()
    params = posted.value.get("params")
    if isinstance(params, list) and params and posted.some_text("mimeType").startswith(FORM):
        pairs = [(each.get("name", ""), each.get("value") or "") for each in params if isinstance(each, Mapping)]
        return urlencode(pairs, errors="replace").encode(), headers, ()
    if (request.optional_number("bodySize") or 0) > 0 or params:
        return *with_body(None, headers), (NO_SENT_BODY,)
    return b"", headers, ()


def _address(entry: Fields) -> tuple[str | None, tuple[str, ...]]:
    """The address; None if the field is missing or empty, as for answers from a cache."""
    address = entry.value.get("serverIPAddress")
    if address is None or isinstance(address, str):
        return address, ()
    return None, (NO_ADDRESS,)


def _date(entry: Fields) -> str | None:
    text = entry.some_text("startedDateTime")
    return utc(text) or text or None
