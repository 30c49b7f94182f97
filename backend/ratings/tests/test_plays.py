"""Plays over the API: evidence, one receipt, and so many per trial."""

import uuid
from typing import Any

import pytest

from ratings.models import Play
from studies.models import Fielding
from testing import studies
from testing.studies import EVIDENCE
from testing.web import answer, error_code, participant, play_body, put

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def fielding(db: None) -> Fielding:
    studies.visible_batch()
    return studies.study().fieldings.get()


def test_plays_are_kept_and_a_repeat_gets_the_first_receipt(fielding: Fielding) -> None:
    client, session = participant(fielding.slug)
    path = f"/api/session/plays/{uuid.uuid4()}"
    first = put(client, path, play_body(session["trials"][1]))
    assert first.status_code == 200
    assert put(client, path, play_body(session["trials"][1], replay=True)).json() == first.json()
    broken = EVIDENCE | {"complete": False, "frames_presented": None, "frames_dropped": None}
    put(client, f"/api/session/plays/{uuid.uuid4()}", play_body(session["trials"][1], replay=True, evidence=broken))
    plays = Play.objects.order_by("replay")
    assert [(play.replay, play.frames_presented, play.frames_dropped, play.trial.position) for play in plays] == [
        (False, 213, 0, 2),
        (True, None, None, 2),
    ]
    assert [play.evidence for play in plays] == [EVIDENCE, broken]


def test_a_play_without_evidence_is_refused(fielding: Fielding) -> None:
    client, session = participant(fielding.slug)
    silent = play_body(session["trials"][0])
    del silent["evidence"]
    for body in (silent, silent | {"evidence": None}):
        response = put(client, f"/api/session/plays/{uuid.uuid4()}", body)
        assert (response.status_code, response.json()["error"]["details"]) == (422, {"field": "evidence"})
    assert Play.objects.count() == 0


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"version": 2}, "evidence.version"),
        ({"media_ms": -1}, "evidence.media_ms"),
        ({"off_speed_ms": "much"}, "evidence.off_speed_ms"),
        ({"off_speed": None}, "evidence.off_speed"),
        ({"frames_presented": 1.5}, "evidence.frames_presented"),
        ({"stalls": [{"at_ms": 0, "ms": 1}, {"at_ms": 5, "ms": -1}]}, "evidence.stalls[1].ms"),
        ({"hidden": [{"at_ms": 0}]}, "evidence.hidden[0].ms"),
        ({"pauses": [{"at_ms": 0, "ms": 0}] * 101}, "evidence.pauses"),
        ({"window": {"width_px": 1440}}, "evidence.window.height_px"),
        ({"user_agent": "Mozilla"}, "evidence.user_agent"),
    ],
)
def test_wrong_evidence_names_its_field(fielding: Fielding, changes: dict[str, Any], field: str) -> None:
    client, session = participant(fielding.slug)
    body = play_body(session["trials"][0], evidence=EVIDENCE | changes)
    response = put(client, f"/api/session/plays/{uuid.uuid4()}", body)
    assert (response.status_code, response.json()["error"]["details"]) == (422, {"field": field})
    assert Play.objects.count() == 0


def test_another_sessions_play_is_refused(fielding: Fielding) -> None:
    client, session = participant(fielding.slug)
    path = f"/api/session/plays/{uuid.uuid4()}"
    put(client, path, play_body(session["trials"][0]))
    other, others = participant(fielding.slug)
    assert error_code(put(other, path, play_body(others["trials"][0]))) == (409, "id_taken")


def test_a_trial_takes_so_many_plays_and_no_more(fielding: Fielding, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ratings.plays.MAX_PLAYS", 2)
    client, session = participant(fielding.slug)
    first, second = session["trials"][:2]
    ids = [uuid.uuid4() for _ in range(3)]
    responses = [put(client, f"/api/session/plays/{play_id}", play_body(first)) for play_id in ids]
    assert [response.status_code for response in responses] == [200, 200, 409]
    error = responses[2].json()["error"]
    assert error["code"] == "too_many_plays"
    assert error["message"] == "Trial 1 already has 2 plays, which is the maximum."
    # a repeat still gets its receipt, each trial has its own limit, and the vote is stored
    assert put(client, f"/api/session/plays/{ids[0]}", play_body(first)).json() == responses[0].json()
    assert put(client, f"/api/session/plays/{ids[2]}", play_body(second)).status_code == 200
    assert answer(client, first).status_code == 200
