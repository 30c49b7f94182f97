"""Session limits: a sign-in ends after 12 hours, or after 2 hours without a request."""

import time
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib.auth import logout
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from accounts.session_store import BEGUN, BROWSER, SEEN
from lib.browsers import browser_of

# one write per minute is enough to know when an account was last used
STEP_S = 60


def begin(request: HttpRequest, **_signal: Any) -> None:
    """Give the sign-in a new key, start both limits, and store the kind of its browser."""
    # Django makes a new key only if another user was signed in before
    request.session.cycle_key()
    request.session[BEGUN] = request.session[SEEN] = int(time.time())
    request.session[BROWSER] = browser_of(request.headers.get("User-Agent", ""))


class SessionLimitsMiddleware:
    """Ends a sign-in that is too old, or unused for too long."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        # participants and programs have no session cookie, so no session is read for them
        if settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated:
            self._limit(request, now=int(time.time()))
        return self.get_response(request)

    def _limit(self, request: HttpRequest, *, now: int) -> None:
        begun = request.session.get(BEGUN, 0)
        seen = request.session.get(SEEN, begun)
        if now - begun >= settings.SESSION_COOKIE_AGE or now - seen >= settings.SESSION_IDLE_S:
            logout(request)
        elif SEEN not in request.session or now - seen >= STEP_S:
            request.session[SEEN] = now
