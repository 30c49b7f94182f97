"""Researchers learn which of their exports hold withdrawn answers, and can forget whom a recruiter sent."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import Role
from analysis import tasks
from analysis.models import AnalysisState
from exports.models import Export
from privacy.erasure import erase
from privacy.models import By
from ratings.models import Recruitment, Session, Vote
from testing import studies, withdrawing
from testing.exports import download
from testing.votes import Field
from testing.web import post

pytestmark = [pytest.mark.services, pytest.mark.django_db]


@pytest.fixture
def rosa(client: Client) -> Client:
    client.force_login(studies.user("rosa", Role.RESEARCHER))
    return client


def path(study: str, what: str) -> str:
    return f"/api/research/studies/{study}/{what}"


def test_an_export_is_recorded_and_marked_once_it_holds_withdrawn_answers(rosa: Client) -> None:
    field = Field()
    ann, ben = field.session(), field.session()
    field.rate("QUIC", 7, by=ann)
    tasks.votes_arrived(field.study.sha256)
    digest = AnalysisState.objects.get().result.snapshot_id  # type: ignore[union-attr]
    assert download(rosa, field.study.sha256)[:2] == b"PK"
    field.rate("QUIC", 2, by=ben)
    (row,) = rosa.get(path(field.study.sha256, "exports")).json()
    export = Export.objects.get()
    assert {**row, "exported_at": None} == {
        "id": str(export.pk),
        "exported_at": None,
        "exported_by": "rosa",
        "snapshot_sha256": digest,
        "votes": 1,
        "sessions": 1,
        "withdrawn": 0,
        "withdrawn_at": None,
    }

    erase(ben.participant, by=By.PARTICIPANT)
    assert rosa.get(path(field.study.sha256, "exports")).json() == [row]
    erased = erase(ann.participant, by=By.PARTICIPANT).erasure
    (row,) = rosa.get(path(field.study.sha256, "exports")).json()
    assert (row["withdrawn"], row["withdrawn_at"] is not None) == (1, True)
    erasures = rosa.get(path(field.study.sha256, "privacy")).json()["erasures"]
    assert [(erasure["by"], erasure["votes"], erasure["exports"]) for erasure in erasures] == [
        ("participant", 1, [str(export.pk)]),
        ("participant", 1, []),
    ]
    assert erasures[0]["id"] == str(erased.pk)


def test_exports_of_another_study_are_not_in_the_list(rosa: Client) -> None:
    mine, other = Field(1), Field(2)
    other.rate("QUIC", 7)
    tasks.votes_arrived(other.study.sha256)
    assert download(rosa, other.study.sha256)[:2] == b"PK"
    assert rosa.get(path(mine.study.sha256, "exports")).json() == []


def forget(client: Client, session: Session, confirm: str = "pilot") -> Any:
    return post(client, path(session.fielding.study_id, "recruiter-ids/forget"), {"confirm": confirm})


def test_recruiter_ids_are_forgotten_alone(rosa: Client) -> None:
    session = withdrawing.leaver(withdrawing.fielding(retention={"months": 6, "text": {"en": "Six.", "de": "Sechs."}}))
    body = rosa.get(path(session.fielding.study_id, "privacy")).json()
    assert (body["recruiter_ids"], body["retention_months"]) == (1, 6)
    assert forget(rosa, session).json() == {"recruiter_ids": 1}
    assert (Recruitment.objects.count(), Vote.objects.count()) == (0, 1)
    assert rosa.get(path(session.fielding.study_id, "privacy")).json()["recruiter_ids"] == 0


def test_the_studys_name_confirms(rosa: Client) -> None:
    session = withdrawing.leaver(withdrawing.fielding())
    answer = forget(rosa, session, confirm="yes")
    assert (answer.status_code, answer.json()["error"]["message"]) == (
        422,
        "confirm is 'yes', but must be the study's name, pilot.",
    )
    assert Recruitment.objects.count() == 1
