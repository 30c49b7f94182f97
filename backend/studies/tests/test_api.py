"""A researcher publishes a study, watches it fill, and pauses it."""

from datetime import timedelta
from typing import Any

import pytest
import yaml
from django.test import Client
from django.utils import timezone

from accounts.models import Role
from ratings import completion
from ratings.models import Session, Trial
from testing import studies
from testing.web import participant, post, signed_in, stranger

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def rita(db: None) -> Client:
    studies.visible_batch()
    return signed_in("rita", Role.RESEARCHER)


def publish(client: Client, text: str, content_type: str = "application/yaml") -> Any:
    return client.post("/api/research/studies", text, content_type=content_type)


def test_a_published_study_has_an_open_fielding_with_a_link(rita: Client) -> None:
    response = publish(rita, yaml.safe_dump(studies.design()))
    study = response.json()
    fielding = study["fieldings"][0]
    assert (response.status_code, study["name"], study["trial_count"], study["votes"]) == (201, "pilot", 6, 0)
    assert fielding == {
        "slug": fielding["slug"],
        "group": "volunteer",
        "state": "open",
        "effective_state": "open",
        "quota": 6,
        "sessions_started": 0,
        "sessions_completed": 0,
        "sessions_counted": 0,
        "sessions_excluded": 0,
        "sessions_over_quota": 0,
        "sessions_simulated": 0,
        "participant_url": f"http://testserver/s/{fielding['slug']}",
        "unknown_parameters": [],
        "missing_parameter": None,
    }
    assert study["groups"] == [{"key": "volunteer", "label": {}}]
    assert publish(rita, yaml.safe_dump(studies.design())).json() == study
    assert rita.get("/api/research/studies").json() == [study]


def test_groups_have_their_labels(rita: Client) -> None:
    groups = [{"key": "paid", "label": {"en": "Workers", "de": "Arbeitende"}}, {"key": "volunteer"}]
    study = publish(rita, yaml.safe_dump(studies.design(groups=groups))).json()
    assert study["groups"] == [groups[0], {"key": "volunteer", "label": {}}]


def test_the_first_link_is_the_newest_that_takes_people(rita: Client) -> None:
    text = yaml.safe_dump(studies.design())
    slugs = []
    for _ in range(3):
        slugs.append(publish(rita, text).json()["fieldings"][0]["slug"])
        post(rita, f"/api/research/fieldings/{slugs[-1]}/state", {"state": "closed"})
    assert len(set(slugs)) == 3
    study = publish(rita, text).json()
    assert [fielding["state"] for fielding in study["fieldings"]] == ["open", "closed", "closed", "closed"]
    assert [fielding["slug"] for fielding in study["fieldings"][1:]] == slugs[::-1]
    participant(study["fieldings"][0]["slug"])


def test_the_link_begins_with_the_public_address(rita: Client, settings: Any) -> None:
    settings.PUBLIC_URL = "https://study.example.org"
    url = publish(rita, yaml.safe_dump(studies.design())).json()["fieldings"][0]["participant_url"]
    assert url.startswith("https://study.example.org/s/")


@pytest.mark.parametrize(
    ("changes", "field"),
    [({"seed": -1}, "seed"), ({"plan": {"sd": float("nan")}}, "plan.sd"), ({"seed": float("inf")}, "seed")],
)
def test_a_wrong_file_names_line_and_field(rita: Client, changes: dict[str, Any], field: str) -> None:
    response = publish(rita, yaml.safe_dump(studies.design(**changes)))
    error = response.json()["error"]
    assert (response.status_code, error["code"], error["details"]["field"]) == (422, "invalid_study", field)
    assert error["message"].startswith(f"study, line {error['details']['line']}: ")


def test_a_file_of_another_type_is_refused(rita: Client) -> None:
    assert publish(rita, "{}", "application/json").json()["error"]["code"] == "not_yaml"


