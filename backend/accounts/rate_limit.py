"""Limits on wrong passwords and wrong codes of a second factor, without storing IP addresses.

Each browser known to the account has a separate limit. All others share one limit per name and one over all names.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeVar

from django.contrib.auth.backends import ModelBackend
from django.http import HttpRequest
from django.utils import timezone

from accounts.known_devices import device_of
from accounts.login_counts import DAY, OF_A_DAY, WINDOW, count, uncount
from accounts.models import User, digest_of
from lib.problems import Problem

# per name, and per known browser
FAILURES = 10
# of unknown browsers, over all names: a hash takes 0.3 s of a core, so guessing takes 6 % of one at most
FAILURES_OF_ALL = 60
# wrong codes per day, per name and per known browser: three of a million codes are valid at a time
FAILED_CODES = 50
EVERYBODY = "everybody"

Checked = TypeVar("Checked")


@dataclass(frozen=True)
class Bucket:
    """A counter of failed attempts, with its limit and time window."""

    name: str
    limit: int
    window: timedelta = WINDOW


class LimitedBackend(ModelBackend):
    """Checks name and password as Django does; raises Problem 429 `too_many_attempts` before the check, or `busy`."""

    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **kwargs: Any
    ) -> User | None:
        if username is None or password is None:
            return None
        check = super().authenticate
        return limited(
            of_passwords(request, username), lambda: check(request, username=username, password=password, **kwargs)
        )


def of_passwords(request: HttpRequest | None, username: str) -> list[Bucket]:
    """The buckets in which a wrong password counts."""
    who = _who(request, username)
    return [Bucket(who, FAILURES), *([] if _is_device(who) else [Bucket(EVERYBODY, FAILURES_OF_ALL)])]


def of_codes(request: HttpRequest | None, username: str) -> list[Bucket]:
    """The buckets in which a wrong code counts: those of wrong passwords, and one per day."""
    return [*of_passwords(request, username), Bucket(OF_A_DAY + _who(request, username), FAILED_CODES, DAY)]


def limited(buckets: list[Bucket], check: Callable[[], Checked | None]) -> Checked | None:
    """Run a check, and count it as a failure if it returns None; raises Problem 429 before it if a bucket is full."""
    counted = _count(buckets)
    try:
        result = check()
    except BaseException:
        _uncount(counted)
        raise
    if result is not None:
        _uncount(counted)
    return result


def _who(request: HttpRequest | None, username: str) -> str:
    device = device_of(request, username)
    return f"name {digest_of(username.casefold())}" if device is None else f"device {digest_of(device)}"


def _is_device(who: str) -> bool:
    return who.startswith("device ")


def _count(buckets: list[Bucket]) -> list[Bucket]:
    now = timezone.now()
    counted: list[Bucket] = []
    for bucket in buckets:
        if not count(bucket.name, limit=bucket.limit, now=now, window=bucket.window):
            _uncount(counted)
            wait = {"retry_after_s": int(bucket.window.total_seconds())}
            message = f"Too many attempts; wait {_words(bucket.window)}."
            raise Problem(429, "too_many_attempts", message, retry=True, details=wait)
        counted.append(bucket)
    return counted


def _words(window: timedelta) -> str:
    minutes = int(window.total_seconds() // 60)
    return f"{minutes} minutes" if minutes < 60 else f"{minutes // 60} hours"


def _uncount(buckets: list[Bucket]) -> None:
    for bucket in buckets:
        uncount(bucket.name)
