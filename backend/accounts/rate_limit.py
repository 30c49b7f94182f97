"""Limits of wrong passwords, for our login and for Django's admin pages. No address is stored.

Each browser known to the account has a separate limit. All others share one limit per name and one over all names.
"""

from typing import Any

from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.backends import ModelBackend
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils import timezone

from accounts.known_devices import device_of
from accounts.login_counts import WINDOW, count, uncount
from accounts.models import User, digest_of
from lib.problems import Problem

# per name, and per known browser
FAILURES = 10
# of unknown browsers, over all names: a hash takes 0.3 s of a core, so guessing takes 6 % of one at most
FAILURES_OF_ALL = 60
EVERYBODY = "everybody"


class LimitedBackend(ModelBackend):
    """Checks name and password as Django does; raises Problem 429 `too_many_attempts` before that, or `busy`."""

    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **kwargs: Any
    ) -> User | None:
        if username is None or password is None:
            return None
        counted = _count(_limits(request, username))
        try:
            user = super().authenticate(request, username=username, password=password, **kwargs)
        except BaseException:
            _uncount(counted)
            raise
        if user is not None:
            _uncount(counted)
        return user


class LimitedAuthenticationForm(AdminAuthenticationForm):
    """The form of Django's admin pages; shows the limits' sentences as errors of the form."""

    def clean(self) -> dict[str, Any]:
        try:
            return super().clean()
        except Problem as problem:
            raise ValidationError(problem.message) from None


def _limits(request: HttpRequest | None, username: str) -> dict[str, int]:
    """The buckets in which this attempt counts, with their limits."""
    device = device_of(request, username)
    if device is not None:
        return {f"device {digest_of(device)}": FAILURES}
    return {f"name {digest_of(username.casefold())}": FAILURES, EVERYBODY: FAILURES_OF_ALL}


def _count(limits: dict[str, int]) -> list[str]:
    now = timezone.now()
    counted: list[str] = []
    for bucket, limit in limits.items():
        if not count(bucket, limit=limit, now=now):
            _uncount(counted)
            minutes = int(WINDOW.total_seconds() // 60)
            raise Problem(429, "too_many_attempts", f"Too many attempts; wait {minutes} minutes.", retry=True)
        counted.append(bucket)
    return counted


def _uncount(buckets: list[str]) -> None:
    for bucket in buckets:
        uncount(bucket)
