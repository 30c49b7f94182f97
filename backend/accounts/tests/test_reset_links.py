"""One-time links that set a password: made by admins, good once and for a day."""

from datetime import datetime, timedelta
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from django.test import Client

from accounts import reset_links
from accounts.models import Role, SignIn, User
from audit.models import AuditEntry
from testing import studies
from testing.web import error_code, post, set_by, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.services]
NEW = "a staple of batteries"


@pytest.fixture
def anna(db: None) -> Client:
    return signed_in("anna", Role.ADMIN)


def make_link(anna: Client) -> str:
    link: str = post(anna, "/api/accounts/rita/reset-link", {}).json()["link"]
    return link


def attempt(link: str, new: str = NEW) -> Any:
    return post(Client(), "/api/auth/reset", dict(parse_qsl(urlsplit(link).fragment)) | {"new": new})


def check(link: str) -> Any:
    return post(Client(), "/api/auth/reset/check", dict(parse_qsl(urlsplit(link).fragment)))


def test_a_link_sets_a_password_once_and_ends_all_sessions(anna: Client) -> None:
    rita = signed_in("rita", Role.RESEARCHER)
    link = make_link(anna)
    assert check(link).json() == {"username": "rita", "second_factor": False}
    # the old password works until then
    assert rita.get("/api/auth/me").status_code == 200
    assert set_by(link, NEW) == 204
    assert not SignIn.objects.filter(user__username="rita").exists()
    assert rita.get("/api/auth/me").status_code == 401
    assert not Client().login(username="rita", password=studies.PASSWORD)
    assert [error_code(answer) for answer in (attempt(link), check(link))] == [(409, "link_over")] * 2
    assert Client().login(username="rita", password=NEW)
    entries = AuditEntry.objects.order_by("pk").values_list("actor_name", "target", "details")
    assert list(entries) == [
        ("anna", "rita", {"did": "reset link"}),
        ("rita", "rita", {"did": "password by link"}),
    ]


def test_the_token_goes_to_no_server_with_the_address(anna: Client) -> None:
    studies.user("rita", Role.RESEARCHER)
    parts = urlsplit(make_link(anna))
    assert (parts.path, parts.query) == ("/reset", "")
    assert set(dict(parse_qsl(parts.fragment))) == {"account", "token"}


def test_a_link_is_good_for_a_day(anna: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    studies.user("rita", Role.RESEARCHER)
    link = make_link(anna)
    made_at = datetime.now()  # noqa: DTZ005 - as the generator of tokens reads it
    monkeypatch.setattr(reset_links.TOKENS, "_now", lambda: made_at + timedelta(hours=23, minutes=59))
    assert check(link).status_code == 200
    monkeypatch.setattr(reset_links.TOKENS, "_now", lambda: made_at + timedelta(hours=24, minutes=1))
    assert error_code(attempt(link)) == (409, "link_over")


def test_a_weak_password_leaves_the_link_good(anna: Client) -> None:
    studies.user("rita", Role.RESEARCHER)
    link = make_link(anna)
    assert error_code(attempt(link, "password12")) == (422, "weak_password")
    assert set_by(link, NEW) == 204


def test_a_link_opens_one_open_account_alone(anna: Client) -> None:
    studies.user("rita", Role.RESEARCHER)
    studies.user("bert", Role.ADMIN)
    link = make_link(anna)
    over = [link.replace("rita", "bert"), link.replace("rita", "nobody"), link[:-1], f"{link}x", "/reset"]
    fields = {"account": "", "token": ""}
    for other in over:
        body = fields | dict(parse_qsl(urlsplit(other).fragment)) | {"new": NEW}
        assert error_code(post(Client(), "/api/auth/reset", body)) == (409, "link_over")
    User.objects.filter(username="rita").update(is_active=False)
    assert error_code(attempt(link)) == (409, "link_over")
    assert error_code(post(anna, "/api/accounts/rita/reset-link", {})) == (409, "closed")


def test_a_page_of_another_site_sets_no_password(anna: Client) -> None:
    studies.user("rita", Role.RESEARCHER)
    body = dict(parse_qsl(urlsplit(make_link(anna)).fragment)) | {"new": NEW}
    for path in ("/api/auth/reset", "/api/auth/reset/check"):
        assert error_code(post(Client(enforce_csrf_checks=True), path, body)) == (403, "csrf_failed")


def test_nobody_makes_a_link_for_the_own_account(anna: Client) -> None:
    assert error_code(post(anna, "/api/accounts/anna/reset-link", {})) == (409, "own_account")


def test_a_link_logs_out_the_browser_that_uses_it(anna: Client) -> None:
    rita = signed_in("rita", Role.RESEARCHER)
    body = dict(parse_qsl(urlsplit(make_link(anna)).fragment)) | {"new": NEW}
    assert post(rita, "/api/auth/reset", body).status_code == 204
    assert rita.get("/api/auth/me").status_code == 401
