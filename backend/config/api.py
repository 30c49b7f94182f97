"""The API object: the JSON shape of all errors, and the routers of the apps."""

import logging
from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError
from ninja.parser import Parser

from accounts.permissions import account, researcher
from audit.api import audit_router
from eyelevel_core.contracts import parse_json
from lib.failures import failure
from lib.problems import Problem
from lib.room import no_room
from ratings import problems_shown
from studies.permissions import audited_studies

log = logging.getLogger(__name__)


class JsonParser(Parser):
    """Requires the content type application/json, which a page of another origin cannot send without permission."""

    def parse_body(self, request: HttpRequest) -> Any:
        if request.content_type != "application/json":
            raise Problem(400, "not_json", f"The body is {request.content_type!r}; send application/json.")
        try:
            return parse_json(request.body)
        except ValueError as error:
            raise Problem(400, "not_json", f"The body is not valid JSON: {error}.") from None


api = NinjaAPI(title="Eyelevel", version="1", docs_url=None, openapi_url="openapi.json", parser=JsonParser())

api.add_router("/auth", "accounts.api.router")
api.add_router("/accounts", "accounts.api.accounts_router")
api.add_router("", "stimuli.api.router")
api.add_router("", "studies.api.router")
api.add_router("", "ratings.api.router")
api.add_router("", "health.probe.router")
api.add_router("", "health.api.router")
api.add_router("", "conformance.api.router")
api.add_router("", "payment.api.router")
api.add_router("", "fieldwork.api.router")
api.add_router("", "analysis.api.router")
api.add_router("", "exports.api.router")
api.add_router("", "privacy.api.router")
api.add_router("", "privacy.api.research_router")
api.add_router("", audit_router(auth=researcher, scope=lambda request, study: audited_studies(account(request), study)))


@api.exception_handler(Problem)
def _problem(request: HttpRequest, problem: Problem) -> HttpResponse:
    problems_shown.count(request, problem)
    wait_s = problem.details.get("retry_after_s")
    headers = {} if wait_s is None else {"Retry-After": str(wait_s)}
    return JsonResponse(problem.as_json(), status=problem.status, headers=headers)


@api.exception_handler(ValidationError)
def _invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    first = error.errors[0]
    # ninja's path begins with the source of the value and the argument's name
    field = _dotted(first["loc"][2:] if first["loc"][0] == "body" else first["loc"][1:])
    message = f"{field or 'The body'} is invalid: {first['msg']}."
    return _problem(request, Problem(422, "invalid", message, details={"field": field}))


@api.exception_handler(AuthenticationError)
def _unauthenticated(request: HttpRequest, _error: AuthenticationError) -> HttpResponse:
    return _problem(request, Problem(401, "not_signed_in", "This requires an account; sign in or send a valid token."))


@api.exception_handler(HttpError)
def _http(request: HttpRequest, error: HttpError) -> HttpResponse:
    # ninja wraps the Problem that `JsonParser` raises
    cause = error.__cause__
    return _problem(request, cause if isinstance(cause, Problem) else Problem(error.status_code, "refused", str(error)))


@api.exception_handler(Http404)
def _missing(request: HttpRequest, _error: Http404) -> HttpResponse:
    return _problem(request, Problem(404, "not_found", "Nothing exists at this address; check it."))


@api.exception_handler(Exception)
def _unexpected(request: HttpRequest, error: Exception) -> HttpResponse:
    if (known := no_room(error)) is not None:
        log.warning("%s: %s", known.code, type(error).__name__)
        return _problem(request, known)
    # the route and the class of the error, but neither path nor message, which may contain a participant's input
    route = request.resolver_match.route if request.resolver_match else "?"
    log.error("%s %s failed", request.method, route, extra=failure(error))
    return _problem(request, Problem(500, "internal", "An error occurred on the server; try again later.", retry=True))


def _dotted(parts: Sequence[str | int]) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in parts).lstrip(".")
