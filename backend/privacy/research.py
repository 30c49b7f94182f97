"""/api/research: exports that were handed out, erasures, and the recruiter's ids of a study."""

from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.http import HttpRequest
from ninja import Router, Schema

from accounts.permissions import account, reader, researcher
from audit.log import record
from audit.models import What
from exports.models import Export
from lib.problems import Problem
from privacy.ledger import LedgerError
from privacy.models import Erasure
from privacy.recruiters import forget_recruiter_ids, of_study
from studies.permissions import study_for

router = Router(tags=["studies"])


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


@router.get("/research/studies/{sha256}/exports", response=list[ExportRow], auth=reader)
def exports(request: HttpRequest, sha256: str) -> list[ExportRow]:
    study = study_for(account(request), sha256)
    erasures = list(Erasure.objects.filter(studies__contains=[study.pk]))
    return [
        _export_row(export, [one for one in erasures if export.pk in one.exports])
        for export in Export.objects.select_related("exported_by").filter(study=study)
    ]


@router.get("/research/studies/{sha256}/privacy", response=Privacy, auth=reader)
def privacy(request: HttpRequest, sha256: str) -> Privacy:
    study = study_for(account(request), sha256)
    retention = study.design.get("retention")
    return Privacy(
        recruiter_ids=of_study(study.pk).count(),
        retention_months=retention["months"] if retention else None,
        erasures=[ErasureRow.from_orm(one) for one in Erasure.objects.filter(studies__contains=[study.pk])],
    )


@router.post("/research/studies/{sha256}/recruiter-ids/forget", response=Forgotten, auth=researcher)
def forget(request: HttpRequest, sha256: str, body: Forget) -> Forgotten:
    user = account(request)
    study = study_for(user, sha256, "edit")
    if body.confirm != study.name:
        message = f"confirm is {body.confirm!r}, but must be the study's name, {study.name}."
        raise Problem(422, "invalid", message, details={"field": "confirm"})
    try:
        with transaction.atomic():
            count = forget_recruiter_ids(study)
            record(user, What.ERASE, study, {"recruiter_ids": count})
    except LedgerError as error:
        raise Problem(503, "ledger", str(error), retry=True) from error
    return Forgotten(recruiter_ids=count)


def _export_row(export: Export, withdrawn: list[Erasure]) -> ExportRow:
    return ExportRow(
        id=export.pk,
        exported_at=export.exported_at,
        exported_by=export.exported_by.username if export.exported_by else None,
        snapshot_sha256=export.snapshot_sha256,
        votes=export.votes,
        sessions=export.sessions,
        withdrawn=len(withdrawn),
        withdrawn_at=max((one.erased_at for one in withdrawn), default=None),
    )
