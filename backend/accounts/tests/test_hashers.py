"""One password at a time is hashed in a process; everybody else is asked to try again."""

from collections import Counter
from threading import Event, Thread
from typing import Any

import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher, check_password, make_password
from django.test import Client

from accounts.models import FailedLogins, Role
from lib.problems import Problem
from testing import studies
from testing.threads import at_once
from testing.web import post

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def hashing(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Event:
    """Hashes as the platform does, and every hash waits for this event."""
    settings.PASSWORD_HASHERS = ["accounts.hashers.OneAtATimeHasher"]
    go_on = Event()
    plain = PBKDF2PasswordHasher.encode

    def slow(self: PBKDF2PasswordHasher, password: str, salt: str, iterations: int | None = None) -> str:
        assert go_on.wait(timeout=60)
        return plain(self, password, salt, 1 if iterations is None else iterations)

    monkeypatch.setattr(PBKDF2PasswordHasher, "encode", slow)
    return go_on


def test_many_at_the_same_moment_are_one_hash(hashing: Event) -> None:
    done: list[str] = []

    def work(_number: int) -> str:
        try:
            make_password("a password")
        except Problem as problem:
            done.append(problem.code)
            if len(done) == 9:
                hashing.set()
            return problem.code
        return "hashed"

    assert Counter(at_once(work, threads=10)) == {"busy": 9, "hashed": 1}


@pytest.mark.parametrize("name", ["rita", "nobody"])
def test_a_login_meanwhile_is_answered_at_once_and_not_counted(hashing: Event, name: str) -> None:
    hashing.set()
    studies.user("rita", Role.RESEARCHER)
    hashing.clear()
    other = Thread(target=make_password, args=("a password",))
    other.start()
    try:
        body = {"username": name, "password": studies.PASSWORD}
        refused = post(Client(), "/api/auth/login", body)
    finally:
        hashing.set()
        other.join()
    error = refused.json()["error"]
    assert (refused.status_code, error["code"], error["retry"]) == (429, "busy", True)
    assert refused.headers["Retry-After"] == "1"
    assert sum(FailedLogins.objects.values_list("count", flat=True)) == 0


def test_the_hash_is_djangos_own(hashing: Event) -> None:
    hashing.set()
    encoded = make_password("a password")
    assert encoded.startswith("pbkdf2_sha256$")
    assert (check_password("a password", encoded), check_password("another one", encoded)) == (True, False)
