"""The end of a session: answers about the person, skipped trials, and the completion code."""

import uuid

import pytest

from ratings.models import PersonAnswers
from studies.models import Fielding
from testing import studies
from testing.web import answer, error_code, participant, post, put, stranger, vote_body

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def fielding(db: None) -> Fielding:
    studies.visible_batch()
    return studies.study().fieldings.get()


def test_answers_about_the_person_stay_once_the_session_is_complete(fielding: Fielding) -> None:
    browser, session = participant(fielding.slug)
    path = "/api/session/person"
    for age in ("young", "old"):
        assert put(browser, path, {"answers": {"age": age}}).status_code == 204
    for trial in session["trials"]:
        put(browser, f"/api/session/votes/{uuid.uuid4()}", vote_body(trial))
    post(browser, "/api/session/finish", {"skipped": []})
    late = put(browser, path, {"answers": {"age": "young"}})
    assert (late.status_code, late.json()["error"]["code"]) == (409, "completed")
    assert late.json()["error"]["message"] == "The session is complete, so answers about you can no longer be changed."
    assert PersonAnswers.objects.get().answers == {"age": "old"}


def test_answers_about_the_person_are_checked_against_the_study(fielding: Fielding) -> None:
    client, _ = participant(studies.study(questions=[studies.AGE]).fieldings.get().slug)
    path = "/api/session/person"
    wrong = [{}, {"age": "ancient"}, {"age": "old", "shoe": "42"}]
    fields = [put(client, path, {"answers": answers}).json()["error"]["details"]["field"] for answers in wrong]
    assert fields == ["answers.age", "answers.age", "answers"]
    assert put(client, path, {"answers": {"age": "old"}}).status_code == 204
    assert client.get("/api/session").json()["person_answered"] is True


def test_the_code_comes_once_every_vote_is_there(fielding: Fielding) -> None:
    client, session = participant(fielding.slug)
    for trial in session["trials"][:-1]:
        answer(client, trial)
    early = post(client, "/api/session/finish", {"skipped": []})
    assert error_code(early) == (409, "votes_missing")
    assert early.json()["error"]["details"] == {"positions": [6]}
    answer(client, session["trials"][-1])
    code = post(client, "/api/session/finish", {"skipped": []}).json()["completion_code"]
    assert len(code) == 10
    assert post(client, "/api/session/finish", {"skipped": []}).json()["completion_code"] == code
    assert client.get("/api/session").json()["state"] == "completed"


def test_the_code_comes_once_every_required_question_about_the_person_has_an_answer(fielding: Fielding) -> None:
    questions = [studies.AGE, studies.AGE | {"key": "glasses"}, studies.AGE | {"key": "job", "required": False}]
    client, session = participant(studies.study(questions=questions).fieldings.get().slug)
    for trial in session["trials"]:
        answer(client, trial)
    early = post(client, "/api/session/finish", {"skipped": []})
    assert error_code(early) == (409, "person_missing")
    assert early.json()["error"]["details"] == {"keys": ["age", "glasses"]}
    assert early.json()["error"]["message"] == (
        "The questions about the person age, glasses have no answer yet; ask them, then finish."
    )
    # a returning participant is asked, and not told of an end
    resumed = client.get("/api/session").json()
    assert (resumed["state"], resumed["person_answered"], len(resumed["answered"])) == ("started", False, 6)
    put(client, "/api/session/person", {"answers": {"age": "old", "glasses": "old"}})
    code = post(client, "/api/session/finish", {"skipped": []}).json()["completion_code"]
    assert len(code) == 10
    # of a session that was complete before this was asked for
    PersonAnswers.objects.all().delete()
    assert post(client, "/api/session/finish", {"skipped": []}).json()["completion_code"] == code


def test_comparisons_may_be_skipped_and_their_slots_go_to_others(fielding: Fielding) -> None:
    client, session = participant(fielding.slug)
    for trial in session["trials"][:4]:
        answer(client, trial)
    assert error_code(post(client, "/api/session/finish", {"skipped": [1, 5, 6]})) == (422, "invalid")
    assert error_code(post(client, "/api/session/finish", {"skipped": [5]})) == (409, "votes_missing")
    assert "completion_code" in post(client, "/api/session/finish", {"skipped": [5, 6]}).json()
    counts = studies.slot_counts()
    assert (counts["filled"], counts["assigned"]) == (4, 0)
    assert error_code(answer(client, session["trials"][5])) == (409, "skipped")


def test_a_study_may_let_nobody_begin_without_room_and_nobody_skip(fielding: Fielding) -> None:
    whole = studies.study(session={"narrow_window": "refuse"}).fieldings.get()
    invitation = stranger().get(f"/api/participate/{whole.slug}").json()
    client, session = participant(whole.slug)
    assert (invitation["narrow_window"], session["study"]["narrow_window"]) == ("refuse", "refuse")
    assert [room["skippable"] for room in invitation["room"]] == [False, False]
    for trial in session["trials"][:4]:
        answer(client, trial)
    refused = post(client, "/api/session/finish", {"skipped": [5, 6]})
    assert (refused.status_code, refused.json()["error"]["details"]) == (422, {"field": "skipped"})
    for trial in session["trials"][4:]:
        answer(client, trial)
    assert "completion_code" in post(client, "/api/session/finish", {"skipped": []}).json()


def test_a_rating_may_not_be_skipped(fielding: Fielding) -> None:
    client, _ = participant(fielding.slug)
    response = post(client, "/api/session/finish", {"skipped": [1, 2, 3, 4, 5, 6]})
    assert (response.status_code, response.json()["error"]["details"]) == (422, {"field": "skipped"})
