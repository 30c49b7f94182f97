"""The participant's cookie."""

import uuid

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from problems import Problem
from ratings import sessions
from ratings.models import Session

COOKIE = f"{settings.COOKIE_PREFIX}eyelevel_session"
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


def named_session(request: HttpRequest, session_id: uuid.UUID) -> Session:
    """The cookie's session, which must be the one that the page means.

    A browser has one cookie: a second tab may have begun another session meanwhile. Raises Problem 401 `no_session`
    or 409 `other_session`.
    """
    found = participant_session(request)
    if found.pk != session_id:
        raise Problem(409, "other_session", "This browser has begun another session since; this one takes no more.")
    return found
