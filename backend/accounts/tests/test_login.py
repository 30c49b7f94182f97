"""Signing in and out as a browser does, with CSRF token, and guessing limited."""

from collections import Counter
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts import known_devices, rate_limit
from accounts.login_counts import WINDOW
from accounts.models import FailedLogins, Role
from testing import studies
from testing.threads import at_once
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
    rita = {"username": "rita", "role": "researcher", "second_factor": "off"}
    assert login(browser).json() == rita
    assert browser.get("/api/auth/me").json() == rita
    token = {"X-CSRFToken": browser.cookies["csrftoken"].value}
    assert browser.post("/api/auth/logout", headers=token).status_code == 204
    assert browser.get("/api/auth/me").status_code == 401


def test_without_the_token_nothing_is_changed(browser: Client) -> None:
    refused = post(browser, "/api/auth/login", {"username": "rita", "password": studies.PASSWORD})
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "csrf_failed")
    login(browser)
    assert browser.post("/api/auth/logout").json()["error"]["code"] == "csrf_failed"
    assert browser.get("/api/auth/me").status_code == 200


def test_strangers_fill_no_log(browser: Client, caplog: pytest.LogCaptureFixture) -> None:
    assert post(browser, "/api/auth/login", {"username": "lea", "password": "wrong"}).status_code == 403
    assert login(browser, "wrong").status_code == 401
    assert caplog.text == ""


def test_a_wrong_password_and_a_wrong_name_look_alike(browser: Client) -> None:
    first, second = login(browser, "wrong"), login(browser, name="nobody")
    assert (first.status_code, first.json()["error"]["code"]) == (401, "wrong_credentials")
    assert first.json() == second.json()


def test_guessing_is_stopped_for_a_while(browser: Client) -> None:
    codes = [login(browser, "wrong").json()["error"]["code"] for _ in range(11)]
    assert codes == ["wrong_credentials"] * 10 + ["too_many_attempts"]
    assert login(browser).status_code == 429
    let_the_window_pass()
    assert login(browser).status_code == 200


def test_no_name_is_kept_of_a_failed_login(browser: Client) -> None:
    login(browser, "wrong")
    assert "rita" not in " ".join(FailedLogins.objects.values_list("bucket", flat=True))


def test_forty_guesses_at_the_same_moment_are_ten_checks(transactional_db: None) -> None:
    studies.user("rita", Role.RESEARCHER)
    browsers = [Client(enforce_csrf_checks=True) for _ in range(40)]
    codes = at_once(lambda number: login(browsers[number], "wrong").json()["error"]["code"], threads=40)
    assert Counter(codes) == {"wrong_credentials": 10, "too_many_attempts": 30}


def test_a_known_browser_gets_in_while_others_guess(browser: Client) -> None:
    assert login(browser).status_code == 200
    guesser = Client(enforce_csrf_checks=True)
    for _ in range(11):
        login(guesser, "wrong")
    assert login(guesser).status_code == 429
    assert login(browser).status_code == 200


def test_a_known_browser_may_guess_no_more_often(browser: Client) -> None:
    login(browser)
    codes = [login(browser, "wrong").json()["error"]["code"] for _ in range(11)]
    assert codes == ["wrong_credentials"] * 10 + ["too_many_attempts"]
    # and it blocks nobody else
    assert login(Client(enforce_csrf_checks=True)).status_code == 200


def test_a_browser_is_known_to_the_account_that_signed_in_alone(browser: Client) -> None:
    studies.user("ada", Role.ADMIN)
    login(browser)
    for _ in range(10):
        login(Client(enforce_csrf_checks=True), "wrong", name="ada")
    stolen = next(cookie for name, cookie in browser.cookies.items() if "device" in name)
    browser.cookies[known_devices.cookie_name("ada")] = stolen.value
    assert login(browser, name="ada").status_code == 429


def test_the_cookie_of_a_browser_is_signed_and_no_script_reads_it(browser: Client) -> None:
    login(browser)
    cookie = browser.cookies[known_devices.cookie_name("rita")]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Strict")
    browser.cookies[known_devices.cookie_name("rita")] = cookie.value[:-1] + ("A" if cookie.value[-1] != "A" else "B")
    for _ in range(10):
        login(Client(enforce_csrf_checks=True), "wrong")
    assert login(browser).status_code == 429


def test_guesses_at_many_names_are_limited_together(browser: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limit, "FAILURES_OF_ALL", 5)
    assert login(browser).status_code == 200
    guesser = Client(enforce_csrf_checks=True)
    codes = [login(guesser, name=f"name{number}").json()["error"]["code"] for number in range(6)]
    assert codes == ["wrong_credentials"] * 5 + ["too_many_attempts"]
    assert login(browser).status_code == 200
    let_the_window_pass()
    assert login(guesser).status_code == 200


def test_a_flood_over_many_names_leaves_no_row_for_each(browser: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limit, "FAILURES_OF_ALL", 2)
    guesser = Client(enforce_csrf_checks=True)
    for number in range(6):
        login(guesser, name=f"name{number}")
    # two names with a wrong password, and everybody
    assert sorted(FailedLogins.objects.values_list("count", flat=True)) == [1, 1, 2]


def test_right_passwords_do_not_count(browser: Client) -> None:
    for _ in range(12):
        assert login(Client(enforce_csrf_checks=True)).status_code == 200
    assert not FailedLogins.objects.exists()


def let_the_window_pass() -> None:
    FailedLogins.objects.update(begun_at=timezone.now() - WINDOW)
