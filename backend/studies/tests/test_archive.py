"""An archived study can be read and not be changed, until it is taken back."""

from typing import Any

import pytest
import yaml
from django.test import Client

from accounts.models import Role
from audit.models import AuditEntry
from studies.models import Study
from testing import studies
from testing.web import post

pytestmark = [pytest.mark.django_db, pytest.mark.services]
REFUSED = "The study pilot is archived and can only be read; restore it from the archive first."


@pytest.fixture
def study(db: None) -> Study:
    studies.user("rosa", Role.RESEARCHER)
    studies.visible_batch()
    return studies.study()


@pytest.fixture
def rosa(client: Client, study: Study) -> Client:
    client.force_login(study.published_by)  # type: ignore[arg-type]
    return client


def archive(client: Client, study: Study, archived: bool = True) -> Any:
    return post(client, f"/api/research/studies/{study.pk}/archive", {"archived": archived})


def test_archiving_closes_every_link_and_is_logged(rosa: Client, study: Study) -> None:
    row = archive(rosa, study).json()
    assert row["archived_at"] is not None
    assert [fielding["state"] for fielding in row["fieldings"]] == ["closed"]
    assert archive(rosa, study).json()["archived_at"] == row["archived_at"]
    logged = AuditEntry.objects.order_by("pk").values_list("what", flat=True)
    assert list(logged) == ["publish", "close", "archive"]


def test_each_change_is_refused_with_one_sentence(rosa: Client, study: Study) -> None:
    slug = study.fieldings.get().slug
    archive(rosa, study)
    text = yaml.safe_dump(studies.design()).encode()
    answers = [
        *(
            post(rosa, f"/api/research/fieldings/{slug}/state", {"state": state})
            for state in ("open", "paused", "closed")
        ),
        rosa.post("/api/research/studies", text, content_type="application/yaml"),
    ]
    assert [(answer.status_code, answer.json()["error"]["message"]) for answer in answers] == [(409, REFUSED)] * len(
        answers
    )
    assert study.fieldings.count() == 1


def test_reading_goes_on(rosa: Client, study: Study) -> None:
    archive(rosa, study)
    for path in ("", "/results", "/clips", "/exports", "/privacy", "/conformance", "/shares"):
        assert rosa.get(f"/api/research/studies/{study.pk}{path}").status_code == 200


def test_a_study_that_is_taken_back_can_be_published_again(rosa: Client, study: Study) -> None:
    archive(rosa, study)
    row = archive(rosa, study, archived=False).json()
    assert (row["archived_at"], [fielding["state"] for fielding in row["fieldings"]]) == (None, ["closed"])
    studies.study()
    assert sorted(study.fieldings.values_list("state", flat=True)) == ["closed", "open"]
