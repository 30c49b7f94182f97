"""Bodies of the API: exports that were asked for."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from ninja import Schema
from pydantic import ConfigDict

from analysis.models import ResultOrigin
from exports.models import ExportState, Reason


class ExportIn(Schema):
    """Whose votes: those of people, or of all sessions."""

    model_config = ConfigDict(extra="forbid")

    origin: ResultOrigin = ResultOrigin.PERSON


class ExportJobOut(Schema):
    """An export that the caller asked for. `of` and `seconds_left` are null where unknown, `file` until it is done."""

    id: UUID
    state: ExportState
    origin: ResultOrigin
    snapshot_sha256: str
    votes: int
    # what a running one is at: reading, then packing `done` rows of `of`, excluded ones included
    step: Literal["", "tables", "packing"]
    done: int
    of: int | None
    seconds_left: float | None
    # why it failed or has no file, or why the last attempt failed; empty otherwise
    reason: Reason | Literal[""]
    message: str
    asked_at: datetime
    finished_at: datetime | None
    expires_at: datetime | None
    size_bytes: int | None
    sha256: str | None
    # path of the file
    file: str | None
