"""Text that no database keeps is refused where it comes in: in an address 404, in a body or a query 422."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import Role
from testing import studies
from testing.web import SCREEN, post, signed_in, stranger

pytestmark = [pytest.mark.django_db, pytest.mark.services]

RECRUITED = [{"key": "worker", "recruiter": {"name": "panel", "id_parameter": "PID"}}]
# NUL, another control character, and half of a pair of surrogates
UNKEPT = ["a\0b", "a\x1bb", "a\ud800b"]


@pytest.mark.parametrize(
    "path",
    ["/api/participate/a%00b", "/clips/a%00b", "/s/a%00b", "/api/batches/a%00b", "/api/accounts/a%1b/role", "/a%0ab"],
)
def test_no_address_has_a_control_character(path: str) -> None:
    answer: Any = Client().get(path)
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")


@pytest.mark.parametrize("path", ["/api/participate/a%ed%a0%80b", "/clips/a%ed%a0%80b"])
def test_half_a_character_in_an_address_is_not_there_either(path: str) -> None:
    assert Client().get(path).status_code == 404


@pytest.mark.parametrize("text", UNKEPT)
def test_a_body_with_text_that_is_not_kept_names_its_field(text: str) -> None:
    studies.visible_batch()
    slug = studies.study(groups=RECRUITED).fieldings.get().slug
    begin = {"language": "en", "consent_version": "1", "screen": SCREEN, "recruit": {"id": text}}
    admin = signed_in("ada", Role.ADMIN)
    for client, path, body, field in (
        (stranger(), f"/api/participate/{slug}/sessions", begin, "recruit.id"),
        (stranger(), "/api/withdrawals/lookup", {"completion_code": text}, "completion_code"),
        (stranger(), "/api/withdrawals", {"completion_code": text}, "completion_code"),
        (stranger(), "/api/auth/login", {"username": text, "password": "x"}, "username"),
        (admin, "/api/auth/tokens", {"name": text, "scope": "batches"}, "name"),
    ):
        answer = post(client, path, body)
        assert (answer.status_code, answer.json()["error"]["details"]) == (422, {"field": field}), path


def test_a_password_is_hashed_and_may_be_anything_but_half_a_character() -> None:
    answers = [post(stranger(), "/api/auth/login", {"username": "ada", "password": word}) for word in UNKEPT]
    assert [answer.status_code for answer in answers] == [401, 401, 422]
    assert answers[2].json()["error"]["details"] == {"field": "password"}


def test_a_query_with_text_that_is_not_kept_names_its_field() -> None:
    answer: Any = signed_in("ada", Role.ADMIN).get("/api/audit?study=a%00b")
    assert (answer.status_code, answer.json()["error"]["details"]) == (422, {"field": "study"})


def test_a_code_is_found_with_the_spaces_that_came_along() -> None:
    answer = post(stranger(), "/api/withdrawals/lookup", {"completion_code": "\tABCDE FGHJK\r\n"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "unknown_code")
