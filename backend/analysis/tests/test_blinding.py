"""While people still answer, results by stack are seen knowingly or not at all."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import ApiToken, Role, Scope, User
from analysis import tasks
from audit.models import AuditEntry
from studies.models import Fielding, FieldingState
from testing.exports import ask, download
from testing.tables import rows_in
from testing.votes import Field
from testing.web import post, signed_in

pytestmark = [pytest.mark.services, pytest.mark.django_db]


@pytest.fixture
def rosa(db: None) -> Client:
    return signed_in("rosa", Role.RESEARCHER)


@pytest.fixture
def field(rosa: Client) -> Field:
    """With a vote that has been analysed."""
    field = Field()
    field.rate("QUIC", 6)
    tasks.votes_arrived(field.study.sha256)
    return field


def results(client: Client, field: Field) -> Any:
    return client.get(f"/api/research/studies/{field.study.sha256}/results").json()


def unblind(client: Client, field: Field) -> int:
    status: int = post(client, f"/api/research/studies/{field.study.sha256}/unblind", {}).status_code
    return status


def recorded() -> list[str]:
    return list(AuditEntry.objects.filter(what="unblind").order_by("pk").values_list("actor_name", flat=True))


def test_in_the_field_results_are_held_back_until_one_asks(rosa: Client, field: Field) -> None:
    body = results(rosa, field)
    assert body["blinded"] is True
    assert body["snapshot"]["votes"] == 1
    assert "QUIC" not in str(body)
    assert recorded() == []
    assert unblind(rosa, field) == 204
    body = results(rosa, field)
    assert (body["blinded"], [row["stack"] for row in rows_in(body, "mos")]) == (False, ["QUIC"])


def test_each_person_is_recorded_once(rosa: Client, field: Field) -> None:
    anna = signed_in("anna", Role.ADMIN)
    for client in (rosa, rosa, anna, rosa):
        assert unblind(client, field) == 204
    assert recorded() == ["rosa", "anna"]
    assert results(signed_in("bert", Role.ADMIN), field)["blinded"] is True


@pytest.mark.parametrize("state", FieldingState)
def test_only_a_closed_fielding_is_no_field(rosa: Client, field: Field, state: FieldingState) -> None:
    Fielding.objects.update(state=state)
    assert results(rosa, field)["blinded"] is (state != FieldingState.CLOSED)
    unblind(rosa, field)
    assert recorded() == ([] if state == FieldingState.CLOSED else ["rosa"])


def test_one_open_fielding_of_two_is_the_field(rosa: Client, field: Field) -> None:
    Fielding.objects.update(state=FieldingState.CLOSED)
    Fielding.objects.create(study=field.study, quota_sessions=1)
    assert results(rosa, field)["blinded"] is True


def test_a_program_is_recorded_at_its_first_read(field: Field) -> None:
    token = ApiToken.issue(user=User.objects.get(username="rosa"), name="nightly", scope=Scope.RESULTS)
    program = Client(headers={"Authorization": f"Bearer {token}"})
    for _ in range(2):
        assert results(program, field)["blinded"] is False
    assert recorded() == ["rosa"]


@pytest.mark.django_db(transaction=True)
def test_an_export_is_recorded_each_time(rosa: Client, field: Field) -> None:
    for _ in range(2):
        assert download(rosa, field.study.sha256)[:2] == b"PK"
    entries = AuditEntry.objects.filter(what="export").values_list("actor_name", "study_sha256", "details__snapshot")
    snapshot = results(rosa, field)["snapshot"]["sha256"]
    assert list(entries) == [("rosa", field.study.sha256, snapshot)] * 2


@pytest.mark.django_db(transaction=True)
def test_whoever_exports_has_seen_the_results_by_stack(rosa: Client, field: Field) -> None:
    assert results(rosa, field)["blinded"] is True
    assert ask(rosa, field.study.sha256).status_code == 202
    assert results(rosa, field)["blinded"] is False
    assert recorded() == ["rosa"]
