"""Finds the body that a revisit record points to (WARC 1.1, section 6.7). Pure.

The record that a revisit refers to is found by its identifier (WARC-Refers-To), by the digest of its payload, or by its
URL and date; without a date, by its URL if that has a single body. A record with another digest of the same algorithm
is excluded.
"""

import base64
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace

from eyelevel.importing.codings import content, decoded
from eyelevel.importing.fields import utc
from eyelevel.importing.records import Record
from eyelevel.importing.wire import Message, as_sent, status_of, without

# about the stored body, so they are taken from the record with the body
FRAMING = ("content-encoding", "transfer-encoding", "content-length")
NOT_MODIFIED = 304
# how often a pointer may refer to a pointer
MOST_POINTERS = 10
WRONG = "its {name} does not match its {what}; its body may be damaged"
ALGORITHMS = {"md5", "sha1", "sha256", "sha512"}
# digest of an empty body, which some tools write into a revisit record for "not modified"
EMPTY = "sha1:3i42h3s6nnfq2msvx7xzkyayscx5qbyj"


@dataclass(frozen=True)
class Answer:
    """A response or revisit record with its HTTP message; a revisit is a pointer, and rarely has a body."""

    record: Record
    http: Message

    @property
    def is_pointer(self) -> bool:
        return self.record.kind == "revisit"

    @property
    def has_own_body(self) -> bool:
        """Returns whether a pointer has a body; line ends alone may belong to the record."""
        length = self.http.field("Content-Length") or ""
        is_whole = not length.isdecimal() or int(length[:15]) <= len(self.http.body)
        return bool(self.http.body.strip(b"\r\n")) and is_whole

    @property
    def status(self) -> int | None:
        """Returns the status; None if the record has no HTTP header."""
        status = status_of(self.http.first_line)
        return None if status is None else status[0]

    @property
    def digest(self) -> str:
        digest = _labelled(self.record.field("WARC-Payload-Digest"))
        return "" if digest == EMPTY else digest

    @property
    def says_not_modified(self) -> bool:
        return self.status == NOT_MODIFIED or "not-modified" in self.record.field("WARC-Profile").lower()


class Originals:
    """The records that a revisit can refer to."""

    def __init__(self, answers: Iterable[Answer]) -> None:
        self._by_id: dict[str, Answer] = {}
        self._by_digest: dict[str, Answer] = {}
        self._by_place: dict[tuple[str, str], Answer] = {}
        self._by_url: dict[str, list[Answer]] = {}
        for answer in answers:
            self._by_id.setdefault(answer.record.field("WARC-Record-ID"), answer)
            if not answer.is_pointer:
                url = _address(answer.record.url)
                self._by_digest.setdefault(answer.digest, answer)
                self._by_place.setdefault((url, _second(answer.record.field("WARC-Date"))), answer)
                self._by_url.setdefault(url, []).append(answer)
        for of_nothing in (self._by_id, self._by_digest):
            of_nothing.pop("", None)
        self._bodies: dict[str, dict[bytes, Answer]] = {}

    def _of_digest(self, digest: str) -> Answer | None:
        """The response whose record gives the digest, or else whose body has it."""
        answer = self._by_digest.get(digest)
        if answer is not None or not digest:
            return answer
        value = _value(digest)
        return None if value is None else self._by_algorithm(digest.partition(":")[0]).get(value)

    def _by_algorithm(self, name: str) -> dict[bytes, Answer]:
        """All bodies by their digests, as stored and with chunks joined."""
        if name not in self._bodies:
            bodies: dict[bytes, Answer] = {}
            for answer in (candidate for known in self._by_url.values() for candidate in known):
                for body in {answer.http.body, content(answer.http.headers, answer.http.body)}:
                    bodies.setdefault(hashlib.new(name, body, usedforsecurity=False).digest(), answer)
            self._bodies[name] = bodies
        return self._bodies[name]

    def _of_place(self, record: Record) -> Answer | None:
        """The response with the URL and the second of the date; without a date, the only body of the URL."""
        url, date = _address(record.field("WARC-Refers-To-Target-URI")), record.field("WARC-Refers-To-Date")
        if date:
            return self._by_place.get((url, _second(date)))
        known = {answer.http.body: answer for answer in self._by_url.get(url, [])}
        return next(iter(known.values())) if len(known) == 1 else None

    def whole(self, answer: Answer, depth: int = 0) -> Answer | None:
        """Returns the answer with its body; None if it points to a body that is not in the file.

        A pointer keeps its own status and header, except the fields about the stored body. If it has none, or is "not
        modified" (304), it gets those of the record that it points to. A "not modified" without its record is returned
        unchanged: it means an earlier answer of its URL. A pointer with its own body needs no other record.
        """
        if not answer.is_pointer:
            return answer
        original = self._original(answer, depth)
        if original is None:
            return answer if answer.has_own_body or self._means_its_url(answer) else None
        if answer.status is None or answer.says_not_modified:
            return Answer(answer.record, original.http)
        framing = (field for field in original.http.headers if field[0].lower() in FRAMING)
        headers = (*without(answer.http.headers, *FRAMING), *framing)
        return Answer(answer.record, replace(answer.http, headers=headers, body=original.http.body))

    def _original(self, answer: Answer, depth: int) -> Answer | None:
        """The record with the body, also if the pointer refers to another pointer."""
        named = self._by_id.get(answer.record.field("WARC-Refers-To"))
        if named is not None and named.is_pointer:
            named = self.whole(named, depth + 1) if depth < MOST_POINTERS else None
            named = named if named is not None and named.http.body else None
        candidates = (named, self._of_digest(answer.digest), self._of_place(answer.record))
        return next(
            (
                candidate
                for candidate in candidates
                if candidate is not None and not _contradict(candidate.digest, answer.digest)
            ),
            None,
        )

    def _means_its_url(self, answer: Answer) -> bool:
        known = self._by_url.get(_address(answer.record.url), [])
        return answer.says_not_modified and any(not _contradict(earlier.digest, answer.digest) for earlier in known)