def test_cells_have_the_progress_of_each_condition(rita: Client) -> None:
    study = studies.study()
    session, _ = studies.start(study.fieldings.get())
    for trial in session.trials.all():
        studies.vote(trial)
    path = f"/api/research/studies/{study.sha256}"
    # a session counts once it is complete
    assert sum(cell["votes"] for cell in rita.get(path).json()["cells"]) == 0
    completion.finish(session, skipped=[])
    body = rita.get(path).json()
    assert body["study"] == study.frozen
    counts = {"started": 1, "completed": 1, "counted": 1, "excluded": 0, "over_quota": 0, "simulated": 0}
    assert (body["votes"], body["sessions"]) == (6, counts)
    cells = body["cells"]
    assert sum(cell["votes"] for cell in cells) == 6
    assert sum(cell["target"] for cell in cells) == 36
    assert {(cell["kind"], cell["condition"], cell["clips"]) for cell in cells} == {
        ("rate", "TCP+", 1),
        ("rate", "QUIC", 1),
        ("compare", "QUIC / TCP+", 2),
    }


def test_cells_are_counted_by_group_and_without_training_and_repeats(rita: Client) -> None:
    study = studies.study(groups=[{"key": "paid", "quota": {"sessions": 3}}, {"key": "volunteer"}])
    for group, number in (("paid", 1), ("volunteer", 2)):
        for _ in range(number):
            session, _ = studies.start(study.fieldings.get(group=group))
            for trial in session.trials.all():
                studies.vote(trial)
            completion.finish(session, skipped=[])
    cells = rita.get(f"/api/research/studies/{study.sha256}").json()["cells"]
    assert {cell["role"] for cell in cells} == {"main"}

    def total(field: str, group: str) -> int:
        return sum(cell[field] for cell in cells if cell["group"] == group)

    assert (total("votes", "paid"), total("target", "paid")) == (6, 18)
    assert (total("votes", "volunteer"), total("target", "volunteer")) == (12, 36)
    Trial.objects.filter(session__fielding__group="paid", position=1).update(role="training")
    Trial.objects.filter(session__fielding__group="paid", position=2).update(role="repeat")
    cells = rita.get(f"/api/research/studies/{study.sha256}").json()["cells"]
    assert (total("votes", "paid"), total("votes", "volunteer")) == (4, 12)


def test_a_fielding_is_paused_and_opened_again(rita: Client) -> None:
    slug = studies.study().fieldings.get().slug
    path = f"/api/research/fieldings/{slug}/state"
    assert post(rita, path, {"state": "paused"}).json()["state"] == "paused"
    assert post(rita, path, {"state": "open"}).json()["state"] == "open"
    assert post(rita, path, {"state": "closed"}).json()["state"] == "closed"
    refused = post(rita, path, {"state": "open"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "not_allowed")
    assert post(rita, path, {"state": "full"}).status_code == 422


def test_researchers_are_shown_a_full_fielding_as_participants_are(rita: Client) -> None:
    study = studies.study(quota={"sessions": 1})
    slug = study.fieldings.get().slug

    def shown() -> tuple[str, str, str]:
        row = rita.get(f"/api/research/studies/{study.sha256}").json()["fieldings"][0]
        return row["state"], row["effective_state"], stranger().get(f"/api/participate/{slug}").json()["state"]

    assert shown() == ("open", "open", "open")
    session, _ = studies.start(study.fieldings.get())
    # nobody has seen anything yet, so the next one may take the place over
    assert shown() == ("open", "open", "open")
    studies.play(studies.watched(session.trials.get(position=1)))
    assert shown() == ("open", "full", "full")
    Session.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert shown() == ("open", "open", "open")
    Session.objects.update(state="completed", completed_at=timezone.now())
    assert shown() == ("open", "full", "full")
    path = f"/api/research/fieldings/{slug}/state"
    for state in ("paused", "open", "closed"):
        row = post(rita, path, {"state": state}).json()
        assert (row["state"], row["effective_state"]) == (state, "full" if state == "open" else state)


def test_a_running_session_goes_on_while_the_fielding_is_paused(rita: Client) -> None:
    fielding = studies.study().fieldings.get()
    client, _ = participant(fielding.slug)
    post(rita, f"/api/research/fieldings/{fielding.slug}/state", {"state": "paused"})
    assert client.get("/api/session").status_code == 200
