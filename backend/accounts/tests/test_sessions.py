"""Where an account is logged in: listed without an address, ended one by one or all."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts import sessions
from accounts.models import Role, SignIn
from audit.models import AuditEntry
from privacy import retention
from testing import studies
from testing.web import error_code, post, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.services]
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"


def enter(agent: str = FIREFOX) -> Client:
    client = Client(headers={"User-Agent": agent}, REMOTE_ADDR="192.0.2.77")
    assert post(client, "/api/auth/login", {"username": "rita", "password": studies.PASSWORD}).status_code == 200
    return client


def listed(client: Client) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = client.get("/api/auth/sessions").json()
    return rows


def test_each_browser_is_listed_by_its_kind_and_ended_alone() -> None:
    signed_in("anna", Role.ADMIN)
    studies.user("rita", Role.RESEARCHER)
    phone, desk = enter("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5) Version/17.5 Safari/604.1"), enter()
    rows = {row["browser"]: row for row in listed(desk)}
    assert {name: row["here"] for name, row in rows.items()} == {"Safari 17, iOS": False, "Firefox 128, Linux": True}
    assert desk.delete(f"/api/auth/sessions/{rows['Safari 17, iOS']['id']}").status_code == 204
    assert (phone.get("/api/auth/me").status_code, desk.get("/api/auth/me").status_code) == (401, 200)
    assert desk.delete(f"/api/auth/sessions/{rows['Firefox 128, Linux']['id']}").status_code == 204
    assert desk.get("/api/auth/me").status_code == 401


def test_the_list_opens_no_session_and_keeps_no_address() -> None:
    studies.user("rita", Role.RESEARCHER)
    desk = enter()
    assert desk.cookies["sessionid"].value not in str(listed(desk))
    row = SignIn.objects.get()
    stored = f"{vars(row)} {desk.session.items()}"
    assert "192.0.2.77" not in stored
    assert "Gecko" not in stored


def test_everywhere_else_is_ended_at_once() -> None:
    studies.user("rita", Role.RESEARCHER)
    others, desk = [enter(), enter()], enter()
    assert desk.delete("/api/auth/sessions").status_code == 204
    assert [client.get("/api/auth/me").status_code for client in [*others, desk]] == [401, 401, 200]


def test_nobody_ends_a_session_of_somebody_else() -> None:
    anna = signed_in("anna", Role.ADMIN)
    studies.user("rita", Role.RESEARCHER)
    row = listed(enter())[0]
    assert error_code(anna.delete(f"/api/auth/sessions/{row['id']}")) == (404, "not_found")


def test_an_admin_ends_all_sessions_of_an_account() -> None:
    anna = signed_in("anna", Role.ADMIN)
    studies.user("rita", Role.RESEARCHER)
    browsers = [enter(), enter()]
    assert anna.delete("/api/accounts/rita/sessions").status_code == 204
    assert [client.get("/api/auth/me").status_code for client in browsers] == [401, 401]
    assert AuditEntry.objects.get().details == {"did": "logged out", "logins": 2}
    # the own one stays, so that the call has an answer
    assert anna.delete("/api/accounts/anna/sessions").status_code == 204
    assert anna.get("/api/auth/me").status_code == 200


def test_a_changed_password_leaves_this_browser_in_the_list_alone() -> None:
    studies.user("rita", Role.RESEARCHER)
    _, desk = enter(), enter()
    post(desk, "/api/auth/password", {"current": studies.PASSWORD, "new": "a staple of batteries"})
    assert [(row["browser"], row["here"]) for row in listed(desk)] == [("Firefox 128, Linux", True)]


@pytest.mark.parametrize(("begun_h", "seen_h", "there"), [(1, 1, 2), (1, 3, 1), (13, 1, 1)])
def test_what_is_over_is_not_listed_and_not_kept(begun_h: int, seen_h: int, there: int) -> None:
    studies.user("rita", Role.RESEARCHER)
    old, desk = enter(), enter()
    now = timezone.now()
    times = {"begun_at": now - timedelta(hours=begun_h), "seen_at": now - timedelta(hours=seen_h)}
    SignIn.objects.filter(session_key=old.cookies["sessionid"].value).update(**times)
    assert len(listed(desk)) == there
    retention.apply(now)
    assert SignIn.objects.count() == there
    assert not sessions.over(now).exists()
