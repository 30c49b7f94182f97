"""Cookies that mark browsers in which an account has signed in before (OWASP: device cookies).

Failed logins in such a browser are counted separately, so password guessing elsewhere does not block it.
"""

import secrets
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core import signing
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from accounts.models import User, digest_of

MAX_AGE_S = 180 * 24 * 3600
SALT = "accounts.known-device"
SIGNED_IN = "_signed_in_name"


def device_of(request: HttpRequest | None, username: str) -> str | None:
    """The id of this browser, if `username` has signed in here before."""
    signed = request.COOKIES.get(cookie_name(username)) if request is not None else None
    if signed is None:
        return None
    try:
        value = signing.loads(signed, salt=SALT, max_age=MAX_AGE_S)
    except signing.BadSignature:
        return None
    return str(value["device"]) if value["name"] == username.casefold() else None


def remember(request: HttpRequest, user: User, **_signal: Any) -> None:
    """Receiver of Django's login signal: requests a cookie for this browser."""
    setattr(request, SIGNED_IN, user.username)


class KnownDeviceMiddleware:
    """Sets the cookie on the response to a successful sign-in."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        username = getattr(request, SIGNED_IN, None)
        if username is not None:
            device = device_of(request, username) or secrets.token_urlsafe(16)
            response.set_cookie(
                cookie_name(username),
                signing.dumps({"name": username.casefold(), "device": device}, salt=SALT),
                max_age=MAX_AGE_S,
                secure=settings.SECURE_COOKIES,
                httponly=True,
                samesite="Strict",
            )
        return response


def cookie_name(username: str) -> str:
    # one cookie for each account that is used in this browser
    return f"{settings.COOKIE_PREFIX}device-{digest_of(username.casefold())[:12]}"
