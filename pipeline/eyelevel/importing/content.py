"""The body of an answer and its description in the header: coding, length, type. Pure."""

import re
from dataclasses import replace

from eyelevel.importing.chunks import bytes_after_last, is_broken_off, joined
from eyelevel.importing.codings import codings, content, ends, has, is_known, text_of
from eyelevel.importing.exchange import Exchange
from eyelevel.importing.wire import named, without

# answers that have no body (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5)
NO_CONTENT, RESET, NOT_MODIFIED = 204, 205, 304
BODILESS = {NO_CONTENT, RESET, NOT_MODIFIED}
PARTIAL = 206
MEDIA_TYPE = re.compile(r"[\w!#$&^.+-]+/[\w!#$&^.+-]+")
# types without information
UNSAID = {
    "application/octet-stream", "binary/octet-stream", "application/binary", "application/unknown",
    "application/x-unknown", "unknown/unknown",
}  # fmt: skip
# after an optional byte order mark, XML declaration and comments
HTML = re.compile(
    r"\ufeff?\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->).)*-->\s*)*<(?:!doctype\s+html|html|head|body|title)[\s>]",
    re.IGNORECASE | re.DOTALL,
)

NOT_CODED = "its body is not encoded, though its Content-Encoding is {coding}; the field is left out"
UNKNOWN_CODING = "its Content-Encoding {coding!r} is not an HTTP coding; the field is left out"
CODE_IS_CUT = "its body is cut short or damaged: its {coding} data does not end"
NO_CONTENT_ALLOWED = "it has a body, though {what} has none; the body is left out"
CHUNKS = "its body is chunked, though it has no Transfer-Encoding; the chunks are joined"
AFTER_CHUNKS = "{count:,} bytes follow the last chunk of its body; they are kept"
LENGTHS = "it has several lengths ({lengths}); that of its body is kept ({own})"
IS_HTML = "its body is HTML, though its type is {kind}; it is imported as text/html"


def has_content(exchange: Exchange) -> bool:
    """Returns whether the answer may have a body, by method and status."""
    return exchange.method != "HEAD" and exchange.status not in BODILESS


def described(exchange: Exchange) -> Exchange:
    """Returns the exchange with header fields that match its body, and with `cut` if the body is incomplete."""
    if exchange.body is None:
        return exchange
    if not has_content(exchange):
        return _bodiless(exchange) if exchange.status != NOT_MODIFIED else exchange
    exchange = _of_one_length(_chunked(exchange))
    exchange = _typed(exchange if exchange.status == PARTIAL else _truly_coded(exchange))
    exchange = replace(exchange, cut=exchange.cut or _why_cut(exchange))
    surplus = _surplus(exchange)
    return replace(exchange, remarks=(*exchange.remarks, surplus)) if surplus else exchange


def _bodiless(exchange: Exchange) -> Exchange:
    if not exchange.body:
        return exchange
    what = "an answer to HEAD" if exchange.method == "HEAD" else f"an answer of status {exchange.status}"
    headers = without(exchange.headers, *(() if exchange.method == "HEAD" else ("content-length",)))
    return replace(
        exchange, body=b"", headers=headers, remarks=(*exchange.remarks, NO_CONTENT_ALLOWED.format(what=what))
    )


def _chunked(exchange: Exchange) -> Exchange:
    """The exchange with chunks joined if no header declares them, and with a remark on bytes after the last chunk."""
    body, is_said = exchange.body or b"", named(exchange.headers, "transfer-encoding") is not None
    after = bytes_after_last(body)
    if after is None or (not is_said and (after or content_length(exchange) is not None)):
        return exchange
    if not is_said:
        plain = joined(body)
        return exchange if plain == body else replace(exchange, body=plain, remarks=(*exchange.remarks, CHUNKS))
    remarks = (AFTER_CHUNKS.format(count=after),) if after else ()
    return replace(exchange, remarks=(*exchange.remarks, *remarks))


