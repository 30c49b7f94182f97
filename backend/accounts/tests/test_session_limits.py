"""A sign-in lasts a working day, has a new key, and its cookie goes where it must and nowhere else."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import Role
from accounts.session_store import SessionStore
from testing import studies
from testing.web import post

pytestmark = [pytest.mark.django_db, pytest.mark.services]
HOUR = 3600


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time that sessions read, in seconds; set its one element."""
    now = [1_800_000_000.0]
    monkeypatch.setattr("accounts.middleware.time.time", lambda: now[0])
    return now


@pytest.fixture
def rita(db: None, clock: list[float]) -> Client:
    studies.user("rita", Role.RESEARCHER)
    client = Client()
    assert sign_in(client).status_code == 200
    return client


def anonymous_session() -> str:
    session = SessionStore()
    session["seen"] = "the landing page"
    session.create()
    return str(session.session_key)


def sign_in(client: Client) -> Any:
    return post(client, "/api/auth/login", {"username": "rita", "password": studies.PASSWORD})


@pytest.mark.parametrize("was_in", [False, True])
def test_signing_in_changes_the_key_of_the_session(rita: Client, was_in: bool) -> None:
    victim, thief = rita if was_in else Client(), Client()
    # somebody else knows the key of this session
    planted = victim.cookies["sessionid"].value if was_in else anonymous_session()
    victim.cookies["sessionid"] = thief.cookies["sessionid"] = planted
    assert sign_in(victim).status_code == 200
    assert victim.cookies["sessionid"].value != planted
    assert victim.get("/api/auth/me").status_code == 200
    assert thief.get("/api/auth/me").status_code == 401


def test_after_two_hours_without_a_call_one_is_out(rita: Client, clock: list[float]) -> None:
    clock[0] += 2 * HOUR - 1
    assert rita.get("/api/auth/me").status_code == 200
    clock[0] += 2 * HOUR
    assert rita.get("/api/auth/me").status_code == 401


def test_after_twelve_hours_one_is_out_however_busy(rita: Client, clock: list[float]) -> None:
    for _ in range(11):
        clock[0] += HOUR
        assert rita.get("/api/auth/me").status_code == 200
    clock[0] += HOUR
    assert rita.get("/api/auth/me").status_code == 401
    assert sign_in(rita).status_code == 200
    clock[0] += HOUR
    assert rita.get("/api/auth/me").status_code == 200


def test_signing_out_ends_the_session_on_the_server(rita: Client) -> None:
    key = rita.cookies["sessionid"].value
    assert rita.post("/api/auth/logout").status_code == 204
    thief = Client()
    thief.cookies["sessionid"] = key
    assert thief.get("/api/auth/me").status_code == 401


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(rita: Client) -> None:
    cookie = rita.cookies["sessionid"]
    assert (cookie["httponly"], cookie["samesite"], cookie["path"], cookie["domain"]) == (True, "Lax", "/", "")
