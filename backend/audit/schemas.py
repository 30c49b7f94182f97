"""Response bodies of the audit log's API."""

from datetime import datetime
from typing import Any

from ninja import Schema


class EntryRow(Schema):
    id: int
    at: datetime
    # null for a command on the server
    actor: str | None
    what: str
    # study, fielding, account, batch or other
    kind: str
    # name of the subject; a fielding's begins with the name of its study
    target: str
    study_sha256: str | None
    details: dict[str, Any]


class AuditPage(Schema):
    entries: list[EntryRow]
    # pass this as `before` to get the next page; null on the last page
    before: int | None
