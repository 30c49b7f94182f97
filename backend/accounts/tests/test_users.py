"""Admins make, change and close accounts; one admin always stays."""

import time
from typing import Any

import pytest
from django.test import Client

from accounts import users
from accounts.models import ApiToken, Role, Scope, User
from audit.models import AuditEntry
from lib.problems import Problem
from testing import studies
from testing.threads import at_once
from testing.web import post, set_by, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def anna(db: None) -> Client:
    return signed_in("anna", Role.ADMIN)


def log() -> list[tuple[str, str, str, dict[str, Any]]]:
    entries = AuditEntry.objects.order_by("pk").values_list("actor_name", "what", "target", "details")
    return list(entries)


def code(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


def test_an_account_is_made_without_a_password_and_with_a_link_that_sets_one(anna: Client) -> None:
    response = post(anna, "/api/accounts", {"username": "gus", "role": "guest"})
    assert response.status_code == 201
    account = response.json()
    assert (account["username"], account["role"], account["is_active"]) == ("gus", "guest", True)
    assert not User.objects.get(username="gus").has_usable_password()
    assert set_by(account["link"], "a staple of batteries") == 204
    assert Client().login(username="gus", password="a staple of batteries")
    assert "link" not in anna.get("/api/accounts").json()[0]
    assert log() == [
        ("anna", "account", "gus", {"did": "made", "role": "guest"}),
        ("gus", "account", "gus", {"did": "password by link"}),
    ]


def test_a_name_is_taken_once_and_has_plain_letters(anna: Client) -> None:
    body = {"username": "anna", "role": "researcher"}
    assert code(post(anna, "/api/accounts", body)) == (409, "name_taken")
    assert code(post(anna, "/api/accounts", body | {"username": "a b"})) == (422, "invalid")
    assert User.objects.count() == 1
    assert log() == []


def test_a_role_changes_at_once_and_is_recorded(anna: Client) -> None:
    rita = signed_in("rita", Role.RESEARCHER)
    assert rita.get("/api/audit").status_code == 200
    assert post(anna, "/api/accounts/rita/role", {"role": "guest"}).json()["role"] == "guest"
    assert rita.get("/api/audit").status_code == 403
    assert post(anna, "/api/accounts/rita/role", {"role": "guest"}).status_code == 200
    assert log() == [("anna", "role", "rita", {"from": "researcher", "to": "guest"})]


def test_the_last_admin_stays(anna: Client) -> None:
    assert code(post(anna, "/api/accounts/anna/role", {"role": "researcher"})) == (409, "last_admin")
    assert code(post(anna, "/api/accounts/anna/active", {"active": False})) == (409, "last_admin")
    closed = studies.user("bert", Role.ADMIN)
    users.set_active("bert", active=False, by=closed)
    assert code(post(anna, "/api/accounts/anna/role", {"role": "researcher"})) == (409, "last_admin")
    users.set_active("bert", active=True, by=closed)
    assert post(anna, "/api/accounts/anna/role", {"role": "researcher"}).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_two_admins_do_not_remove_each_other_at_once() -> None:
    names = ["anna", "bert"]
    admins = [studies.user(name, Role.ADMIN) for name in names]

    def remove_the_other(number: int) -> bool:
        try:
            users.change_role(names[1 - number], Role.RESEARCHER, by=admins[number])
        except Problem:
            return False
        return True

    assert sorted(at_once(remove_the_other, threads=2)) == [False, True]
    assert User.objects.filter(role=Role.ADMIN).count() == 1


def test_a_closed_account_is_out_with_its_sessions_and_tokens(anna: Client) -> None:
    rita = signed_in("rita", Role.RESEARCHER)
    token = ApiToken.issue(user=User.objects.get(username="rita"), name="mine", scope=Scope.STUDIES)
    program = Client(headers={"Authorization": f"Bearer {token}"})
    assert program.get("/api/research/studies").status_code == 200
    assert post(anna, "/api/accounts/rita/active", {"active": False}).json()["is_active"] is False
    assert rita.get("/api/auth/me").status_code == 401
    assert program.get("/api/research/studies").status_code == 401
    assert not Client().login(username="rita", password=studies.PASSWORD)
    post(anna, "/api/accounts/rita/active", {"active": True})
    assert Client().login(username="rita", password=studies.PASSWORD)
    # sessions of before stay over
    assert rita.get("/api/auth/me").status_code == 401
    assert [details["did"] for *_, details in log()] == ["closed", "opened"]


def test_an_admin_who_closes_the_own_account_is_out(anna: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    studies.user("bert", Role.ADMIN)
    # long enough after the last call that the session is written again
    soon = time.time() + 90
    monkeypatch.setattr("accounts.middleware.time.time", lambda: soon)
    assert post(anna, "/api/accounts/anna/active", {"active": False}).status_code == 200
    assert anna.get("/api/auth/me").status_code == 401


def test_one_changes_the_own_password_and_stays_in_here_alone() -> None:
    rita, elsewhere = signed_in("rita", Role.RESEARCHER), Client()
    elsewhere.login(username="rita", password=studies.PASSWORD)
    body = {"current": studies.PASSWORD, "new": "a staple of batteries"}
    assert code(post(rita, "/api/auth/password", body | {"current": "wrong"})) == (422, "wrong_password")
    weak = post(rita, "/api/auth/password", body | {"new": "password12"})
    assert (code(weak), weak.json()["error"]["details"]) == ((422, "weak_password"), {"field": "new"})
    assert post(rita, "/api/auth/password", body).status_code == 204
    assert rita.get("/api/auth/me").status_code == 200
    assert elsewhere.get("/api/auth/me").status_code == 401
    assert Client().login(username="rita", password=body["new"])


def test_nobody_who_is_not_there_is_changed(anna: Client) -> None:
    for what, body in (("role", {"role": "guest"}), ("active", {"active": True}), ("reset-link", {})):
        assert code(post(anna, f"/api/accounts/nobody/{what}", body)) == (404, "not_found")
