"""Signing in and out as a browser does, with CSRF token, and guessing slowed down."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import FailedLogin, Role
from testing import studies
from testing.web import post

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def browser(db: None) -> Client:
    """A browser of a visitor, beside the account `rita`."""
    studies.user("rita", Role.RESEARCHER)
    return Client(enforce_csrf_checks=True)


def login(browser: Client, password: str = studies.PASSWORD, name: str = "rita") -> Any:
    browser.get("/api/auth/me")
    token = {"X-CSRFToken": browser.cookies["csrftoken"].value}
    body = {"username": name, "password": password}
    return browser.post("/api/auth/login", body, content_type="application/json", headers=token)


def test_a_first_visit_is_401_and_brings_the_token(browser: Client) -> None:
    response = browser.get("/api/auth/me")
    assert (response.status_code, response.json()["error"]["code"]) == (401, "not_signed_in")
    assert "csrftoken" in response.cookies


def test_in_and_out_again(browser: Client) -> None:
    assert login(browser).json() == {"username": "rita", "role": "researcher"}
    assert browser.get("/api/auth/me").json() == {"username": "rita", "role": "researcher"}
    token = {"X-CSRFToken": browser.cookies["csrftoken"].value}
    assert browser.post("/api/auth/logout", headers=token).status_code == 204
    assert browser.get("/api/auth/me").status_code == 401


def test_without_the_token_nothing_is_changed(browser: Client) -> None:
    refused = post(browser, "/api/auth/login", {"username": "rita", "password": studies.PASSWORD})
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "csrf_failed")
    login(browser)
    assert browser.post("/api/auth/logout").json()["error"]["code"] == "csrf_failed"
    assert browser.get("/api/auth/me").status_code == 200


def test_a_wrong_password_and_a_wrong_name_look_alike(browser: Client) -> None:
    first, second = login(browser, "wrong"), login(browser, name="nobody")
    assert (first.status_code, first.json()["error"]["code"]) == (401, "wrong_credentials")
    assert first.json() == second.json()


def test_guessing_is_stopped_for_a_while(browser: Client) -> None:
    codes = [login(browser, "wrong").json()["error"]["code"] for _ in range(11)]
    assert codes == ["wrong_credentials"] * 10 + ["too_many_attempts"]
    assert login(browser).status_code == 429
    FailedLogin.objects.update(failed_at=timezone.now() - timedelta(minutes=6))
    assert login(browser).status_code == 200


def test_guessing_at_djangos_own_form_is_stopped_too(browser: Client) -> None:
    studies.user("ada", Role.ADMIN)
    form = Client()

    def enter(password: str) -> Any:
        return form.post("/django-admin/login/", {"username": "ada", "password": password})

    for _ in range(10):
        assert enter("wrong").status_code == 200
    assert FailedLogin.objects.count() == 10
    assert enter(studies.PASSWORD).status_code == 200
    assert "_auth_user_id" not in form.session
    assert login(browser, name="ada").status_code == 429
    FailedLogin.objects.update(failed_at=timezone.now() - timedelta(minutes=6))
    assert enter(studies.PASSWORD).status_code == 302
    assert "_auth_user_id" in form.session


def test_no_name_is_kept_of_a_failed_login(browser: Client) -> None:
    login(browser, "wrong")
    assert "rita" not in FailedLogin.objects.get().username_sha256
