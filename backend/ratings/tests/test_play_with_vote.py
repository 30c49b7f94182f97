"""The play that ends a trial travels with its vote: stored with it at once, and once, however it is repeated."""

import uuid
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from lib.problems import Problem
from ratings import plays, votes
from ratings.clip_digests import clip_digest
from ratings.models import Play, Trial, Vote
from studies.models import Fielding
from testing import studies
from testing.studies import EVIDENCE
from testing.threads import at_once
from testing.web import participant, play_body, put, vote_body

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def fielding(db: None) -> Fielding:
    studies.visible_batch()
    return studies.study().fieldings.get()


def played(trial: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A play as it travels with a vote."""
    body = play_body(trial, **changes)
    del body["position"]
    return {"id": str(uuid.uuid4())} | body


def vote(client: Client, trial: dict[str, Any], play: dict[str, Any] | None, **changes: Any) -> Any:
    vote_id = changes.pop("vote_id", None) or uuid.uuid4()
    return put(client, f"/api/session/votes/{vote_id}", vote_body(trial, play=play, **changes))


def send_play(client: Client, trial: dict[str, Any], play: dict[str, Any]) -> Any:
    body = play_body(trial) | {name: value for name, value in play.items() if name != "id"}
    return put(client, f"/api/session/plays/{play['id']}", body)


def stored() -> list[tuple[str, int]]:
    return [(str(key), position) for key, position in Play.objects.values_list("pk", "trial__position").order_by("pk")]


def test_the_vote_brings_its_play(fielding: Fielding) -> None:
    client, session = participant(fielding.slug)
    trial = session["trials"][1]
    play = played(trial, replay=True)
    assert vote(client, trial, play).status_code == 200
    row = Play.objects.get()
    assert (str(row.pk), row.trial.position, row.replay, row.evidence) == (play["id"], 2, True, EVIDENCE)
    assert (row.frames_presented, Vote.objects.get().position) == (213, 2)


def test_repeats_in_any_order_store_each_once(fielding: Fielding) -> None:
    client, session = participant(fielding.slug)
    first, second, third = session["trials"][:3]
    plays = [played(trial) for trial in (first, second, third)]
    ids = [uuid.uuid4() for _ in plays]
    # the play alone, then with its vote; both together, then the play alone; the vote alone, then with its play
    responses = [send_play(client, first, plays[0]), send_play(client, first, plays[0])]
    responses += [vote(client, first, plays[0], vote_id=ids[0]) for _ in range(2)]
    responses += [vote(client, second, plays[1], vote_id=ids[1]), send_play(client, second, plays[1])]
    responses += [vote(client, third, None, vote_id=ids[2]), vote(client, third, plays[2], vote_id=ids[2])]
    assert [response.status_code for response in responses] == [200] * 8
    assert responses[0].json() == responses[1].json()
    assert responses[2].json() == responses[3].json()
    assert responses[6].json() == responses[7].json()
    assert stored() == sorted((play["id"], number) for number, play in enumerate(plays, start=1))
    assert Vote.objects.count() == 3


def test_what_is_wrong_with_the_play_is_named_and_stores_neither(fielding: Fielding) -> None:
    client, session = participant(fielding.slug)
    trial = session["trials"][0]
    response = vote(client, trial, played(trial, evidence=EVIDENCE | {"wall_ms": "long"}))
    assert (response.status_code, response.json()["error"]["details"]["field"]) == (422, "evidence.wall_ms")
    assert vote(client, trial, played(trial) | {"id": "mine"}).json()["error"]["details"]["field"] == "play.id"
    other, others = participant(fielding.slug)
    taken = played(trial)
    assert send_play(other, others["trials"][0], taken).status_code == 200
    response = vote(client, trial, taken)
    assert (response.status_code, response.json()["error"]["code"]) == (409, "id_taken")
    assert (Vote.objects.count(), stored()) == (0, [(taken["id"], 1)])


def test_a_play_beyond_the_most_of_a_trial_does_not_come_with_a_vote(
    fielding: Fielding, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ratings.plays.MAX_PLAYS", 1)
    client, session = participant(fielding.slug)
    trial = session["trials"][0]
    first = played(trial)
    send_play(client, trial, first)
    response = vote(client, trial, played(trial))
    assert (response.status_code, response.json()["error"]["code"]) == (409, "too_many_plays")
    assert Vote.objects.count() == 0
    assert vote(client, trial, first).status_code == 200


def test_the_play_of_a_second_vote_is_stored_though_the_vote_is_refused(fielding: Fielding) -> None:
    client, session = participant(fielding.slug)
    trial = session["trials"][0]
    plays = [played(trial), played(trial)]
    assert vote(client, trial, plays[0]).status_code == 200
    response = vote(client, trial, plays[1])
    assert (response.status_code, response.json()["error"]["code"]) == (409, "already_answered")
    assert stored() == sorted((play["id"], 1) for play in plays)


@pytest.mark.django_db(transaction=True)
def test_one_play_sent_alone_and_with_its_vote_at_once_is_one(transactional_db: None) -> None:
    studies.visible_batch()
    session, _ = studies.start(studies.study().fieldings.get())
    trial = Trial.objects.select_related("stimulus__clip", "session__fielding").get(session=session, position=1)
    play, vote_id = studies.playback(), uuid.uuid4()
    answer = votes.Answer(1, clip_digest(trial), "rate", 2, {"score": 3}, "row", 0, 10.0, studies.NOON)

    def send(number: int) -> None:
        if number % 2:
            votes.take_vote(trial.session, vote_id, answer, play)
        else:
            plays.take_play(trial.session, 1, play)

    at_once(send)
    assert (Play.objects.count(), Vote.objects.count()) == (1, 1)


@pytest.mark.django_db(transaction=True)
def test_a_play_id_used_at_once_in_twenty_sessions_is_one_play_and_no_vote_is_lost(transactional_db: None) -> None:
    studies.visible_batch()
    fielding = studies.study(quota={"sessions": 20}).fieldings.get()
    sessions = [studies.start(fielding)[0] for _ in range(20)]
    play = studies.playback()

    def send(number: int) -> str:
        trial = Trial.objects.select_related("stimulus__clip").get(session=sessions[number], position=1)
        answer = votes.Answer(1, clip_digest(trial), "rate", 2, {"score": 3}, "row", 0, 10.0, studies.NOON)
        try:
            votes.take_vote(sessions[number], uuid.uuid4(), answer, play)
        except Problem as problem:
            return problem.code
        return "stored"

    assert sorted(at_once(send)) == ["id_taken"] * 19 + ["stored"]
    assert (Play.objects.count(), Vote.objects.count()) == (1, 1)


@pytest.mark.django_db(transaction=True)
def test_a_vote_with_its_play_needs_few_statements(transactional_db: None) -> None:
    """Session of the cookie, lock, trial, play, vote; between BEGIN and COMMIT; the lease now and then.

    docs/explanation/no-vote-lost.md argues why there are no fewer.
    """
    studies.visible_batch()
    client, session = participant(studies.study().fieldings.get().slug)
    counts = []
    for trial in session["trials"][:3]:
        studies.watched(Trial.objects.get(session=session["id"], position=trial["position"]))
        with CaptureQueriesContext(connection) as asked:
            assert vote(client, trial, played(trial)).status_code == 200
        counts.append([query["sql"].split(" ", 1)[0] for query in asked])
    stored = ["SELECT", "BEGIN", "SELECT", "SELECT", "INSERT", "INSERT", "COMMIT"]
    # the lease is written at the first and the third
    assert counts[1:] == [stored, [*stored[:6], "SELECT", "UPDATE", *stored[6:]]]
