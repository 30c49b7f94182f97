"""Endpoints /api/withdrawals for participants, and /api/research for exports, erasures, recruiter ids and deletion."""

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from ninja import Router

from accounts.permissions import account, reader, researcher
from audit.log import record
from audit.models import What
from exports.models import Export
from lib.problems import Problem
from privacy.code_lookup import session_of
from privacy.erasure_ledger import LedgerError
from privacy.models import Erasure
from privacy.recruiter_ids import forget_recruiter_ids, of_study
from privacy.schemas import (
    CodeIn,
    Contents,
    Deletion,
    ErasureRow,
    ExportRow,
    Forget,
    Forgotten,
    Privacy,
    Promises,
    WithdrawalIn,
    Withdrawn,
)
from privacy.study_deletion import contents, delete_study
from privacy.withdrawal import promises_to, withdraw
from ratings.cookies import drop_dead_cookies, is_here, is_owner, named_session, newest_begun_here
from ratings.models import Session
from studies.models import Study
from studies.permissions import study_for

router = Router(tags=["participant"])
research_router = Router(tags=["studies"])


@router.get("/withdrawals/own", response=Promises)
def own(request: HttpRequest) -> Promises:
    return promises_to(newest_begun_here(request), here=True)


@router.post("/withdrawals/lookup", response=Promises)
def lookup(request: HttpRequest, body: CodeIn) -> Promises:
    session = session_of(body.completion_code)
    return promises_to(session, here=is_here(request, session))


@router.post("/withdrawals", response=Withdrawn)
def post_withdrawal(request: HttpRequest, response: HttpResponse, body: WithdrawalIn) -> Withdrawn:
    session = _meant(request, body)
    done = withdraw(session.participant)
    drop_dead_cookies(request, response)
    return done


def _meant(request: HttpRequest, body: WithdrawalIn) -> Session:
    if body.completion_code is not None and body.session_id is None:
        return session_of(body.completion_code)
    if body.session_id is not None and body.completion_code is None:
        named = named_session(request, body.session_id)
        if named.is_preview:
            raise Problem(409, "preview", "A preview stores no data, so there is nothing to withdraw.")
        if not is_owner(request, named):
            raise Problem(
                401,
                "no_session",
                "This session was started in another browser; withdraw there, or with the completion code.",
            )
        return named
    message = "Send either completion_code or session_id, but not both."
    raise Problem(422, "invalid", message, details={"field": "completion_code"})


@research_router.get(
    "/research/studies/{sha256}/exports", response=list[ExportRow], auth=reader, operation_id="privacy_research_exports"
)
def exports(request: HttpRequest, sha256: str) -> list[ExportRow]:
    study = study_for(account(request), sha256)
    erasures = list(Erasure.objects.filter(studies__contains=[study.pk]))
    return [
        _export_row(export, [erasure for erasure in erasures if export.pk in erasure.exports])
        # deferred, because each export lists all of its sessions
        for export in Export.objects.select_related("exported_by").defer("session_ids").filter(study=study)
    ]


@research_router.get(
    "/research/studies/{sha256}/privacy", response=Privacy, auth=reader, operation_id="privacy_research_privacy"
)
def privacy(request: HttpRequest, sha256: str) -> Privacy:
    study = study_for(account(request), sha256)
    retention = study.design.retention
    return Privacy(
        recruiter_ids=of_study(study.pk).count(),
        retention_months=retention.months if retention else None,
        erasures=[ErasureRow.from_orm(erasure) for erasure in Erasure.objects.filter(studies__contains=[study.pk])],
    )


@research_router.post(
    "/research/studies/{sha256}/recruiter-ids/forget",
    response=Forgotten,
    auth=researcher,
    operation_id="privacy_research_forget",
)
def forget(request: HttpRequest, sha256: str, body: Forget) -> Forgotten:
    user = account(request)
    study = study_for(user, sha256, "edit")
    _demand_name(study, body.confirm)
    try:
        with transaction.atomic():
            count = forget_recruiter_ids(study)
            record(user, What.ERASE, study, {"recruiter_ids": count})
    except LedgerError as error:
        raise Problem(503, "ledger", str(error), retry=True) from error
    return Forgotten(recruiter_ids=count)


@research_router.get(
    "/research/studies/{sha256}/deletion",
    response=Contents,
    auth=researcher,
    operation_id="privacy_research_deletion",
)
def deletion(request: HttpRequest, sha256: str) -> Contents:
    return Contents.from_orm(contents(study_for(account(request), sha256, "share")))


@research_router.post(
    "/research/studies/{sha256}/deletion",
    response=Contents,
    auth=researcher,
    operation_id="privacy_research_delete",
)
def post_deletion(request: HttpRequest, sha256: str, body: Deletion) -> Contents:
    user = account(request)
    study = study_for(user, sha256, "share")
    _demand_name(study, body.confirm)
    try:
        return Contents.from_orm(delete_study(study, by=user, with_batch=body.with_batch))
    except LedgerError as error:
        raise Problem(503, "ledger", str(error), retry=True) from error


def _demand_name(study: Study, confirm: str) -> None:
    if confirm != study.name:
        message = f"confirm is {confirm!r}, but must be the study's name, {study.name}."
        raise Problem(422, "invalid", message, details={"field": "confirm"})


def _export_row(export: Export, withdrawn: list[Erasure]) -> ExportRow:
    return ExportRow(
        id=export.pk,
        exported_at=export.exported_at,
        exported_by=export.exported_by.username if export.exported_by else None,
        snapshot_sha256=export.snapshot_sha256,
        votes=export.votes,
        sessions=export.sessions,
        withdrawn=len(withdrawn),
        withdrawn_at=max((erasure.erased_at for erasure in withdrawn), default=None),
    )
