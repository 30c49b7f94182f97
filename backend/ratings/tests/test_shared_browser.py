"""People who share a browser, as in a laboratory: where no recruiter tells them apart, they say so themselves."""

import uuid
from typing import Any

import pytest

from accounts.models import Role
from ratings.models import Participant, Session
from studies.lifecycle import change_state
from studies.models import Fielding, FieldingState
from testing import studies
from testing.web import SCREEN, Browser, participant, post, put, vote_body

pytestmark = [pytest.mark.django_db, pytest.mark.services]

BODY = {"language": "en", "consent_version": "1", "screen": SCREEN}
WORKERS = {"key": "worker", "recruiter": {"name": "panel", "id_parameter": "PID"}}


def fielding(policy: str = "resume", **changes: Any) -> Fielding:
    studies.visible_batch()
    return studies.study(session={"resume": policy}, **changes).fieldings.get()


def somebody_else(browser: Browser, field: Fielding, **more: Any) -> Any:
    return post(browser, f"/api/participate/{field.slug}/sessions", BODY | {"another_person": True} | more)


@pytest.mark.parametrize("policy", ["resume", "restart", "block"])
def test_somebody_else_begins_as_another_participant_whatever_the_policy(policy: str) -> None:
    field = fielding(policy)
    browser, first = participant(field.slug)
    assert first["allows_another_person"]
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
    browser = Browser()
    first = post(browser, f"/api/participate/{field.slug}/sessions", BODY | {"recruit": {"id": "w-16"}}).json()
    assert not first["allows_another_person"]
    for more in ({}, {"recruit": {"id": "w-17"}}):
        answer = somebody_else(browser, field, **more)
        assert (answer.status_code, answer.json()["error"]["details"]) == (422, {"field": "another_person"})
    assert Session.objects.count() == 1


def test_a_browser_without_a_session_simply_begins() -> None:
    assert somebody_else(Browser(), fielding()).status_code == 201


def several_links(**changes: Any) -> list[Fielding]:
    """The links of one study, which has two groups."""
    studies.visible_batch()
    groups = [{"key": "laboratory"}, {"key": "volunteer"}]
    return list(studies.study(groups=groups, **changes).fieldings.order_by("pk"))


@pytest.mark.parametrize("finished", [False, True])
def test_a_browser_takes_a_study_once_whichever_of_its_links_it_opens(finished: bool) -> None:
    link, other = several_links()
    browser, begun = participant(link.slug)
    if finished:
        for trial in begun["trials"]:
            put(browser, f"/api/session/votes/{uuid.uuid4()}", vote_body(trial))
        post(browser, "/api/session/finish", {"skipped": []})
    answer = post(browser, f"/api/participate/{other.slug}/sessions", BODY)
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "already_took_part")
    assert (Participant.objects.count(), Session.objects.count()) == (1, 1)
    # its own link still leads to it
    assert post(browser, f"/api/participate/{link.slug}/sessions", BODY).json()["id"] == begun["id"]


def test_a_study_that_is_fielded_again_is_the_same_study() -> None:
    first = fielding()
    browser, _ = participant(first.slug)
    change_state(first, FieldingState.CLOSED)
    again = studies.study(session={"resume": "resume"}).fieldings.exclude(pk=first.pk).get()
    answer = post(browser, f"/api/participate/{again.slug}/sessions", BODY)
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "already_took_part")
    # in another browser somebody else begins
    assert participant(again.slug)[1]["state"] == "started"


def test_somebody_else_begins_by_another_link_of_the_study() -> None:
    link, other = several_links()
    browser, first = participant(link.slug)
    second = somebody_else(browser, other)
    assert (second.status_code, Participant.objects.count()) == (201, 2)
    # each link goes on with whoever began by it
    for field, session in ((link, first), (other, second.json())):
        assert post(browser, f"/api/participate/{field.slug}/sessions", BODY).json()["id"] == session["id"]


def test_another_study_and_a_preview_are_none_of_it() -> None:
    link, other = several_links()
    elsewhere = studies.study(name="another").fieldings.get()
    browser, _ = participant(elsewhere.slug)
    browser.force_login(studies.user("rita", Role.ADMIN))
    assert post(browser, f"/api/research/fieldings/{link.slug}/preview", BODY).status_code == 201
    answer = post(browser, f"/api/participate/{other.slug}/sessions", BODY)
    assert (answer.status_code, Participant.objects.filter(sessions__fielding=other).count()) == (201, 1)


def test_whom_a_recruiter_sends_is_known_by_the_id_alone() -> None:
    studies.visible_batch()
    groups = [{"key": "volunteer"}, WORKERS]
    volunteers, workers = studies.study(groups=groups).fieldings.order_by("pk")
    browser, _ = participant(volunteers.slug)
    answer = post(browser, f"/api/participate/{workers.slug}/sessions", BODY | {"recruit": {"id": "w-17"}})
    assert (answer.status_code, Participant.objects.count()) == (201, 2)


def test_who_has_withdrawn_may_take_part_by_another_link() -> None:
    link, other = several_links()
    browser, begun = participant(link.slug)
    post(browser, "/api/withdrawals", {"session_id": begun["id"]})
    assert post(browser, f"/api/participate/{other.slug}/sessions", BODY).status_code == 201
