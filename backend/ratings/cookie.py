"""The participant's cookie."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from problems import Problem
from ratings import sessions
from ratings.models import Session

COOKIE = "eyelevel_session"
# long enough to come back after a broken connection
MAX_AGE_S = 7 * 24 * 3600


def set_cookie(response: HttpResponse, token: str) -> None:
    response.set_cookie(
        COOKIE, token, max_age=MAX_AGE_S, httponly=True, samesite="Strict", secure=settings.SECURE_COOKIES
    )


def participant_session(request: HttpRequest) -> Session:
    """The session that the cookie names; raises Problem 401 `no_session`."""
    token = request.COOKIES.get(COOKIE)
    found = sessions.find(token) if token else None
    if found is None:
        raise Problem(401, "no_session", "There is no session here; open the study's link again.")
    return found
