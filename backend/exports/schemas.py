"""Bodies of the API: export jobs."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from ninja import Schema
from pydantic import ConfigDict

from analysis.models import ResultOrigin
from exports.models import ExportState, Reason


class ExportIn(Schema):
    """Origin of the votes: those of people, or of all sessions."""

    model_config = ConfigDict(extra="forbid")

    origin: ResultOrigin = ResultOrigin.PERSON


class ExportJobOut(Schema):
    """An export that the caller requested. `of` and `seconds_left` are null if unknown, `file` until it is done."""

    id: UUID
    state: ExportState
    origin: ResultOrigin
    snapshot_sha256: str
    votes: int
    # step of a running export: reading votes, then packing; `done` of `of` rows are packed, excluded ones included
    step: Literal["", "tables", "packing"]
    done: int
    of: int | None
    seconds_left: float | None
    # reason why it or its last attempt failed, or why it has no file; empty otherwise
    reason: Reason | Literal[""]
    message: str
    asked_at: datetime
    finished_at: datetime | None
    expires_at: datetime | None
    size_bytes: int | None
    sha256: str | None
    # path of the file
    file: str | None
