"""Request and response bodies of the withdrawal and privacy APIs."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from ninja import Schema
from pydantic import ConfigDict, StringConstraints

from lib.text import ONE_LINE

Text = dict[str, str]
# spaces around a copied code are dropped
Code = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=64), ONE_LINE]


class Body(Schema):
    model_config = ConfigDict(extra="forbid")


class CodeIn(Body):
    completion_code: Code


class WithdrawalIn(Body):
    """Either the completion code, or the session that was begun in this browser, by its cookie."""

    completion_code: Code | None = None
    session_id: UUID | None = None


class Promise(Schema):
    """What one session's consent said, as it was agreed to."""

    title: Text
    languages: list[str]
    consent_version: str
    consent: Text
    retention: Text | None
    contact: str
    # null for whoever has the code alone
    votes: int | None


class Promises(Schema):
    """All sessions of one participant, which are of one study; erasing takes all of them.

    The export names sessions and has a row for each vote, so whoever has the code alone is told neither the id nor how
    many votes and sessions there are: a recruiter's list of codes must not lead to anybody's answers.
    """

    session_id: UUID | None
    promises: list[Promise]


class LeftExport(Schema):
    """A copy that was handed out before, and which only its holder can delete."""

    exported_at: datetime


class Withdrawn(Schema):
    """What was erased, and what could not be."""

    erased_at: datetime
    sessions: int
    votes: int
    plays: int
    answers_about_person: int
    recruiter_ids: int
    snapshots: int
    exports: list[LeftExport]


class ExportRow(Schema):
    """One export; `withdrawn` counts participants in it who were erased since: then it is to be deleted."""

    id: UUID
    exported_at: datetime
    exported_by: str | None
    snapshot_sha256: str
    votes: int
    sessions: int
    withdrawn: int
    withdrawn_at: datetime | None


class ErasureRow(Schema):
    id: UUID
    erased_at: datetime
    by: str
    votes: int
    snapshots: list[str]
    exports: list[UUID]


class Privacy(Schema):
    """What of a study's participants is kept besides their answers, and who has withdrawn."""

    recruiter_ids: int
    retention_months: int | None
    erasures: list[ErasureRow]


class Forget(Schema):
    """The study's name again: what is lost is lost."""

    confirm: str


class Forgotten(Schema):
    recruiter_ids: int
