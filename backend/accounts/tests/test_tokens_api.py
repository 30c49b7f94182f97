"""A person makes, sees and revokes her own tokens, and each has an end."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import ApiToken, Role, Scope, User
from audit.models import AuditEntry
from testing import studies
from testing.web import post, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def rita(db: None) -> Client:
    return signed_in("rita", Role.RESEARCHER)


def program(token: str) -> Client:
    return Client(headers={"Authorization": f"Bearer {token}"})


def days_left(token: dict[str, Any]) -> float:
    return (datetime.fromisoformat(token["expires_at"]) - datetime.now(UTC)) / timedelta(days=1)


def test_a_token_is_shown_once_and_good_for_90_days(rita: Client) -> None:
    response = post(rita, "/api/auth/tokens", {"name": " nightly ", "scope": "results"})
    assert response.status_code == 201
    body = response.json()
    assert (body["name"], body["scope"], body["last_used_at"]) == ("nightly", "results", None)
    assert 89.9 < days_left(body) <= 90
    assert program(body["token"]).get("/api/research/studies").status_code == 200
    [listed] = rita.get("/api/auth/tokens").json()
    assert "token" not in listed
    assert listed["last_used_at"] is not None
    assert body["token"] not in str(AuditEntry.objects.values_list("details", "target"))


def test_use_is_noted_by_the_minute(rita: Client) -> None:
    token = post(rita, "/api/auth/tokens", {"name": "a", "scope": "studies"}).json()["token"]
    earlier = timezone.now() - timedelta(seconds=30)
    ApiToken.objects.update(last_used_at=earlier)
    program(token).get("/api/research/studies")
    assert ApiToken.objects.get().last_used_at == earlier
    ApiToken.objects.update(last_used_at=earlier - timedelta(minutes=1))
    program(token).get("/api/research/studies")
    noted = ApiToken.objects.get().last_used_at
    assert noted is not None
    assert noted > earlier


@pytest.mark.parametrize(
    ("changes", "status"),
    [({"days": 0}, 422), ({"days": 367}, 422), ({"days": 366}, 201), ({"name": " "}, 422), ({"scope": "all"}, 422)],
)
def test_a_wrong_wish_is_refused(rita: Client, changes: dict[str, Any], status: int) -> None:
    body = {"name": "a", "scope": "studies"} | changes
    assert post(rita, "/api/auth/tokens", body).status_code == status


def test_a_researcher_gets_no_token_for_batches(rita: Client) -> None:
    refused = post(rita, "/api/auth/tokens", {"name": "a", "scope": "batches"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "forbidden")
    assert post(signed_in("anna", Role.ADMIN), "/api/auth/tokens", {"name": "a", "scope": "batches"}).status_code == 201


def test_a_revoked_token_opens_nothing_and_both_deeds_are_in_the_log(rita: Client) -> None:
    token = post(rita, "/api/auth/tokens", {"name": "a", "scope": "studies"}).json()
    assert rita.delete(f"/api/auth/tokens/{token['id']}").status_code == 204
    assert program(token["token"]).get("/api/research/studies").status_code == 401
    deeds = AuditEntry.objects.order_by("pk").values_list("actor_name", "what", "details__did", "details__scope")
    assert list(deeds) == [("rita", "token", "made", "studies"), ("rita", "token", "revoked", "studies")]


def test_the_token_of_another_is_none_of_ones_business(rita: Client) -> None:
    ApiToken.issue(user=studies.user("otto", Role.RESEARCHER), name="his", scope=Scope.STUDIES)
    his = ApiToken.objects.get()
    assert rita.get("/api/auth/tokens").json() == []
    assert rita.delete(f"/api/auth/tokens/{his.pk}").status_code == 404
    assert ApiToken.objects.filter(pk=his.pk).exists()


def test_a_token_opens_no_more_than_its_owner_may(rita: Client) -> None:
    ours = program(post(rita, "/api/auth/tokens", {"name": "a", "scope": "studies"}).json()["token"])
    User.objects.filter(username="rita").update(role=Role.GUEST)
    refused = ours.get("/api/research/studies")
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "forbidden")
