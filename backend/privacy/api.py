"""/api/withdrawals: what a participant's page calls to withdraw."""

import uuid
from typing import Annotated

from django.http import HttpRequest, HttpResponse
from ninja import Router
from ninja import Schema as NinjaSchema
from pydantic import ConfigDict, StringConstraints

from lib.problems import Problem
from lib.text import ONE_LINE
from privacy.codes import session_of
from privacy.withdrawal import Promises, Withdrawn, promises_to, withdraw
from ratings.cookies import drop_dead_cookies, is_here, is_owner, named_session, newest_begun_here
from ratings.models import Session
from ratings.previews import is_preview

router = Router(tags=["participant"])

# spaces around it come along where it is copied
Code = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=64), ONE_LINE]


class Schema(NinjaSchema):
    model_config = ConfigDict(extra="forbid")


class CodeIn(Schema):
    completion_code: Code


class WithdrawalIn(Schema):
    """Either the completion code, or the session that was begun in this browser, by its cookie."""

    completion_code: Code | None = None
    session_id: uuid.UUID | None = None


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
        if is_preview(named):
            raise Problem(409, "preview", "A preview leaves no data, so there is nothing to withdraw.")
        if not is_owner(request, named):
            raise Problem(
                401,
                "no_session",
                "This session was begun in another browser; withdraw there or by the completion code.",
            )
        return named
    message = "Send either completion_code or session_id."
    raise Problem(422, "invalid", message, details={"field": "completion_code"})
