"""People who share a browser, as in a laboratory: where no recruiter tells them apart, they say so themselves."""

import uuid
from typing import Any

import pytest

from ratings.models import Participant, Session
from studies.models import Fielding
from testing import studies
from testing.web import SCREEN, Browser, participant, post, put, vote_body

pytestmark = [pytest.mark.django_db, pytest.mark.services]

BODY = {"language": "en", "consent_version": "1", "screen": SCREEN}
WORKERS = {"key": "worker", "recruiter": {"name": "panel", "id_parameter": "PID"}}


def fielding(policy: str = "resume", **changes: Any) -> Fielding:
    studies.visible_batch()
    return studies.study(session={"resume": policy}, **changes).fieldings.get()


def somebody_else(browser: Browser, field: Fielding, **more: Any) -> Any:
    return post(browser, f"/api/participate/{field.slug}/sessions", BODY | {"anew": True} | more)


@pytest.mark.parametrize("policy", ["resume", "restart", "block"])
def test_somebody_else_begins_as_another_participant_whatever_the_policy(policy: str) -> None:
    field = fielding(policy)
    browser, first = participant(field.slug)
    assert first["may_begin_anew"]
    put(browser, f"/api/session/votes/{uuid.uuid4()}", vote_body(first["trials"][0]))
    answer = somebody_else(browser, field)
    assert (answer.status_code, answer.json()["answered"]) == (201, [])
    assert answer.json()["id"] != first["id"]
    assert Participant.objects.count() == 2
    # the one before them is left as whoever goes away is: nothing is closed, and its time runs out
    assert Session.objects.get(pk=first["id"]).state == "started"
    assert browser.get(f"/api/session?slug={field.slug}").json()["id"] == answer.json()["id"]


def test_the_next_one_sees_neither_the_code_nor_the_answers_of_the_one_before() -> None:
    field = fielding()
    browser, first = participant(field.slug)
    for trial in first["trials"]:
        put(browser, f"/api/session/votes/{uuid.uuid4()}", vote_body(trial))
    code = post(browser, "/api/session/finish", {"skipped": []}).json()["completion_code"]
    second = somebody_else(browser, field).json()
    assert second["state"] == "started"
    refused = post(browser, "/api/session/finish", {"session_id": first["id"], "skipped": []})
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "other_session")
    assert browser.get("/api/withdrawals/own").json()["session_id"] == second["id"]
    # the first one still has the code
    assert post(browser, "/api/withdrawals", {"completion_code": code}).json()["votes"] == 6
    assert str(Session.objects.get().pk) == second["id"]


def test_where_a_recruiter_tells_people_apart_nobody_begins_anew() -> None:
    field = fielding(groups=[WORKERS])
    browser, first = participant(field.slug)
    assert not first["may_begin_anew"]
    for more in ({}, {"recruit": {"id": "w-17"}}):
        answer = somebody_else(browser, field, **more)
        assert (answer.status_code, answer.json()["error"]["details"]) == (422, {"field": "anew"})
    assert Session.objects.count() == 1


def test_a_browser_without_a_session_simply_begins() -> None:
    assert somebody_else(Browser(), fielding()).status_code == 201
