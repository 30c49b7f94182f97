"""A token opens what its scope says, until it expires or is withdrawn."""

import io
import json
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from accounts.models import ApiToken, Role, Scope, User
from testing import studies
from testing.web import with_token

pytestmark = [pytest.mark.django_db, pytest.mark.services]


def test_only_a_hash_is_kept() -> None:
    owner = studies.user("anna", Role.ADMIN)
    token = ApiToken.issue(user=owner, name="push", scope=Scope.BATCHES)
    assert token.startswith("ey_")
    assert token not in ApiToken.objects.get().token_sha256


def test_a_token_opens_its_scope_alone() -> None:
    batches, studies_token = with_token(Scope.BATCHES), with_token(Scope.STUDIES)
    assert batches.get("/api/batches").status_code == 200
    wrong = studies_token.get("/api/batches")
    assert (wrong.status_code, wrong.json()["error"]["code"]) == (403, "wrong_scope")
    assert batches.post("/api/research/studies").json()["error"]["code"] == "wrong_scope"


def test_an_expired_a_withdrawn_and_an_invented_token_are_401() -> None:
    owner = studies.user("anna", Role.ADMIN)
    past = timezone.now() - timedelta(seconds=1)
    tokens = [
        ApiToken.issue(user=owner, name="old", scope=Scope.BATCHES, expires_at=past),
        ApiToken.issue(user=owner, name="gone", scope=Scope.BATCHES),
        "ey_invented",
    ]
    ApiToken.objects.filter(name="gone").delete()
    answers = [Client(headers={"Authorization": f"Bearer {token}"}).get("/api/batches") for token in tokens]
    assert [answer.status_code for answer in answers] == [401, 401, 401]


def test_the_token_of_an_account_that_was_closed_is_401() -> None:
    client = with_token(Scope.BATCHES)
    User.objects.update(is_active=False)
    assert client.get("/api/batches").status_code == 401


def test_an_account_by_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EYELEVEL_PASSWORD", "long enough for us")
    output = io.StringIO()
    call_command("create_account", "anna", role="admin", stdout=output)
    assert output.getvalue() == "Account anna (admin) created.\n"
    anna = User.objects.get()
    assert (anna.role, anna.is_superuser, anna.check_password("long enough for us")) == ("admin", True, True)
    with pytest.raises(CommandError, match="An account anna already exists"):
        call_command("create_account", "anna")
    monkeypatch.setenv("EYELEVEL_PASSWORD", "short")
    with pytest.raises(CommandError, match="EYELEVEL_PASSWORD is too weak"):
        call_command("create_account", "rita")


def test_a_token_by_command_works() -> None:
    studies.user("anna", Role.ADMIN)
    output = io.StringIO()
    call_command("issue_token", "push", user="anna", scope="batches", days=1, stdout=output)
    client = Client(headers={"Authorization": f"Bearer {output.getvalue().strip()}"})
    assert client.get("/api/batches").status_code == 200


def test_a_token_by_command_ends_by_itself_and_fits_its_owner() -> None:
    studies.user("rita", Role.RESEARCHER)
    call_command("issue_token", "push", user="rita", scope="results", stdout=io.StringIO())
    assert timedelta(days=89) < ApiToken.objects.get().expires_at - timezone.now() <= timedelta(days=90)
    with pytest.raises(CommandError, match="A token with the scope batches requires an account with the role admin"):
        call_command("issue_token", "push", user="rita", scope="batches")
    with pytest.raises(CommandError, match="days is 900"):
        call_command("issue_token", "push", user="rita", scope="results", days=900)


def test_demo_accounts_only_where_they_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CommandError, match="EYELEVEL_DEMO_ACCOUNTS is not 1"):
        call_command("ensure_accounts")
    monkeypatch.setenv("EYELEVEL_DEMO_ACCOUNTS", "1")
    with pytest.raises(CommandError, match="EYELEVEL_DEMO_RESEARCHER_PASSWORD is empty"):
        call_command("ensure_accounts")


def test_demo_accounts_twice_leave_two_accounts_and_working_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EYELEVEL_DEMO_ACCOUNTS", "1")
    monkeypatch.setenv("EYELEVEL_DEMO_RESEARCHER_PASSWORD", "a")
    monkeypatch.setenv("EYELEVEL_DEMO_ADMIN_PASSWORD", "b")
    for _ in range(2):
        output = io.StringIO()
        call_command("ensure_accounts", stdout=output)
    tokens = json.loads(output.getvalue())["tokens"]
    assert sorted(User.objects.values_list("username", "role")) == [("admin", "admin"), ("researcher", "researcher")]
    client = Client(headers={"Authorization": f"Bearer {tokens['batches']}"})
    assert client.get("/api/batches").status_code == 200
    assert {token.scope: token.user.username for token in ApiToken.objects.all()} == {
        "batches": "admin",
        "studies": "researcher",
        "results": "researcher",
    }
