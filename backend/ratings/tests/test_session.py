"""A participant's session over the API: the cookie, the beginning, and its trials."""

import json
import uuid
from typing import Any

import pytest

from ratings.models import Session, Trial
from studies.models import Fielding, Slot, forget_designs
from testing import studies
from testing.web import SCREEN, error_code, participant, play_body, post, put, stranger, vote_body

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def fielding(db: None) -> Fielding:
    studies.visible_batch()
    return studies.study().fieldings.get()


def test_a_session_has_its_trials_in_blocks(fielding: Fielding) -> None:
    client, session = participant(fielding.slug)
    assert [(trial["position"], trial["kind"]) for trial in session["trials"]] == [
        (1, "rate"), (2, "rate"), (3, "rate"), (4, "rate"), (5, "compare"), (6, "compare")
    ]  # fmt: skip
    assert (session["state"], session["answered"], session["person_answered"]) == ("started", [], False)
    assert len(session["trials"][0]["params"]["labels"]) == 7
    assert session["trials"][5]["params"]["min_width_px"] == 1024
    assert client.get("/api/session").json() == session


def test_the_cookie_is_out_of_scripts_reach(fielding: Fielding, settings: Any) -> None:
    settings.SECURE_COOKIES = True
    client, _ = participant(fielding.slug)
    cookie = client.cookies[f"eyelevel_session_{fielding.slug}"]
    assert (cookie["httponly"], cookie["samesite"], cookie["secure"]) == (True, "Strict", True)
    assert not Session.objects.filter(token_sha256=cookie.value).exists()


def test_without_a_cookie_there_is_no_session(fielding: Fielding) -> None:
    assert error_code(stranger().get("/api/session")) == (401, "no_session")
    assert error_code(put(stranger(), f"/api/session/votes/{uuid.uuid4()}", {})) == (422, "invalid")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"language": "fr"}, "language"),
        ({"consent_version": "0"}, "consent_version"),
        ({"screen": SCREEN | {"width_px": -1}}, "screen.width_px"),
        ({"extra": 1}, "extra"),
    ],
)
def test_a_wrong_beginning_names_its_field(fielding: Fielding, changes: dict[str, Any], field: str) -> None:
    body = {"language": "en", "consent_version": "1", "screen": SCREEN} | changes
    response = post(stranger(), f"/api/participate/{fielding.slug}/sessions", body)
    assert (response.status_code, response.json()["error"]["details"]["field"]) == (422, field)
    assert Session.objects.count() == 0


def test_a_form_of_another_site_cannot_begin_a_session(fielding: Fielding) -> None:
    body = (
        '{"language": "en", "consent_version": "1", "screen": {"width_px": 1, "height_px": 1, "device_pixel_ratio": 1}}'
    )
    response = stranger().post(f"/api/participate/{fielding.slug}/sessions", body, content_type="text/plain")
    assert error_code(response) == (400, "not_json")


def test_a_study_of_another_version_of_a_kind_takes_nobody(fielding: Fielding) -> None:
    study = fielding.study
    study.frozen_text = json.dumps(study.frozen | {"kinds": {"rate": 1, "compare": 2}})
    study.save(update_fields=["frozen_text"])
    forget_designs()
    body = {"language": "en", "consent_version": "1", "screen": SCREEN}
    try:
        answer = post(stranger(), f"/api/participate/{fielding.slug}/sessions", body)
    finally:
        forget_designs()
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "not_open")
    assert "version 1 of rate, but this platform has version 2" in answer.json()["error"]["message"]
    assert not Session.objects.exists()


@pytest.mark.parametrize("state", ["paused", "closed"])
def test_a_fielding_that_is_not_open_takes_nobody(fielding: Fielding, state: str) -> None:
    Fielding.objects.update(state=state)
    body = {"language": "en", "consent_version": "1", "screen": SCREEN}
    assert error_code(post(stranger(), f"/api/participate/{fielding.slug}/sessions", body)) == (409, "not_open")
    assert stranger().get(f"/api/participate/{fielding.slug}").json()["state"] == state


def test_a_full_fielding_takes_nobody(fielding: Fielding) -> None:
    for _ in range(6):
        client, session = participant(fielding.slug)
        studies.watched(Trial.objects.get(session=session["id"], position=1))
        put(client, f"/api/session/plays/{uuid.uuid4()}", play_body(session["trials"][0]))
    body = {"language": "en", "consent_version": "1", "screen": SCREEN}
    assert error_code(post(stranger(), f"/api/participate/{fielding.slug}/sessions", body)) == (409, "not_open")
    assert stranger().get(f"/api/participate/{fielding.slug}").json()["state"] == "full"
    assert set(Slot.objects.values_list("state", flat=True)) == {"assigned"}


@pytest.mark.parametrize("path", ["votes/{}", "plays/{}", "person", "finish"])
def test_what_names_no_session_is_refused(fielding: Fielding, path: str) -> None:
    client, session = participant(fielding.slug)
    bodies: dict[str, Any] = {
        "votes/{}": vote_body(session["trials"][0]),
        "plays/{}": play_body(session["trials"][0]),
        "person": {"answers": {"age": "old"}},
        "finish": {"skipped": []},
    }
    client.session_id = None
    send = post if path == "finish" else put
    response = send(client, f"/api/session/{path.format(uuid.uuid4())}", bodies[path])
    assert (response.status_code, response.json()["error"]["details"]) == (422, {"field": "session_id"})


def test_a_trial_states_when_it_may_be_answered_and_the_speed_of_its_film(fielding: Fielding) -> None:
    _, session = participant(fielding.slug)
    assert {trial["answer_from"] for trial in session["trials"]} == {"end"}
    assert {trial["clip"]["frame_rate"] for trial in session["trials"]} == {10.0}
    trials = [{"kind": "rate", "count": 4, "answer_from": "start"}, {"kind": "compare", "count": 2}]
    other = studies.study(name="from-start", trials=trials).fieldings.get()
    _, session = participant(other.slug)
    assert [trial["answer_from"] for trial in session["trials"]] == ["start"] * 4 + ["end"] * 2
