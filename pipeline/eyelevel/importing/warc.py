"""Reads WARC files of other tools: joins requests and responses, resolves pointers to bodies, and restores POST."""

from collections.abc import Iterable

from eyelevel.errors import BadInputError
from eyelevel.importing.exchange import Exchange, Imported, LeftOut
from eyelevel.importing.limits import Budget
from eyelevel.importing.opened import BEGIN, Plain
from eyelevel.importing.pointers import NOT_MODIFIED, Answer, Originals, wrong_digests
from eyelevel.importing.posted import restored, with_body
from eyelevel.importing.records import START, Record, split
from eyelevel.importing.rules import as_page, imported
from eyelevel.importing.wire import TOKEN, Message, is_local, message, status_of
from eyelevel.recording import CHANCE_SEED

POINTS_NOWHERE = "it points to a body that is not in the file"
NO_FIELD = "the line {line!r} of its header has no colon; it is left out"
NO_REQUEST = "its request cannot be read; GET is assumed"
# records with a target that are not answers or part of one
OTHERS = {"warcinfo", "metadata", "conversion"}


def is_warc(plain: Plain) -> bool:
    """Returns whether the file, or a part of a damaged file, begins like a WARC."""
    begins = plain.members if plain.breaks else ()
    return any(plain.data.startswith(BEGIN, at) for at in (START.match(plain.data).end(), *begins))  # type: ignore[union-attr]


def read_warc(plain: Plain, *, source: str, budget: Budget) -> Imported:
    """Reads a WARC; raises BadInputError, which gives the file and the cure."""
    records = list(split(plain, budget))
    if records and records[0].kind == "warcinfo" and CHANCE_SEED.encode() in records[0].block.lower():
        raise BadInputError(f"{source} is already a recording of eyelevel record; use it without importing.")
    return imported("WARC", None, None, exchanges(records), source=source)


def exchanges(records: Iterable[Record]) -> list[Exchange | LeftOut]:
    """Returns the exchanges in the file's order, and why others are left out."""
    requests = Requests()
    answers: list[Answer | LeftOut] = []
    for record in records:
        if is_local(record.url) or record.kind in OTHERS:
            continue
        if record.kind == "request" and record.fault is None:
            requests.add(record)
        else:
            answers.append(_answer(record))
    originals = Originals(each for each in answers if isinstance(each, Answer))
    return [each if isinstance(each, LeftOut) else _whole(each, originals, requests) for each in answers]


def _answer(record: Record) -> Answer | LeftOut:
    answer, place = Answer(record, message(record.block)), record.place
    if record.fault is not None:
        return LeftOut(place, record.fault, _as_page(answer, None))
    if not record.url:
        return LeftOut(place, "its record has no WARC-Target-URI")
    if record.kind not in {"response", "revisit"}:
        what = f"is of the type {record.kind}, which is not an HTTP response" if record.kind else "has no WARC-Type"
        return LeftOut(place, f"its record {what}")
    if not answer.is_pointer and answer.status is None:
        what = f"it begins with {answer.http.first_line[:60]!r}" if record.block else "it is empty"
        return LeftOut(place, f"its response is not an HTTP message: {what}")
    return answer


def _whole(answer: Answer, originals: Originals, requests: "Requests") -> Exchange | LeftOut:
    is_interim = 100 <= (answer.status or 0) < 200 and not answer.http.body
    whole, request = originals.whole(answer), requests.of(answer.record, is_interim=is_interim)
    if whole is None:
        return LeftOut(answer.record.url, POINTS_NOWHERE, _as_page(answer, request))
    return _exchange(whole, request)


def _as_page(answer: Answer, request: Message | None) -> Exchange | None:
    return as_page(_exchange(answer, request))


class Requests:
    """Requests by their response records.

    Some tools write the response's id in the request, some the request's id in the response, and some neither; then
    requests and responses are matched by URL and order.
    """

    def __init__(self) -> None:
        self._by_id: dict[str, Message] = {}
        self._by_url: dict[str, list[Message]] = {}

    def add(self, record: Record) -> None:
        """Adds a request record."""
        request, names = message(record.block), _concurrent(record)
        for name in (record.field("WARC-Record-ID"), *names):
            self._by_id[name] = request
        if not names:
            self._by_url.setdefault(record.url, []).append(request)

    def of(self, response: Record, *, is_interim: bool = False) -> Message | None:
        """Returns the request of a response; an interim answer does not use it up, as the final answer needs it."""
        names = (response.field("WARC-Record-ID"), *_concurrent(response))
        request = next((self._by_id[name] for name in names if name and name in self._by_id), None)
        waiting = self._by_url.get(response.url, [])
        if request is None and is_interim:
            return next(iter(waiting), None)
        if request is None:
            return waiting.pop(0) if waiting else None
        waiting[:] = [each for each in waiting if each is not request]
        return request


def _concurrent(record: Record) -> list[str]:
    return [value for name, value in record.head.headers if name.lower() == "warc-concurrent-to"]


def _exchange(answer: Answer, request: Message | None) -> Exchange:
    remarks: tuple[str, ...] = ()
    if request is not None and TOKEN.fullmatch(request.first_line.partition(" ")[0]) is None:
        request, remarks = None, (NO_REQUEST,)
    url, sent = answer.record.url.partition("#")[0], b"" if request is None else request.body
    method = "GET" if request is None else request.first_line.partition(" ")[0]
    headers = () if request is None else request.headers
    posted = restored(url)
    if posted is not None:
        url, method = posted.url, posted.method
        if not sent:
            sent, headers = with_body(posted.body, headers)
    odd = tuple(NO_FIELD.format(line=line[:60]) for line in answer.http.odd_lines)
    remarks = (*remarks, *odd, *wrong_digests(answer))
    is_unchanged = answer.is_pointer and not answer.http.body and answer.says_not_modified
    status, reason = (NOT_MODIFIED, "") if is_unchanged else status_of(answer.http.first_line) or (0, "")
    return Exchange(
        url=url,
        method=method,
        request_headers=headers,
        request_body=sent,
        status=status,
        reason=reason,
        headers=answer.http.headers,
        body=answer.http.body,
        address=answer.record.field("WARC-IP-Address") or None,
        date=answer.record.field("WARC-Date") or None,
        cut=_cut(answer.record),
        remarks=(*remarks, *((answer.record.doubt,) if answer.record.doubt else ())),
    )


def _cut(record: Record) -> str | None:
    if record.missing_bytes:
        return f"its record lacks {record.missing_bytes:,} bytes of its Content-Length"
    if record.field("WARC-Truncated"):
        return f"WARC-Truncated: {record.field('WARC-Truncated')}"
    return "it continues in other records (WARC-Segment-Number)" if record.field("WARC-Segment-Number") else None
