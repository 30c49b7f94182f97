"""One browser, several studies and several tabs: nothing is ever stored in the wrong session."""

import uuid
from typing import Any

import pytest
from django.http import HttpResponse

from ratings.models import PersonAnswers, Play, Session, Vote
from studies.models import Fielding
from testing import studies
from testing.web import Browser, error_code, participant, play_body, post, put, vote_body

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def fielding(db: None) -> Fielding:
    studies.visible_batch()
    return studies.study(session={"resume": "restart"}).fieldings.get()


def vote(client: Browser, trial: dict[str, Any], session_id: str) -> HttpResponse:
    answer: HttpResponse = put(
        client, f"/api/session/votes/{uuid.uuid4()}", vote_body(trial) | {"session_id": session_id}
    )
    return answer


def test_two_studies_in_one_browser_leave_each_other_alone(fielding: Fielding) -> None:
    other = studies.study(name="another").fieldings.get()
    browser, first = participant(fielding.slug)
    _, second = participant(other.slug, browser)
    assert vote(browser, first["trials"][0], first["id"]).status_code == 200
    assert vote(browser, second["trials"][0], second["id"]).status_code == 200
    assert {str(stored.session_id) for stored in Vote.objects.all()} == {first["id"], second["id"]}
    here = {slug: browser.get(f"/api/session?slug={slug}").json()["id"] for slug in (fielding.slug, other.slug)}
    assert here == {fielding.slug: first["id"], other.slug: second["id"]}
    assert browser.get("/api/session").json()["id"] == second["id"]


def test_the_cookie_of_one_link_opens_no_session_of_another(fielding: Fielding) -> None:
    other = studies.study(name="another").fieldings.get()
    browser, first = participant(fielding.slug)
    browser.cookies[f"eyelevel_session_{other.slug}"] = browser.cookies[f"eyelevel_session_{fielding.slug}"].value
    assert browser.get(f"/api/session?slug={other.slug}").status_code == 204
    del browser.cookies[f"eyelevel_session_{fielding.slug}"]
    assert error_code(vote(browser, first["trials"][0], first["id"])) == (401, "no_session")
    assert Vote.objects.count() == 0


def test_what_belongs_to_another_tabs_session_is_kept_out_of_this_one(fielding: Fielding) -> None:
    client, first = participant(fielding.slug)
    trial = first["trials"][0]
    put(client, f"/api/session/plays/{uuid.uuid4()}", play_body(trial))
    _, second = participant(fielding.slug, client)
    mine: dict[str, Any] = {"session_id": first["id"]}
    person, finish = mine | {"answers": {"age": "old"}}, mine | {"skipped": []}
    answers = [
        put(client, f"/api/session/votes/{uuid.uuid4()}", vote_body(trial, **mine)),
        put(client, f"/api/session/plays/{uuid.uuid4()}", play_body(trial, **mine)),
        put(client, "/api/session/person", person),
        post(client, "/api/session/finish", finish),
        client.get(f"/api/session?session_id={first['id']}"),
    ]
    assert [error_code(response) for response in answers] == [(409, "other_session")] * 5
    assert (Vote.objects.count(), Play.objects.count(), PersonAnswers.objects.count()) == (0, 1, 0)
    assert vote(client, second["trials"][0], second["id"]).status_code == 200
    assert str(Vote.objects.get().session_id) == second["id"]


def test_a_session_that_was_never_here_is_unknown(fielding: Fielding) -> None:
    client, first = participant(fielding.slug)
    assert error_code(vote(client, first["trials"][0], str(uuid.uuid4()))) == (401, "no_session")
    assert error_code(vote(Browser(), first["trials"][0], first["id"])) == (401, "no_session")
    assert Session.objects.count() == 1
