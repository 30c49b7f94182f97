"""Signing in, with guessing slowed down per name."""

from datetime import timedelta

from django.contrib.auth import authenticate
from django.contrib.auth import login as start_session
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import FailedLogin, User, digest_of
from problems import Problem

FAILURES = 10
WINDOW = timedelta(minutes=5)


def login(request: HttpRequest, *, username: str, password: str) -> User:
    """The user, signed in; raises Problem 401 `wrong_credentials` or 429 `too_many_attempts`."""
    name = digest_of(username.casefold())
    FailedLogin.objects.filter(failed_at__lt=timezone.now() - WINDOW).delete()
    if FailedLogin.objects.filter(username_sha256=name).count() >= FAILURES:
        minutes = int(WINDOW.total_seconds() // 60)
        raise Problem(429, "too_many_attempts", f"Too many attempts; wait {minutes} minutes.", retry=True)
    user = authenticate(request, username=username, password=password)
    if not isinstance(user, User):
        FailedLogin.objects.create(username_sha256=name)
        raise Problem(401, "wrong_credentials", "This name and password do not fit; check both.")
    start_session(request, user)
    return user
