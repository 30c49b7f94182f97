"""Votes over the API: complete rows, one receipt, and refusals that name the field."""

import uuid
from datetime import datetime
from typing import Any

import pytest

from ratings.models import Play, Vote
from studies.models import Fielding
from testing import studies
from testing.web import answer, error_code, participant, play_body, put, vote_body

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def fielding(db: None) -> Fielding:
    studies.visible_batch()
    return studies.study().fieldings.get()


def test_a_vote_row_is_complete_in_itself(fielding: Fielding) -> None:
    client, session = participant(fielding.slug)
    trial = session["trials"][4]
    vote_id = str(uuid.uuid4())
    body = vote_body(trial, data={"choice": "right", "sureness": 2})
    receipt = put(client, f"/api/session/votes/{vote_id}", body).json()
    vote = Vote.objects.get()
    clip, previous = vote.trial.stimulus.clip, vote.session.trials.get(position=4)
    assert (receipt["id"], receipt["position"]) == (vote_id, 5)
    assert (str(vote.session_id), vote.study, vote.position) == (session["id"], fielding.study, 5)
    assert (vote.clip_sha256, vote.stacks) == (clip.sha256, clip.stacks)
    assert (vote.kind, vote.kind_version, vote.context) == ("compare", 2, "work")
    assert (vote.data, vote.replays, vote.answer_ms) == ({"choice": "right", "sureness": 2}, 1, 1234.5)
    assert (vote.role, vote.previous_clip_sha256) == ("main", previous.stimulus.clip.sha256)
    assert vote.trial.slot is not None
    assert studies.slot_counts()["filled"] == 1
    assert client.get("/api/session").json()["answered"] == [5]


def test_the_first_vote_has_no_clip_before_it(fielding: Fielding) -> None:
    client, session = participant(fielding.slug)
    answer(client, session["trials"][0])
    assert Vote.objects.get().previous_clip_sha256 is None


def test_a_repeated_vote_gets_the_first_receipt_whatever_it_says(fielding: Fielding) -> None:
    client, session = participant(fielding.slug)
    path = f"/api/session/votes/{uuid.uuid4()}"
    first = put(client, path, vote_body(session["trials"][0]))
    again = put(client, path, vote_body(session["trials"][0], data={"score": 1}))
    assert (first.status_code, again.json()) == (200, first.json())
    assert Vote.objects.get().data == {"score": 4}


def test_a_second_vote_for_a_trial_is_refused(fielding: Fielding) -> None:
    client, session = participant(fielding.slug)
    answer(client, session["trials"][0])
    assert error_code(answer(client, session["trials"][0])) == (409, "already_answered")


def test_another_sessions_id_is_refused_without_details(fielding: Fielding) -> None:
    client, session = participant(fielding.slug)
    path = f"/api/session/votes/{uuid.uuid4()}"
    put(client, path, vote_body(session["trials"][0]))
    other, others = participant(fielding.slug)
    response = put(other, path, vote_body(others["trials"][0]))
    assert error_code(response) == (409, "id_taken")
    assert set(response.json()["error"]["details"]) == set()
    assert Vote.objects.count() == 1


