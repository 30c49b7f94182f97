"""Finds the body that a revisit record points to (WARC 1.1, section 6.7). Pure.

A record that a revisit refers to is found by its identifier (WARC-Refers-To), by the digest of its payload, or by its
URL and date. A digest that contradicts, of the same algorithm, rules a record out.
"""

import base64
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace

from eyelevel.importing.records import Record
from eyelevel.importing.wire import Message, as_sent, status_of, without

# of the body as it is stored, so they belong to the record that holds the body
FRAMING = ("content-encoding", "transfer-encoding", "content-length")
NOT_MODIFIED = 304
REFERENCES = ("WARC-Refers-To", "WARC-Refers-To-Target-URI", "WARC-Refers-To-Date")
ALGORITHMS = {"md5", "sha1", "sha256", "sha512"}
# of an answer that has no body: some tools write it into a revisit that says that nothing changed
EMPTY = "sha1:3i42h3s6nnfq2msvx7xzkyayscx5qbyj"


@dataclass(frozen=True)
class Answer:
    """A response or revisit record with its HTTP message; a revisit is a pointer, and has no body."""

    record: Record
    http: Message

    @property
    def is_pointer(self) -> bool:
        return self.record.kind == "revisit"

    @property
    def status(self) -> int | None:
        """None where the record holds no HTTP header."""
        found = status_of(self.http.first_line)
        return None if found is None else found[0]

    @property
    def digest(self) -> str:
        found = self.record.field("WARC-Payload-Digest").lower()
        return "" if found == EMPTY else found

    @property
    def says_not_modified(self) -> bool:
        return self.status == NOT_MODIFIED or "not-modified" in self.record.field("WARC-Profile").lower()


class Originals:
    """The responses that hold a body."""

    def __init__(self, answers: Iterable[Answer]) -> None:
        self._by_id: dict[str, Answer] = {}
        self._by_digest: dict[str, Answer] = {}
        self._by_place: dict[tuple[str, str], Answer] = {}
        self._by_url: dict[str, list[Answer]] = {}
        for answer in answers:
            if not answer.is_pointer:
                url = _address(answer.record.url)
                self._by_id.setdefault(answer.record.field("WARC-Record-ID"), answer)
                self._by_digest.setdefault(answer.digest, answer)
                self._by_place.setdefault((url, answer.record.field("WARC-Date")), answer)
                self._by_url.setdefault(url, []).append(answer)
        for of_nothing in (self._by_id, self._by_digest):
            of_nothing.pop("", None)

    def _of_digest(self, digest: str) -> Answer | None:
        """The response that names the digest, or else has it."""
        found = self._by_digest.get(digest)
        if found is not None or not digest:
            return found
        unnamed = (answer for known in self._by_url.values() for answer in known if not answer.digest)
        return next((answer for answer in unnamed if has_digest(answer.http.body, digest)), None)

    def whole(self, answer: Answer) -> Answer | None:
        """The answer with its body; None where it points to a body that is not in the file.

        A pointer keeps its own status and header, but for what describes the stored body. Where it has none, or says
        only that nothing changed (304), it has those of the record that it points to. One that refers to no record,
        and says that nothing changed, stays as it is: it means an earlier answer of its URL.
        """
        if not answer.is_pointer:
            return answer
        record = answer.record
        place = (_address(record.field("WARC-Refers-To-Target-URI")), record.field("WARC-Refers-To-Date"))
        candidates = (
            self._by_id.get(record.field("WARC-Refers-To")),
            self._of_digest(answer.digest),
            self._by_place.get(place),
        )
        fitting = (one for one in candidates if one is not None and not _contradict(one.digest, answer.digest))
        found = next(fitting, None)
        if found is None:
            return answer if self._means_its_url(answer) else None
        if answer.status is None or answer.says_not_modified:
            return Answer(record, found.http)
        framing = (field for field in found.http.headers if field[0].lower() in FRAMING)
        headers = (*without(answer.http.headers, *FRAMING), *framing)
        return Answer(record, replace(answer.http, headers=headers, body=found.http.body))

    def _means_its_url(self, answer: Answer) -> bool:
        if not answer.says_not_modified or any(answer.record.field(name) for name in REFERENCES):
            return False
        known = self._by_url.get(_address(answer.record.url), [])
        return any(not _contradict(one.digest, answer.digest) for one in known)


def has_digest(body: bytes, digest: str) -> bool:
    """Whether it is the body's, by its algorithm, in base32 or in hex."""
    name, _, value = digest.partition(":")
    if name not in ALGORITHMS:
        return False
    found = hashlib.new(name, body, usedforsecurity=False).digest()
    return value.rstrip("=") in {found.hex(), base64.b32encode(found).decode().lower().rstrip("=")}


def _address(url: str) -> str:
    url = url.strip("<>")
    return as_sent(url) or url


def _contradict(one: str, other: str) -> bool:
    """Whether two digests are of one algorithm and differ."""
    return one != other and one.partition(":")[0] == other.partition(":")[0] and ":" in one
