"""Rate limit of password guesses per user name, for our login and for Django's admin pages."""

from datetime import timedelta
from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import FailedLogin, User, digest_of

FAILURES = 10
WINDOW = timedelta(minutes=5)


def too_many_attempts(username: str) -> bool:
    FailedLogin.objects.filter(failed_at__lt=timezone.now() - WINDOW).delete()
    return FailedLogin.objects.filter(username_sha256=_key(username)).count() >= FAILURES


class ThrottledBackend(ModelBackend):
    """Name and password, as Django checks them; after too many failures nobody is let in under the name for a while."""

    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **kwargs: Any
    ) -> User | None:
        if username is None or password is None:
            return None
        if too_many_attempts(username):
            raise PermissionDenied
        user = super().authenticate(request, username=username, password=password, **kwargs)
        if user is None:
            FailedLogin.objects.create(username_sha256=_key(username))
        return user


def _key(username: str) -> str:
    return digest_of(username.casefold())
