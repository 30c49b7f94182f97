"""Finds the body that a revisit record points to (WARC 1.1, section 6.7). Pure.

A record that a revisit refers to is found by its identifier (WARC-Refers-To), by the digest of its payload, or by its
URL and date. A digest that contradicts, of the same algorithm, rules a record out.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from eyelevel.importing.exchange import Headers, without

# of the body as it is stored, so they belong to the record that holds the body
FRAMING = ("content-encoding", "transfer-encoding", "content-length")
NOT_MODIFIED = "304"


@dataclass(frozen=True)
class Answer:
    """A response or revisit record: its WARC header, status line and fields; `body` is None for a pointer.

    `status` is empty where the record holds no HTTP header.
    """

    head: Any
    status: str
    headers: Headers
    body: bytes | None

    def field(self, name: str) -> str:
        return str(self.head.get_header(name) or "")

    @property
    def url(self) -> str:
        return self.field("WARC-Target-URI").strip("<>")

    @property
    def digest(self) -> str:
        return self.field("WARC-Payload-Digest").lower()


class Originals:
    """The responses that hold a body."""

    def __init__(self, answers: Iterable[Answer]) -> None:
        self._by_id: dict[str, Answer] = {}
        self._by_digest: dict[str, Answer] = {}
        self._by_place: dict[tuple[str, str], Answer] = {}
        for answer in answers:
            if answer.body is not None:
                self._by_id.setdefault(answer.field("WARC-Record-ID"), answer)
                self._by_digest.setdefault(answer.digest, answer)
                self._by_place.setdefault((answer.url, answer.field("WARC-Date")), answer)
        self._by_digest.pop("", None)

    def whole(self, answer: Answer) -> Answer | None:
        """The answer with its body; None where it points to a body that is not in the file.

        A pointer keeps its own status and header, but for what describes the stored body. Where it has none, or says
        only that nothing changed (304), it has those of the record that it points to.
        """
        if answer.body is not None:
            return answer
        place = (answer.field("WARC-Refers-To-Target-URI").strip("<>"), answer.field("WARC-Refers-To-Date"))
        candidates = (
            self._by_id.get(answer.field("WARC-Refers-To")),
            self._by_digest.get(answer.digest),
            self._by_place.get(place),
        )
        fitting = (one for one in candidates if one is not None and not _contradict(one.digest, answer.digest))
        found = next(fitting, None)
        if found is None:
            return None
        if not answer.status or answer.status.startswith(NOT_MODIFIED):
            return Answer(answer.head, found.status, found.headers, found.body)
        framing = (field for field in found.headers if field[0].lower() in FRAMING)
        return Answer(answer.head, answer.status, (*without(answer.headers, *FRAMING), *framing), found.body)


def _contradict(one: str, other: str) -> bool:
    """Whether two digests are of one algorithm and differ."""
    return one != other and one.partition(":")[0] == other.partition(":")[0] and ":" in one