def _of_one_length(exchange: Exchange) -> Exchange:
    """The exchange with the length of its body if the header has several lengths."""
    lengths = {value for name, value in exchange.headers if name.lower() == "content-length"}
    if len(lengths) < 2:
        return exchange
    length = str(len(exchange.body or b""))
    headers = (*without(exchange.headers, "content-length"), ("Content-Length", length))
    remark = LENGTHS.format(lengths=", ".join(sorted(lengths))[:60], own=length)
    return replace(exchange, headers=headers, remarks=(*exchange.remarks, remark))


def _truly_coded(exchange: Exchange) -> Exchange:
    """The exchange without the codings that its body does not have."""
    known, body, remarks = codings(exchange.headers), content(exchange.headers, exchange.body or b""), []
    while body and known and not (is_known(known[-1]) and has(body, known[-1])):
        coding = known.pop()
        remarks.append((NOT_CODED if is_known(coding) else UNKNOWN_CODING).format(coding=coding[:60]))
    if not remarks:
        return exchange
    headers = (
        *without(exchange.headers, "content-encoding"),
        *((("Content-Encoding", ", ".join(known)),) if known else ()),
    )
    return replace(exchange, headers=headers, remarks=(*exchange.remarks, *remarks))


def _typed(exchange: Exchange) -> Exchange:
    """The exchange with text/html if it is HTML of an unspecific type, as in browsers (MIME Sniffing, section 7.1)."""
    given = named(exchange.headers, "content-type") or ""
    kind = given.partition(";")[0].strip().lower()
    is_said = MEDIA_TYPE.fullmatch(kind) is not None and kind not in UNSAID
    if is_said or exchange.status != 200 or named(exchange.headers, "content-disposition"):
        return exchange
    body = exchange.body or b""
    if HTML.match(text_of(exchange.headers, body) or "") is None:
        return exchange
    remark = IS_HTML.format(kind=kind[:60] or "not given")
    headers = (*without(exchange.headers, "content-type"), ("Content-Type", f"text/html{_charset(given, body)}"))
    return replace(exchange, headers=headers, remarks=(*exchange.remarks, remark))


def _charset(given: str, body: bytes) -> str:
    """The given charset; else UTF-8 for text that is UTF-8, but not ASCII."""
    parameters = given.partition(";")[2].strip()
    if "charset=" in parameters.lower():
        return f"; {parameters}"
    try:
        return "" if body.isascii() or not body.decode() else "; charset=utf-8"
    except UnicodeDecodeError:
        return ""


def _why_cut(exchange: Exchange) -> str | None:
    body = exchange.body or b""
    if "chunked" in (named(exchange.headers, "transfer-encoding") or "").lower():
        if is_broken_off(body):
            return "its body is cut short: its last chunk is missing"
    else:
        expected = exchange.body_bytes if exchange.body_bytes is not None else content_length(exchange)
        if expected is not None and len(body) < expected:
            return f"its body is cut short: {len(body):,} of {expected:,} bytes"
    return _why_code_is_cut(exchange)


def _why_code_is_cut(exchange: Exchange) -> str | None:
    coding = next(iter(codings(exchange.headers)[-1:]), "")
    if not exchange.body or exchange.status == PARTIAL or ends(content(exchange.headers, exchange.body), coding):
        return None
    return CODE_IS_CUT.format(coding=coding)


def _surplus(exchange: Exchange) -> str | None:
    """A remark on a body that is longer than its length: it is decoded, or followed by other data."""
    sent = content_length(exchange)
    if sent is None or exchange.body is None or len(exchange.body) <= sent:
        return None
    is_chunked = "chunked" in (named(exchange.headers, "transfer-encoding") or "").lower()
    more = f"{len(exchange.body):,} instead of {sent:,} bytes"
    return None if is_chunked else f"its body is longer than its Content-Length: {more}"


def content_length(exchange: Exchange) -> int | None:
    """Returns the Content-Length; None if it is missing or invalid."""
    text = (named(exchange.headers, "content-length") or "").strip()
    return int(text) if re.fullmatch("[0-9]{1,15}", text) else None
