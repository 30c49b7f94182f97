"""Endpoints for payment: the list of participants to pay, and the comparison of a recruiter's list with the study."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import asdict

from django.http import HttpRequest, HttpResponse
from ninja import Router, Status

from accounts.permissions import account, researcher
from audit.log import record
from audit.models import What
from eyelevel_core.study.submissions import FORMATS, Format
from eyelevel_core.tables import Language
from lib.problems import Problem
from payment import events
from payment.accepted import accepted_csv
from payment.accounts_of import accounts_of, declining_codes, paying_codes, recruiter_of_group
from payment.books import Action, Claim, Entry, books
from payment.lists import File, files, read
from payment.prolific import Prolific, is_from_prolific
from payment.reasons import explanation
from payment.schemas import BooksOut, ListIn, ProlificIn, ProlificOut
from studies.models import Study
from studies.permissions import study_of_owner

router = Router(tags=["payment"])


@router.get("/research/studies/{sha256}/conformance/accepted.csv", auth=researcher)
def accepted(request: HttpRequest, sha256: str) -> HttpResponse:
    text = accepted_csv(account(request), sha256)
    headers = {"Content-Disposition": 'attachment; filename="accepted.csv"', "Cache-Control": "no-store"}
    return HttpResponse(text, content_type="text/csv; charset=utf-8", headers=headers)


@router.post("/research/studies/{sha256}/books", response=BooksOut, auth=researcher)
def post_books(request: HttpRequest, response: HttpResponse, sha256: str, body: ListIn) -> dict[str, object]:
    """Compare a recruiter's list with the study. The list is not stored; only the owner may call this."""
    user = account(request)
    study = study_of_owner(user, sha256)
    recruiter_of_group(study, body.group)
    form = FORMATS.get(body.format, Format(body.person, body.submission, body.code))
    rows, claims = read(body.text, form)
    simulated_too = body.origin == "all"
    entries = _compared(study, body.group, claims, can_return=form.can_return, simulated_too=simulated_too)
    record(user, What.EXPORT, study, {"file": "books", "participants": len(entries)})
    response["Cache-Control"] = "no-store"
    return _out(entries, files(body.format, rows, entries, language=body.lang), body.lang)


@router.post("/research/studies/{sha256}/books/prolific", response=ProlificOut, auth=researcher)
def post_prolific(request: HttpRequest, response: HttpResponse, sha256: str, body: ProlificIn) -> dict[str, object]:
    """Compare the list of Prolific's API with the study; approve confirmed submissions, or ask to return them.

    The token is used for this call only. This call never rejects a submission, which only a person may do.
    """
    user = account(request)
    study = study_of_owner(user, sha256)
    recruiter_of_group(study, body.group)
    prolific = Prolific(body.token)
    claims, asked = prolific.submissions(body.study_id)
    entries = _compared(study, body.group, claims, can_return=True)
    due = {entry.submission: entry for entry in entries if entry.submission not in asked}
    approve = [key for key, entry in due.items() if entry.action is Action.APPROVE]
    back = [key for key, entry in due.items() if entry.action is Action.RETURN]
    details = {"file": "Prolific", "participants": len(entries)}
    # before any payment, so that it is in the log even if a later call fails
    record(user, What.EXPORT, study, details | {"approve": len(body.approve), "ask_to_return": len(body.ask_to_return)})
    applied = None
    if body.approve or body.ask_to_return:
        # the confirmed submissions that are still due
        applied = _apply(prolific, set(approve) & set(body.approve), set(back) & set(body.ask_to_return), due)
    response["Cache-Control"] = "no-store"
    out = _out(entries, files("prolific", (), entries, language=body.lang), body.lang)
    return out | {"approve": approve, "ask_to_return": back, "applied": applied}


def _apply(
    prolific: Prolific, approve: Collection[str], back: Collection[str], due: Mapping[str, Entry]
) -> dict[str, object]:
    """Approve these submissions and ask to return the others; continues if Prolific rejects one."""
    prolific.approve(sorted(approve))
    failed = []
    for submission in sorted(back):
        try:
            prolific.ask_to_return(submission, due[submission].why)
        except Problem:
            failed.append(submission)
    return {"approved": len(approve), "asked_to_return": len(back) - len(failed), "failed": failed}


@router.post("/recruiters/prolific/events", response={204: None})
def post_event(request: HttpRequest) -> Status[None]:
    """Receive Prolific's webhook `submission.status.change`; 403 unless it is signed with EYELEVEL_PROLIFIC_SECRET."""
    signature = request.headers.get("X-Prolific-Request-Signature", "")
    timestamp = request.headers.get("X-Prolific-Request-Timestamp", "")
    if not is_from_prolific(request.body, signature=signature, timestamp=timestamp):
        raise Problem(403, "forbidden", "The signature is invalid; check EYELEVEL_PROLIFIC_SECRET and the clock.")
    events.take(request.body)
    return Status(204, None)


def _compared(
    study: Study, group: str, claims: list[Claim], *, can_return: bool, simulated_too: bool = False
) -> list[Entry]:
    recruiter = recruiter_of_group(study, group)
    accounts = accounts_of(study, group, recruiter, simulated_too=simulated_too)
    if claims and accounts and not {claim.person for claim in claims} & {account.person for account in accounts}:
        message = f"Nobody in this list took part in group {group!r}; choose the list that belongs to the group."
        raise Problem(422, "invalid", message, details={"field": "list"})
    paying, declining = paying_codes(recruiter), declining_codes(recruiter)
    return books(claims, accounts, paying=paying, declining=declining, can_return=can_return)


def _out(entries: list[Entry], written: list[File], language: Language) -> dict[str, object]:
    return {
        "entries": [asdict(entry) | {"explanation": explanation(entry, language)} for entry in entries],
        "actions": dict(Counter(entry.action.value for entry in entries)),
        "files": [asdict(file) for file in written],
    }
