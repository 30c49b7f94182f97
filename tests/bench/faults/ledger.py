"""What participants did, as they know it: a file of lines that the platform never sees, and the comparison with it."""

import json
import threading
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

Kind = Literal["vote", "play", "control"]


@dataclass(frozen=True)
class Deed:
    """What a participant did once in a place: gave a vote, watched a film to its end, answered a control question.

    `place` is the trial's position, or the question's key. What the participant cannot know is None or not in `data`:
    of what a browser's page sent, only the clicks are known.
    """

    session: str
    place: int | str
    data: dict[str, Any]
    clip_sha256: str | None = None
    id: str | None = None


@dataclass(frozen=True)
class Stored:
    """One deed as the platform holds it."""

    id: str
    session: str
    place: int | str
    data: dict[str, Any]
    clip_sha256: str | None = None


@dataclass
class Ledger:
    """Lines are written and flushed before what they tell of is sent, or as soon as it is known."""

    path: Path
    deeds: dict[Kind, list[Deed]] = field(default_factory=lambda: defaultdict(list))
    # per kind: id -> every moment of receipt that the platform named for it
    receipts: dict[Kind, dict[str, set[str]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(set)))
    begun: set[str] = field(default_factory=set)
    codes: dict[str, str] = field(default_factory=dict)
    # what must not happen: sentences
    faults: list[str] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def began(self, session: str) -> None:
        self.begun.add(session)
        self._write("began", {"session": session})

    def did(self, kind: Kind, deed: Deed) -> None:
        self._write(kind, asdict(deed))
        self.deeds[kind].append(deed)

    def received(self, kind: Kind, deed_id: str, received_at: str) -> None:
        self.receipts[kind][deed_id].add(received_at)
        self._write("received", {"kind": kind, "id": deed_id, "received_at": received_at})

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

    given: int
    stored: int
    lost: int
    # of the lost: those for which the platform had given a receipt
    lost_after_receipt: int
    doubled: int
    different: int
    # those that nobody in the ledger did
    unknown: int

    @property
    def ok(self) -> bool:
        return not (self.lost or self.doubled or self.different or self.unknown)


def judge(given: Sequence[Deed], receipts: Iterable[str], stored: Sequence[Stored]) -> Verdict:
    """Compare deeds of one kind with what is stored, by session and place, and by id where it is known."""
    held: dict[tuple[str, int | str], list[Stored]] = defaultdict(list)
    for row in stored:
        held[row.session, row.place].append(row)
    ids = Counter(row.id for row in stored)
    with_receipt = set(receipts)
    lost = different = after_receipt = 0
    for deed in given:
        found = held.get((deed.session, deed.place), [])
        if not found:
            lost += 1
            after_receipt += deed.id in with_receipt
        elif not any(_same(deed, row) for row in found):
            different += 1
    # one place has one deed, and one deed one place
    in_a_place = sum(len(rows) - 1 for rows in held.values())
    under_an_id = sum(times - 1 for times in ids.values())
    known = {(deed.session, deed.place) for deed in given}
    return Verdict(
        given=len(given),
        stored=len(stored),
        lost=lost,
        lost_after_receipt=after_receipt,
        doubled=max(in_a_place, under_an_id),
        different=different,
        unknown=sum(len(rows) for key, rows in held.items() if key not in known),
    )


def _same(deed: Deed, row: Stored) -> bool:
    return (
        all(row.data.get(name) == value for name, value in deed.data.items())
        and deed.id in (None, row.id)
        and deed.clip_sha256 in (None, row.clip_sha256)
    )