def test_an_answer_to_another_clip_is_refused_even_where_the_trial_has_one(fielding: Fielding) -> None:
    client, session = participant(fielding.slug)
    answer(client, session["trials"][0])
    other = session["trials"][1]["clip"]["digest"]
    response = answer(client, session["trials"][0], clip_digest=other)
    assert (response.status_code, response.json()["error"]["details"]) == (422, {"field": "clip_digest"})


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"data": {"score": 8}}, "data.score"),
        ({"data": {"choice": "left", "sureness": 1}}, "data.choice"),
        ({"kind": "compare"}, "kind"),
        ({"kind_version": 1}, "kind_version"),
        ({"layout": "grid"}, "layout"),
        ({"position": 7}, "position"),
        ({"clip_digest": "0" * 64}, "clip_digest"),
        ({"session_id": "mine"}, "session_id"),
        ({"replays": -1}, "replays"),
        ({"answer_ms": -0.1}, "answer_ms"),
        ({"media_ms": "all"}, "media_ms"),
        ({"away": [{"at_ms": 1, "ms": -1}]}, "away[0].ms"),
        ({"away": [{"at_ms": 1, "ms": 1}] * 101}, "away"),
        ({"answered_at": "yesterday"}, "answered_at"),
        ({"answered_at": "2026-01-01T12:00:00"}, "answered_at"),
        ({"mood": "good"}, "mood"),
    ],
)
def test_a_wrong_vote_names_its_field(fielding: Fielding, changes: dict[str, Any], field: str) -> None:
    client, session = participant(fielding.slug)
    response = answer(client, session["trials"][0], **changes)
    assert (response.status_code, response.json()["error"]["details"]) == (422, {"field": field})
    assert Vote.objects.count() == 0


@pytest.mark.parametrize(
    "body", ['{"position": NaN}', "{", "\xff", '{"position": 1e400}', '{"position": 1' + "0" * 400 + "}", "[" * 100_000]
)
def test_what_is_no_json_is_said_to_be_none(fielding: Fielding, body: str) -> None:
    client, _ = participant(fielding.slug)
    data = body.encode("latin-1")
    response = client.put(f"/api/session/votes/{uuid.uuid4()}", data, content_type="application/json")
    assert error_code(response) == (400, "not_json")
    assert Vote.objects.count() == 0


@pytest.mark.parametrize(
    "moment",
    [
        # PostgreSQL keeps each of them, and Python cannot read it back: 1 BC, and the year 10000
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-14:00",
        "1969-12-31T23:59:59.999Z",
        "1970-01-01T00:59:59+01:00",
        "2100-01-01T00:00:00.001Z",
        "2100-01-01T00:00:00-00:01",
    ],
)
def test_a_moment_that_no_clock_shows_is_refused(fielding: Fielding, moment: str) -> None:
    client, session = participant(fielding.slug)
    trial = session["trials"][0]
    for field in ("started_at", "ended_at"):
        response = put(client, f"/api/session/plays/{uuid.uuid4()}", play_body(trial, **{field: moment}))
        assert (response.status_code, response.json()["error"]["details"]) == (422, {"field": field})
    response = put(client, f"/api/session/votes/{uuid.uuid4()}", vote_body(trial, answered_at=moment))
    assert (response.status_code, response.json()["error"]["details"]) == (422, {"field": "answered_at"})
    assert (Play.objects.count(), Vote.objects.count()) == (0, 0)


@pytest.mark.parametrize("moment", ["1970-01-01T00:00:00Z", "2099-12-31T23:59:59.999Z"])
def test_a_clock_that_is_wrong_costs_no_vote(fielding: Fielding, moment: str) -> None:
    client, session = participant(fielding.slug)
    body = play_body(session["trials"][0], started_at=moment, ended_at=moment)
    assert put(client, f"/api/session/plays/{uuid.uuid4()}", body).status_code == 200
    answer(client, session["trials"][0], answered_at=moment)
    assert Vote.objects.get().answered_at == Play.objects.get().ended_at == datetime.fromisoformat(moment)


def test_a_vote_has_the_position_of_the_film_and_the_times_away(fielding: Fielding) -> None:
    client, session = participant(fielding.slug)
    away = [{"at_ms": 100.5, "ms": 12_000.0}]
    answer(client, session["trials"][0], media_ms=812.5, away=away)
    answer(client, session["trials"][1], media_ms=None)
    older = vote_body(session["trials"][2])
    del older["media_ms"], older["away"]
    put(client, f"/api/session/votes/{uuid.uuid4()}", older)
    votes = Vote.objects.order_by("position")
    assert [(vote.media_ms, vote.away) for vote in votes] == [(812.5, away), (None, []), (None, None)]
