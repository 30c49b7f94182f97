"""Ledger of erasures: objects outside the database, used to repeat the erasures after a database restore.

Each entry is a separate object, so several hosts can add entries at the same time. Entries never change. An entry is
one line of JSON: `{"id", "erased_at", "participant", "by"}` for a participant, `{"id", "erased_at", "study"}` for the
recruiter's ids of a study, and the latter with `"deleted": true` for a deleted study. It contains random ids, digests
of studies and times only. The ledger of a backup is one object with several lines.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from eyelevel_store import Store, StoreError
from lib import stores


class LedgerError(Exception):
    """The ledger cannot be read or written; the message says what to do."""


@dataclass(frozen=True)
class Entry:
    """One erasure: of a participant, of the recruiter's ids that a study had at that time, or of the whole study."""

    id: UUID
    erased_at: datetime
    participant: UUID | None = None
    by: str | None = None
    study: str | None = None
    deleted: bool = False

    def line(self) -> bytes:
        fields: dict[str, object] = {"id": str(self.id), "erased_at": self.erased_at.isoformat()}
        if self.participant is not None:
            fields |= {"participant": str(self.participant), "by": self.by or ""}
        if self.study is not None:
            fields |= {"study": self.study} | ({"deleted": True} if self.deleted else {})
        return json.dumps(fields).encode() + b"\n"

    @property
    def key(self) -> str:
        """Its key in the store; keys sort by time."""
        return f"{self.erased_at.astimezone(UTC):%Y%m%dT%H%M%S%f}-{self.id}.json"


def append(entries: Iterable[Entry], store: Store | None = None) -> None:
    """Add entries, and return once they are durably stored; raises LedgerError."""
    store = store or stores.erasures()
    try:
        for entry in entries:
            store.put(entry.key, entry.line())
    except OSError as error:
        message = f"The ledger of erasures {store.address} cannot be written ({error.strerror})"
        raise LedgerError(f"{message}; check the folder's permissions and the free space.") from None
    except StoreError as error:
        raise LedgerError(f"The ledger of erasures cannot be written. {error}") from None


def read(store: Store | None = None) -> list[Entry]:
    """All entries, oldest first. Raises LedgerError, which names the object and line."""
    store = store or stores.erasures()
    try:
        texts = {entry.key: store.read(entry.key) for entry in store.list()}
    except OSError as error:
        raise LedgerError(
            f"The ledger of erasures {store.address} cannot be read ({error.strerror}); check the folder's permissions."
        ) from None
    except StoreError as error:
        raise LedgerError(f"The ledger of erasures cannot be read. {error}") from None
    entries = {
        entry.id: entry
        for key, text in texts.items()
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip()
        for entry in (_entry(line, f"{store.address}/{key}, line {number}"),)
    }
    return sorted(entries.values(), key=lambda entry: entry.erased_at)


def _entry(line: bytes, where: str) -> Entry:
    try:
        fields: dict[str, Any] = json.loads(line)
        participant, study = fields.get("participant"), fields.get("study")
        return Entry(
            id=UUID(fields["id"]),
            erased_at=datetime.fromisoformat(fields["erased_at"]),
            # an entry without a study must have a participant
            participant=None if study is not None else UUID(participant),
            by=fields.get("by"),
            study=study,
            deleted=fields.get("deleted") is True,
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise LedgerError(f"{where} is not a ledger entry ({error}); restore the file from a copy.") from None
