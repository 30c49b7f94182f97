"""The rules for importing, changing or leaving out answers of all formats. Pure.

Readers return each answer as it is in the file. Here it gets its final form: the URL as browsers send it, the final
status, valid header lines, and a body that is complete or marked as cut short. An answer that cannot be used is left
out with the reason, and does not affect others.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from ipaddress import ip_address

from eyelevel.errors import BadInputError
from eyelevel.importing.content import NOT_MODIFIED, described, has_content
from eyelevel.importing.exchange import Exchange, Imported, LeftOut, Order, shown
from eyelevel.importing.wire import CONTROL, TOKEN, Headers, as_sent, credentials, latin, message, printable, status_of

Found = Exchange | LeftOut
SWITCHED = 101
# how many interim messages may be around a message
MOST_INTERIM = 10
# an address, as some tools write it, with brackets, zone or port
ADDRESS = re.compile(r"\[?(?P<address>[0-9A-Fa-f.:]+?)(?:%[\w.-]+)?(?:\](?::\d+)?|(?<=\w):\d+)?")

NO_BODY = "its body is not in the file"
UNCHANGED = "it says only that nothing changed (304), and the file has no body for its URL"
NO_DATE = "its date is not a date with a time zone; it is ignored"
CREDENTIALS = "its URL has a user name or password; they are left out"
FAILED = "the recorder says that it failed ({failure})"
RETRIED = "it has no body, and another answer to the same request has one"
RETRIED_CUT = "its body is cut short, and another answer to the same request has it whole"


def imported(
    kind: str, tool: str | None, start_url: str | None, answers: Iterable[Found], *, source: str, order: Order = "file"
) -> Imported:
    """Applies all rules; raises BadInputError if no answer is left."""
    final = _without_interim([_final(each) if isinstance(each, Exchange) else each for each in answers])
    each_usable = [_usable(each) if isinstance(each, Exchange) else each for each in final]
    settled = _present(_without_retried(_resolved(each_usable)))
    left = [each for each in settled if isinstance(each, LeftOut)]
    if len(left) == len(settled):
        if not left:
            raise BadInputError(f"{source} has no HTTP responses; export it again.")
        more = f" (and {len(left) - 1:,} more)" if len(left) > 1 else ""
        raise BadInputError(f"{source} has no answer that can be imported: {left[0]}{more}; export it again.")
    return Imported(kind, tool, start_url, tuple(settled), tuple(_remarks(settled)), order)


def _remarks(settled: Iterable[Found]) -> list[str]:
    """A line for each remark, with the first URL that it is about."""
    urls: dict[str, list[str]] = defaultdict(list)
    for each in settled:
        if isinstance(each, Exchange):
            for remark in dict.fromkeys((*each.remarks, *((each.cut,) if each.cut else ()))):
                urls[remark].append(each.url)
    return [
        f"{shown(known[0])}{f' and {len(known) - 1:,} more' if len(known) > 1 else ''}: {printable(remark)}"
        for remark, known in urls.items()
    ]


def _usable(exchange: Exchange) -> Found:
    """The answer in its final form, without considering others, or why it is left out."""
    url, method = as_sent(exchange.url), exchange.method.upper()
    if url is None:
        return LeftOut(exchange.url, "its URL is not a complete http or https URL")
    why = _why_no_answer(method, exchange.status)
    if why is not None:
        return LeftOut(url, why)
    request_headers, asked_remarks = _headers(exchange.request_headers, "request")
    headers, remarks = _headers(exchange.headers, "response")
    address, address_remark = server_address(exchange.address)
    date, date_remark = _date(exchange.date)
    reason, reason_remark = _reason(exchange.reason)
    failure = exchange.failure if exchange.body else None
    final = replace(
        exchange,
        url=url,
        method=method,
        request_headers=request_headers,
        headers=headers,
        reason=reason,
        address=address,
        date=date,
        remarks=(
            *exchange.remarks,
            *asked_remarks,
            *remarks,
            *(remark for remark in (address_remark, date_remark, reason_remark) if remark),
            *((CREDENTIALS,) if credentials(exchange.url) else ()),
            *((FAILED.format(failure=failure[:100]),) if failure else ()),
        ),
    )
    return described(final)


def _final(exchange: Exchange) -> Exchange:
    """The answer without interim answers before it (RFC 9110, section 15.2), which some recorders store with it."""
    for _ in range(MOST_INTERIM):
        inner = message(exchange.body or b"") if _is_interim(exchange) else None
        status = None if inner is None else status_of(inner.first_line)
        if inner is None or status is None:
            break
        exchange = replace(exchange, status=status[0], reason=status[1], headers=inner.headers, body=inner.body)
    return exchange


def _without_interim(answers: Sequence[Found]) -> list[Found]:
    """The answers without interim ones whose final answer has its own record."""
    exchanges = [each for each in answers if isinstance(each, Exchange)]
    is_final = {_request(each) for each in exchanges if each.status >= 200 and not _is_interim(each)}
    return [
        each for each in answers if isinstance(each, LeftOut) or not (_is_interim(each) and _request(each) in is_final)
    ]


def _is_interim(exchange: Exchange) -> bool:
    is_tunnel = exchange.status == 200 and exchange.reason.lower() == "connection established"
    return is_tunnel or (100 <= exchange.status < 200 and exchange.status != SWITCHED)


def _why_no_answer(method: str, status: int) -> str | None:
    if TOKEN.fullmatch(method) is None:
        return f"its method is {method[:60]!r}, which HTTP does not allow"
    if method == "CONNECT":
        return "it only opens a tunnel (CONNECT)"
    if status == SWITCHED:
        return "its connection left HTTP (status 101)"
    if 100 <= status < 200:
        return f"it has only an interim answer (status {status}), and not the final one"
    if status <= 0:
        return "it got no answer"
    return None if 200 <= status <= 999 else f"its status is {status}, which is not an HTTP status"


def _headers(headers: Headers, side: str) -> tuple[Headers, list[str]]:
    """The valid fields of a header, as latin-1, and remarks on the others."""
    kept, remarks = [], []
    for name, value in headers:
        if not name or CONTROL.search(name) or CONTROL.search(value):
            what = "a control character" if name else "no name"
            remarks.append(f"its {side} header {name[:60]!r} has {what}; the field is left out")
        elif not name.startswith(":"):  # pseudo-headers of HTTP/2
            kept.append((latin(name), latin(value)))
    return tuple(kept), remarks


def _reason(text: str) -> tuple[str, str | None]:
    if CONTROL.search(text):
        return "", f"its status text {text[:60]!r} has a control character; it is left out"
    return latin(text), None


def server_address(text: str | None) -> tuple[str | None, str | None]:
    """Returns the IP address without brackets, zone and port, and a remark if it is invalid."""
    bare = (text or "").strip().rpartition("/")[2]  # some tools write name/address
    if not bare:
        return None, None
    match = ADDRESS.fullmatch(bare)
    for candidate in ("" if "%" in bare else bare, match["address"] if match else ""):
        try:
            return str(ip_address(candidate)), None
        except ValueError:
            continue
    return None, f"its server address {bare[:60]!r} is not an IP address; it is ignored"


def _date(text: str | None) -> tuple[str | None, str | None]:
    if not text:
        return None, None
    try:
        date = datetime.fromisoformat(text)
        date.timestamp()  # raises OverflowError if readers of the recording would
        has_zone = date.tzinfo is not None
    except (ValueError, OverflowError):
        has_zone = False
    return (text, None) if has_zone else (None, NO_DATE)


@dataclass(frozen=True)
class _Request:
    method: str
    url: str
    body: bytes


def _request(exchange: Exchange) -> _Request:
    return _Request(exchange.method.upper(), as_sent(exchange.url) or exchange.url, exchange.request_body)


def _resolved(answers: Sequence[Found]) -> list[Found]:
    """The answers, in which each "not modified" (304) has the body that the browser had: its own, or an earlier one.

    If no earlier answer of the URL has a body, a later one is used, because a file may have another order.
    """
    whole: dict[str, list[tuple[int, Exchange]]] = defaultdict(list)
    for place, each in enumerate(answers):
        if isinstance(each, Exchange) and each.method == "GET" and each.status == 200 and each.body:
            whole[each.url].append((place, each))

    def resolved(place: int, each: Found) -> Found:
        if isinstance(each, LeftOut) or each.status != NOT_MODIFIED:
            return each
        if each.body:
            return replace(each, status=200, reason="OK")
        known = whole[each.url]
        if not known:
            return LeftOut(each.url, UNCHANGED, as_page(replace(each, status=200)))
        earlier = [exchange for number, exchange in known if number < place]
        source = earlier[-1] if earlier else known[0][1]
        return replace(each, status=200, reason=source.reason, headers=source.headers, body=source.body, cut=source.cut)

    return [resolved(place, each) for place, each in enumerate(answers)]


def _without_retried(answers: Sequence[Found]) -> list[Found]:
    """The answers, in which failed ones are left out if another answer to the same request is complete."""
    is_whole: Counter[_Request] = Counter(
        _request(each) for each in answers if isinstance(each, Exchange) and _is_success(each) and _is_whole(each)
    )

    def judged(each: Found) -> Found:
        if isinstance(each, LeftOut) or not _is_success(each) or not is_whole[_request(each)]:
            return each
        if each.body is None or (not each.body and (each.failure or each.cut)):
            return LeftOut(each.url, RETRIED)
        return LeftOut(each.url, RETRIED_CUT) if each.cut or each.failure else each

    return [judged(each) for each in answers]


def _is_success(exchange: Exchange) -> bool:
    return 200 <= exchange.status < 300 and has_content(exchange)


def _is_whole(exchange: Exchange) -> bool:
    return bool(exchange.body) and exchange.cut is None and exchange.failure is None


def _present(answers: Sequence[Found]) -> list[Found]:
    """The answers, in which those without a body in the file are left out."""

    def present(each: Found) -> Found:
        if isinstance(each, LeftOut) or each.body is not None:
            return each
        if _lacks_body(each):
            return LeftOut(each.url, _missing(each), as_page(each))
        return replace(each, body=b"")

    return [present(each) for each in answers]


def _lacks_body(exchange: Exchange) -> bool:
    """Whether a body is missing; an answer of unknown size is assumed to have one if its status is below 300."""
    if not has_content(exchange) or exchange.body_bytes == 0:
        return False
    return exchange.body_bytes is not None or exchange.status < 300


def _missing(exchange: Exchange) -> str:
    return f"{NO_BODY} ({exchange.failure})" if exchange.failure else NO_BODY


def as_page(exchange: Exchange) -> Exchange | None:
    """Returns the exchange if it is a page, also without its body; else None."""
    return exchange if exchange.method == "GET" and exchange.status == 200 and exchange.is_html else None
