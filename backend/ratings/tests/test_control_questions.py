"""Control questions over the API: shown without their right answer, answered once, and demanded at the end."""

import copy
import json

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client

from ratings.models import ControlAnswer, Session
from studies.models import Fielding
from testing.people import QUESTION, published
from testing.threads import at_once
from testing.web import Browser, error_code, participant, post, put

pytestmark = [pytest.mark.django_db, pytest.mark.services]
PATH = "/api/session/controls/attention"


@pytest.fixture
def fielding(db: None) -> Fielding:
    # a study file has no aliases
    later = copy.deepcopy(QUESTION) | {"key": "colour", "after": 4}
    return published(controls={"videos": {"count": 0, "max_score": 3}, "questions": [later, QUESTION]}).fieldings.get()


def test_control_questions_come_in_order_without_the_right_answer(fielding: Fielding) -> None:
    _, session = participant(fielding.slug)
    assert [(question["key"], question["after"]) for question in session["controls"]] == [
        ("attention", 2),
        ("colour", 4),
    ]
    assert set(session["controls"][0]) == {"key", "after", "label", "choices"}
    assert '"right"' not in json.dumps(session["controls"])
    assert session["controls_answered"] == []


def test_an_answer_is_kept_once(fielding: Fielding) -> None:
    client, _ = participant(fielding.slug)
    assert put(client, PATH, {"choice": "animals"}).status_code == 204
    assert put(client, PATH, {"choice": "animals"}).status_code == 204
    assert error_code(put(client, PATH, {"choice": "websites"})) == (409, "already_answered")
    assert list(ControlAnswer.objects.values_list("key", "choice")) == [("attention", "animals")]
    assert client.get("/api/session").json()["controls_answered"] == ["attention"]


@pytest.mark.django_db(transaction=True)
def test_one_answer_sent_twenty_times_at_once_is_one(fielding: Fielding) -> None:
    client, session = participant(fielding.slug)

    def send(_: int) -> int:
        browser = Browser()
        browser.cookies, browser.session_id = client.cookies, session["id"]
        return int(put(browser, PATH, {"choice": "animals"}).status_code)

    assert set(at_once(send)) == {204}
    assert ControlAnswer.objects.count() == 1


@pytest.mark.parametrize(
    ("path", "choice"), [(PATH, "plants"), (PATH, "right"), ("/api/session/controls/none", "animals")]
)
def test_what_the_study_does_not_ask_is_refused(fielding: Fielding, path: str, choice: str) -> None:
    client, _ = participant(fielding.slug)
    assert error_code(put(client, path, {"choice": choice})) == (422, "invalid")
    assert not ControlAnswer.objects.exists()


def test_without_a_session_nothing_is_taken(fielding: Fielding) -> None:
    body = {"session_id": "00000000-0000-0000-0000-000000000000", "choice": "animals"}
    assert error_code(put(Client(), PATH, body)) == (401, "no_session")


def test_the_end_names_those_without_an_answer(fielding: Fielding) -> None:
    client, session = participant(fielding.slug)
    put(client, PATH, {"choice": "websites"})
    # every trial skipped but in the record, to come to the end quickly
    Session.objects.get(pk=session["id"]).trials.all().delete()
    refused = post(client, "/api/session/finish", {"skipped": []})
    assert error_code(refused) == (409, "controls_missing")
    assert refused.json()["error"]["details"] == {"keys": ["colour"]}
    put(client, "/api/session/controls/colour", {"choice": "websites"})
    assert post(client, "/api/session/finish", {"skipped": []}).status_code == 200


def test_an_answer_is_never_changed(fielding: Fielding) -> None:
    client, _ = participant(fielding.slug)
    put(client, PATH, {"choice": "animals"})
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE ratings_controlanswer SET choice = 'websites'")