def _second(date: str) -> str:
    """The time without fractions of a second, which some tools write in only one of two records."""
    return utc(date) or date


def _value(digest: str) -> bytes | None:
    """The bytes of a digest of a known algorithm, from base32 or hex; None if invalid."""
    name, _, value = digest.partition(":")
    if name not in ALGORITHMS:
        return None
    size = hashlib.new(name, usedforsecurity=False).digest_size
    bare = value.rstrip("=")
    try:
        decoded_value = (
            bytes.fromhex(bare) if len(bare) == 2 * size else base64.b32decode(bare.upper() + "=" * (-len(bare) % 8))
        )
    except ValueError:
        return None
    return decoded_value if len(decoded_value) == size else None


def has_digest(body: bytes, digest: str) -> bool:
    """Returns whether the body has this digest."""
    name, value = digest.partition(":")[0], _value(digest)
    return value is not None and hashlib.new(name, body, usedforsecurity=False).digest() == value


def wrong_digests(answer: Answer) -> list[str]:
    """Returns remarks on digests in the record that do not match its body or its block.

    A digest may be of the body with or without its chunks, or decoded. A truncated record is not checked.
    """
    record, body, headers = answer.record, answer.http.body, answer.http.headers
    if record.fault or record.missing_bytes or record.field("WARC-Truncated") or record.field("WARC-Segment-Number"):
        return []
    block, remarks = _labelled(record.field("WARC-Block-Digest")), []
    if is_checkable(block) and not has_digest(record.block, block):
        remarks.append(WRONG.format(name="WARC-Block-Digest", what="record"))
    if body and not answer.says_not_modified and is_checkable(answer.digest):
        forms = (body, *(form(headers, body) for form in (content, decoded)))
        if not any(has_digest(form, answer.digest) for form in forms):
            remarks.append(WRONG.format(name="WARC-Payload-Digest", what="body"))
    return remarks


def is_checkable(digest: str) -> bool:
    """Returns whether the algorithm of a digest is known."""
    return digest.partition(":")[0] in ALGORITHMS


def _labelled(digest: str) -> str:
    """The digest in lower case, with the common names of algorithms: sha256 for sha-256."""
    name, colon, value = digest.lower().partition(":")
    return f"{name.replace('-', '')}{colon}{value}"


def _address(url: str) -> str:
    url = url.strip("<>")
    return as_sent(url) or url


def _contradict(one: str, other: str) -> bool:
    """Whether two digests are of one algorithm and differ."""
    return one != other and one.partition(":")[0] == other.partition(":")[0] and ":" in one
