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
    """Either the completion code, or the id of a session that was started in this browser."""

    completion_code: Code | None = None
    session_id: UUID | None = None


class Promise(Schema):
    """The consent of one session, in the version to which the participant agreed."""

    title: Text
    languages: list[str]
    consent_version: str
    consent: Text
    retention: Text | None
    contact: str
    # null if only the code is known
    votes: int | None


class Promises(Schema):
    """All sessions of one participant, which belong to one study; erasure affects all of them.

    With the code alone the response contains neither the session id nor the number of votes and sessions. An export
    has both, so a recruiter's list of codes could otherwise lead to a participant's answers.
    """

    session_id: UUID | None
    promises: list[Promise]


class LeftExport(Schema):
    """An export that was downloaded before; only its holder can delete it."""

    exported_at: datetime


class Withdrawn(Schema):
    """Numbers of erased rows, and exports that could not be erased."""

    erased_at: datetime
    sessions: int
    votes: int
    plays: int
    answers_about_person: int
    recruiter_ids: int
    snapshots: int
    exports: list[LeftExport]


class ExportRow(Schema):
    """An export. `withdrawn` counts its participants who were erased since; if any, its holder must delete it."""

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
    """Data about a study's participants beside their answers, and the erasures so far."""

    recruiter_ids: int
    retention_months: int | None
    erasures: list[ErasureRow]


class Forget(Schema):
    """`confirm` is the study's name, because deleted ids cannot be restored."""

    confirm: str


class Forgotten(Schema):
    recruiter_ids: int


class BatchOfStudy(Schema):
    """The study's batch, and how many `other_studies` use it."""

    sha256: str
    campaign: str
    bytes: int
    other_studies: int


class Contents(Schema):
    """Numbers of things that the deletion of a study deletes; `erased` are participants who were erased before."""

    links: int
    sessions: int
    votes: int
    erased: int
    recruiter_ids: int
    snapshots: int
    exports: int
    batch: BatchOfStudy
    # names of the studies that have this one as parent, which prevent its deletion
    later_versions: list[str]


class Deletion(Schema):
    """`confirm` is the study's name; `with_batch` also deletes its batch, which no other study may use."""

    confirm: str
    with_batch: bool = False
