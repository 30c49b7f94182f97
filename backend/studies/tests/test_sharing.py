"""A study is its owner's, until it is shared."""

import json
from typing import Any

import pytest
import yaml
from django.test import Client

from accounts.models import Role, User
from audit.models import AuditEntry
from studies.models import ShareLevel, Study, StudyShare
from studies.permissions import may, rights, visible_studies
from testing import studies
from testing.web import put, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def rita(db: None) -> Client:
    studies.visible_batch()
    return signed_in("rita", Role.RESEARCHER)


@pytest.fixture
def study(rita: Client) -> Study:
    return studies.study()


def shares(study: Study, name: str = "") -> str:
    return f"/api/research/studies/{study.sha256}/shares" + (f"/{name}" if name else "")


def publish(client: Client, **changes: Any) -> Any:
    text = yaml.safe_dump(studies.design(**changes))
    return client.post("/api/research/studies", text, content_type="application/yaml")


def test_shared_changed_listed_and_taken_back(rita: Client, study: Study) -> None:
    otto = signed_in("otto", Role.RESEARCHER)
    page = f"/api/research/studies/{study.sha256}"
    assert otto.get(page).status_code == 404
    assert put(rita, shares(study, "otto"), {"level": "read"}).json()["level"] == "read"
    assert otto.get(page).json()["rights"] == ["export", "read"]
    assert otto.get(page).json()["owner"] == "rita"
    assert put(rita, shares(study, "otto"), {"level": "edit"}).status_code == 200
    assert otto.get(page).json()["rights"] == ["edit", "export", "read"]
    assert [(row["username"], row["role"], row["level"]) for row in rita.get(shares(study)).json()] == [
        ("otto", "researcher", "edit")
    ]
    assert rita.delete(shares(study, "otto")).status_code == 204
    assert otto.get(page).status_code == 404
    assert rita.delete(shares(study, "otto")).status_code == 404
    entries = (
        AuditEntry.objects.filter(what="share").order_by("pk").values_list("actor_name", "study_sha256", "details")
    )
    assert list(entries) == [
        ("rita", study.sha256, {"did": "shared", "with": "otto", "level": "read"}),
        ("rita", study.sha256, {"did": "shared", "with": "otto", "level": "edit"}),
        ("rita", study.sha256, {"did": "unshared", "with": "otto"}),
    ]


def test_the_same_share_again_is_not_recorded_again(rita: Client, study: Study) -> None:
    studies.user("otto", Role.RESEARCHER)
    for _ in range(2):
        assert put(rita, shares(study, "otto"), {"level": "read"}).status_code == 200
    assert AuditEntry.objects.filter(what="share").count() == 1


def test_a_guest_is_given_no_more_than_reading(rita: Client, study: Study) -> None:
    studies.user("gus", Role.GUEST)
    refused = put(rita, shares(study, "gus"), {"level": "edit"})
    assert (refused.status_code, refused.json()["error"]["details"]) == (422, {"field": "level"})
    assert put(rita, shares(study, "gus"), {"level": "read"}).status_code == 200


@pytest.mark.parametrize(("name", "status"), [("nobody", 404), ("closed", 404), ("rita", 422)])
def test_with_whom_it_cannot_be_shared(rita: Client, study: Study, name: str, status: int) -> None:
    studies.user("closed", Role.RESEARCHER)
    User.objects.filter(username="closed").update(is_active=False)
    assert put(rita, shares(study, name), {"level": "read"}).status_code == status


def test_who_became_a_guest_reads_and_no_more(study: Study) -> None:
    owner, editor = User.objects.get(username="rita"), studies.user("edda", Role.RESEARCHER)
    StudyShare.objects.create(study=study, user=editor, level=ShareLevel.EDIT)
    assert may(editor, study, "edit")
    owner.role = editor.role = Role.GUEST
    assert rights(owner, study) == rights(editor, study) == {"read"}


def test_a_study_of_nobody_is_the_admins() -> None:
    studies.visible_batch()
    study = studies.study()
    admin, researcher = studies.user("anna", Role.ADMIN), studies.user("rita", Role.RESEARCHER)
    assert study.published_by is None
    assert list(visible_studies(admin)) == [study]
    assert list(visible_studies(researcher)) == []
    assert may(admin, study, "share")


def test_everyone_lists_their_own_and_what_is_shared_once(rita: Client, study: Study) -> None:
    otto = signed_in("otto", Role.RESEARCHER)
    his_study = publish(otto, name="his").json()["sha256"]
    put(rita, shares(study, "otto"), {"level": "read"})
    assert {row["sha256"] for row in otto.get("/api/research/studies").json()} == {his_study, study.sha256}
    assert [row["sha256"] for row in rita.get("/api/research/studies").json()] == [study.sha256]


def test_the_study_of_another_is_not_published_again_by_just_anybody(rita: Client, study: Study) -> None:
    otto = signed_in("otto", Role.RESEARCHER)
    refused = publish(otto)
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "published_already")
    assert study.fieldings.get().slug not in json.dumps(refused.json())
    put(rita, shares(study, "otto"), {"level": "edit"})
    assert publish(otto).status_code == 201


def test_a_hidden_parent_is_answered_like_a_missing_one(rita: Client, study: Study) -> None:
    otto = signed_in("otto", Role.RESEARCHER)
    hidden = publish(otto, name="child", parent=study.sha256).json()["error"]["message"]
    missing = publish(otto, name="child", parent="0" * 64).json()["error"]["message"]
    assert hidden.replace(study.sha256, "X") == missing.replace("0" * 64, "X")
    assert publish(rita, name="child", parent=study.sha256).status_code == 201
