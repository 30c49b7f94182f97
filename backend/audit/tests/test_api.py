"""The log as admins and owners read it."""

from typing import Any

import pytest
import yaml
from django.test import Client

from accounts.models import ApiToken, Role, Scope, User
from audit import api
from audit.log import record
from testing import studies
from testing.web import post, put, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def rita(db: None) -> Client:
    studies.visible_batch()
    return signed_in("rita", Role.RESEARCHER)


def entries(client: Client, **query: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get("/api/audit", query).json()["entries"]
    return found


def deeds(client: Client, **query: Any) -> list[tuple[str | None, str]]:
    """Oldest first."""
    return [(entry["actor"], entry["what"]) for entry in reversed(entries(client, **query))]


def publish(client: Client, name: str) -> dict[str, Any]:
    text = yaml.safe_dump(studies.design(name=name))
    study: dict[str, Any] = client.post("/api/research/studies", text, content_type="application/yaml").json()
    return study


def test_what_is_done_to_a_study_is_in_its_log(rita: Client) -> None:
    studies.user("otto", Role.RESEARCHER)
    study = publish(rita, "first")
    state = f"/api/research/fieldings/{study['fieldings'][0]['slug']}/state"
    put(rita, f"/api/research/studies/{study['sha256']}/shares/otto", {"level": "read"})
    post(rita, f"/api/research/studies/{study['sha256']}/unblind", {})
    for to in ("paused", "open", "open", "closed", "open"):
        post(rita, state, {"state": to})
    publish(rita, "first")
    done = ["publish", "share", "unblind", "pause", "open", "close", "open"]
    assert deeds(rita, study=study["sha256"]) == [("rita", what) for what in done]
    newest = entries(rita)[0]
    assert (newest["kind"], newest["target"].split()[0]) == ("fielding", "first")
    assert newest["study_sha256"] == study["sha256"]


def test_owners_read_of_their_own_studies_and_admins_of_everything(rita: Client) -> None:
    otto, anna = signed_in("otto", Role.RESEARCHER), signed_in("anna", Role.ADMIN)
    hers, his = publish(rita, "hers"), publish(otto, "his")
    record(User.objects.get(username="anna"), "role", "account otto", {})
    assert deeds(rita) == [("rita", "publish")]
    assert deeds(otto) == [("otto", "publish")]
    assert deeds(anna) == [("rita", "publish"), ("otto", "publish"), ("anna", "role")]
    assert deeds(anna, study=his["sha256"]) == [("otto", "publish")]
    assert otto.get("/api/audit", {"study": hers["sha256"]}).status_code == 404
    put(rita, f"/api/research/studies/{hers['sha256']}/shares/otto", {"level": "edit"})
    assert otto.get("/api/audit", {"study": hers["sha256"]}).status_code == 403
    assert deeds(otto) == [("otto", "publish")]


def test_a_program_is_its_owner_in_the_log(rita: Client) -> None:
    token = ApiToken.issue(user=User.objects.get(username="rita"), name="ci", scope=Scope.STUDIES)
    publish(Client(headers={"Authorization": f"Bearer {token}"}), "by-program")
    assert deeds(rita) == [("rita", "publish")]


def test_the_log_is_read_page_by_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "PAGE", 2)
    anna = signed_in("anna", Role.ADMIN)
    for number in range(5):
        record(None, "export", f"study {number}")
    found: list[list[str]] = []
    before: dict[str, int] = {}
    while True:
        page = anna.get("/api/audit", before).json()
        found.append([entry["target"] for entry in page["entries"]])
        if page["before"] is None:
            break
        before = {"before": page["before"]}
    assert found == [["study 4", "study 3"], ["study 2", "study 1"], ["study 0"]]
    assert page["entries"][0]["actor"] is None
