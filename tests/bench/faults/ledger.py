"""What participants did, as they know it: a file of lines that the platform never sees, and the comparison with it."""

import json
import threading
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Answer:
    """One answer. `vote_id` is None where only the click is known, as with a browser's page."""

    session: str
    position: int
    data: dict[str, Any]
    clip_sha256: str | None = None
    vote_id: str | None = None


@dataclass(frozen=True)
class Stored:
    """One vote as the platform holds it."""

    vote_id: str
    session: str
    position: int
    data: dict[str, Any]
    clip_sha256: str


@dataclass
class Ledger:
    """Lines are written and flushed before what they tell of is sent, or as soon as it is known."""

    path: Path
    answers: list[Answer] = field(default_factory=list)
    # vote id -> every moment of receipt that the platform named for it
    receipts: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    begun: set[str] = field(default_factory=set)
    codes: dict[str, str] = field(default_factory=dict)
    # what must not happen: sentences
    faults: list[str] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def began(self, session: str) -> None:
        self.begun.add(session)
        self._write("began", {"session": session})

    def answered(self, answer: Answer) -> None:
        self._write("answered", asdict(answer))
        self.answers.append(answer)

    def received(self, vote_id: str, received_at: str) -> None:
        self.receipts[vote_id].add(received_at)
        self._write("received", {"vote_id": vote_id, "received_at": received_at})

    def completed(self, session: str, code: str) -> None:
        self.codes[session] = code
        self._write("completed", {"session": session, "code": code})

    def fault(self, sentence: str) -> None:
        self.faults.append(sentence)
        self._write("fault", {"sentence": sentence})

    def _write(self, what: str, facts: dict[str, Any]) -> None:
        with self._lock, self.path.open("a") as file:
            file.write(json.dumps({"what": what, **facts}) + "\n")


@dataclass(frozen=True)
class Verdict:
    """How ledger and platform differ; `ok` when not at all."""

    answered: int
    stored: int
    lost: int
    # of the lost: those for which the platform had given a receipt
    lost_after_receipt: int
    doubled: int
    different: int
    # votes that nobody in the ledger gave
    unknown: int

    @property
    def ok(self) -> bool:
        return not (self.lost or self.doubled or self.different or self.unknown)


def judge(answers: Sequence[Answer], receipts: Iterable[str], stored: Sequence[Stored]) -> Verdict:
    """Compare what was answered with what is stored, by session and position, and by id where it is known."""
    held: dict[tuple[str, int], list[Stored]] = defaultdict(list)
    for vote in stored:
        held[vote.session, vote.position].append(vote)
    ids = Counter(vote.vote_id for vote in stored)
    with_receipt = set(receipts)
    lost = different = after_receipt = 0
    for answer in answers:
        found = held.get((answer.session, answer.position), [])
        if not found:
            lost += 1
            after_receipt += answer.vote_id in with_receipt
        elif not any(_same(answer, vote) for vote in found):
            different += 1
    # one trial has one vote, and one vote one trial
    on_a_trial = sum(len(votes) - 1 for votes in held.values())
    under_an_id = sum(times - 1 for times in ids.values())
    known = {(answer.session, answer.position) for answer in answers}
    return Verdict(
        answered=len(answers),
        stored=len(stored),
        lost=lost,
        lost_after_receipt=after_receipt,
        doubled=max(on_a_trial, under_an_id),
        different=different,
        unknown=sum(len(votes) for key, votes in held.items() if key not in known),
    )


def _same(answer: Answer, vote: Stored) -> bool:
    return (
        vote.data == answer.data
        and answer.vote_id in (None, vote.vote_id)
        and answer.clip_sha256 in (None, vote.clip_sha256)
    )
