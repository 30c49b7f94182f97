"""A participant withdraws by cookie or code; nobody learns more from a wrong code than that it is wrong."""

from itertools import count
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Role
from privacy import code_lookup
from privacy.models import Erasure, FailedCode
from ratings.models import Session, Vote
from studies.models import Fielding
from testing import studies, withdrawing
from testing.store import close_ledger
from testing.web import SCREEN, Browser, participant, post, put, stranger, vote_body

pytestmark = [pytest.mark.django_db, pytest.mark.services]

PATH = "/api/withdrawals"
LOOKUP_S = 0.125
RETENTION = {"months": 6, "text": {"en": "Six months.", "de": "Sechs Monate."}}


@pytest.fixture(autouse=True)
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long answers were held back, each having been looked up for LOOKUP_S."""
    naps: list[float] = []
    clock = count(step=LOOKUP_S)
    monkeypatch.setattr(code_lookup, "monotonic", lambda: next(clock))
    monkeypatch.setattr(code_lookup, "sleep", naps.append)
    return naps


@pytest.fixture
def field(db: None) -> Fielding:
    return withdrawing.fielding(
        retention=RETENTION, debriefing={"en": "It was about speed.", "de": "Es ging um Geschwindigkeit."}
    )


def finished(field: Fielding) -> tuple[Browser, dict[str, Any], str]:
    """A browser whose session is complete; the session, and its code."""
    browser, session = participant(field.slug)
    for trial in session["trials"]:
        put(browser, f"/api/session/votes/{_uuid()}", vote_body(trial))
    code: str = post(browser, "/api/session/finish", {"skipped": []}).json()["completion_code"]
    return browser, session, code


def _uuid() -> str:
    return str(uuid4())


def test_the_promise_is_the_one_that_was_agreed_to(field: Fielding) -> None:
    browser, session = participant(field.slug)
    body = browser.get(f"{PATH}/own").json()
    assert body == {
        "session_id": session["id"],
        "promises": [
            {
                "title": studies.DESIGN["title"],
                "languages": ["en", "de"],
                "consent_version": "1",
                "consent": studies.DESIGN["consent"]["text"],
                "retention": RETENTION["text"],
                "contact": "study@example.org",
                "votes": 0,
            }
        ],
    }


def test_a_browser_withdraws_by_its_cookie_and_loses_it(field: Fielding) -> None:
    browser, session = participant(field.slug)
    put(browser, f"/api/session/votes/{_uuid()}", vote_body(session["trials"][0]))
    answer = post(browser, PATH, {"session_id": session["id"]})
    body = answer.json()
    assert {**body, "erased_at": None} == {
        "erased_at": None,
        "sessions": 1,
        "votes": 1,
        "plays": 0,
        "answers_about_person": 0,
        "recruiter_ids": 0,
        "snapshots": 0,
        "exports": [],
    }
    assert answer.cookies[f"eyelevel_session_{field.slug}"]["max-age"] == 0
    assert (Vote.objects.count(), Erasure.objects.get().by) == (0, "participant")
    assert browser.get("/api/session").status_code == 401


def test_the_old_cookie_opens_nothing_any_more(field: Fielding) -> None:
    browser, session = participant(field.slug)
    name = f"eyelevel_session_{field.slug}"
    token = browser.cookies[name].value
    post(browser, PATH, {"session_id": session["id"]})
    thief = Browser()
    thief.cookies[name] = token
    thief.session_id = session["id"]
    for answer in (
        thief.get("/api/session"),
        put(thief, f"/api/session/votes/{_uuid()}", vote_body(session["trials"][0])),
        post(thief, PATH, {"session_id": session["id"]}),
    ):
        assert (answer.status_code, answer.json()["error"]["code"]) == (401, "no_session")
    assert thief.get(session["trials"][0]["clip"]["url"]).status_code == 404


def test_a_code_is_enough_however_it_is_typed(field: Fielding) -> None:
    _, _, code = finished(field)
    typed = f" {code[:5].lower()}-{code[5:]} "
    assert post(stranger(), f"{PATH}/lookup", {"completion_code": typed}).status_code == 200
    assert post(stranger(), PATH, {"completion_code": typed}).json()["votes"] == 6
    assert Session.objects.count() == 0


def test_looking_erases_nothing(field: Fielding) -> None:
    browser, session, code = finished(field)
    body = post(browser, f"{PATH}/lookup", {"completion_code": code}).json()
    assert (body["session_id"], body["promises"][0]["votes"], Vote.objects.count()) == (session["id"], 6, 6)


def test_a_code_alone_reveals_nothing_that_finds_answers_in_an_export(field: Fielding) -> None:
    _, session, code = finished(field)
    # they began twice, which is told to nobody else either
    again, _ = studies.start(field)
    Session.objects.filter(pk=again.pk).update(participant=Session.objects.get(pk=session["id"]).participant)
    other, _ = participant(field.slug)
    for who in (stranger(), other):
        answer = post(who, f"{PATH}/lookup", {"completion_code": code})
        body = answer.json()
        assert (body["session_id"], [promise["votes"] for promise in body["promises"]]) == (None, [None])
        assert body["promises"][0]["consent"] == studies.DESIGN["consent"]["text"]
        assert session["id"].encode() not in answer.content
    done = post(stranger(), PATH, {"completion_code": code})
    assert (done.json()["sessions"], session["id"].encode() in done.content) == (2, False)


def test_a_browser_keeps_its_cookie_when_it_withdraws_another(field: Fielding) -> None:
    _, _, code = finished(field)
    browser, session = participant(field.slug)
    answer = post(browser, PATH, {"completion_code": code})
    assert (answer.status_code, dict(answer.cookies)) == (200, {})
    assert browser.get("/api/session").json()["id"] == session["id"]


def test_malformed_unknown_and_erased_codes_get_the_same_answer(field: Fielding, slept: list[float]) -> None:
    _, _, code = finished(field)
    known = post(stranger(), PATH, {"completion_code": code})
    answers = [
        post(stranger(), f"{PATH}/{where}".rstrip("/"), {"completion_code": wrong})
        for wrong in (code, "ABCDEFGHJK", "?", "O0O0O0O0O0")
        for where in ("lookup", "")
    ]
    assert known.status_code == 200
    assert {(answer.status_code, answer.content) for answer in answers} == {(404, answers[0].content)}
    assert answers[0].json()["error"]["code"] == "unknown_code"
    assert len(slept) == 9
    assert slept == [pytest.approx(code_lookup.FLOOR_S - LOOKUP_S)] * 9


def test_guessing_is_stopped_for_everybody_and_goes_on_later(field: Fielding, slept: list[float]) -> None:
    _, _, code = finished(field)
    FailedCode.objects.bulk_create(FailedCode() for _ in range(code_lookup.FAILURES - 1))
    assert post(stranger(), f"{PATH}/lookup", {"completion_code": "ABCDEFGHJK"}).status_code == 404
    stopped = [post(stranger(), f"{PATH}/lookup", {"completion_code": typed}) for typed in ("ABCDEFGHJK", code)]
    assert {(answer.status_code, answer.content) for answer in stopped} == {(429, stopped[0].content)}
    # whoever is refused holds up nobody: only the code before was looked up
    assert len(slept) == 1
    FailedCode.objects.update(failed_at=timezone.now() - code_lookup.WINDOW)
    assert post(stranger(), f"{PATH}/lookup", {"completion_code": code}).status_code == 200


def test_the_cookie_needs_no_code_while_guessing_is_stopped(field: Fielding) -> None:
    FailedCode.objects.bulk_create(FailedCode() for _ in range(code_lookup.FAILURES))
    browser, session = participant(field.slug)
    assert post(browser, PATH, {"session_id": session["id"]}).status_code == 200


@pytest.mark.parametrize("body", [{}, {"completion_code": "ABC", "session_id": "00000000-0000-4000-8000-000000000000"}])
def test_one_of_both_is_asked_for(field: Fielding, body: dict[str, str]) -> None:
    answer = post(stranger(), PATH, body)
    assert (answer.status_code, answer.json()["error"]["details"]) == (422, {"field": "completion_code"})


def test_a_session_that_is_not_this_browsers_is_not_withdrawn(field: Fielding) -> None:
    browser, _ = participant(field.slug)
    _, another = participant(field.slug)
    for who, status, code in ((browser, 409, "other_session"), (stranger(), 401, "no_session")):
        answer = post(who, PATH, {"session_id": another["id"]})
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert Session.objects.count() == 2


def test_a_preview_has_nothing_to_withdraw(field: Fielding) -> None:
    rita = Browser()
    rita.force_login(studies.user("rita", Role.ADMIN))
    body = {"language": "en", "consent_version": "1", "screen": SCREEN}
    begun = post(rita, f"/api/research/fieldings/{field.slug}/preview", body).json()
    answer = post(rita, PATH, {"session_id": begun["id"]})
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "preview")
    assert (Session.objects.count(), Erasure.objects.count()) == (1, 0)
    assert rita.get(f"/api/session?slug={field.slug}&preview=true").json()["id"] == begun["id"]


def test_nothing_is_erased_unnoted(field: Fielding, settings: Any) -> None:
    browser, session = participant(field.slug)
    close_ledger()
    answer = post(browser, PATH, {"session_id": session["id"]})
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "ledger")
    assert browser.get("/api/session").status_code == 200


def test_the_debriefing_comes_with_the_code_and_not_before(field: Fielding) -> None:
    browser, session = participant(field.slug)
    seen = [Client().get(f"/api/participate/{field.slug}").content, browser.get("/api/session").content]
    seen += [put(browser, f"/api/session/votes/{_uuid()}", vote_body(trial)).content for trial in session["trials"]]
    assert not any(b"about speed" in content for content in seen)
    done = post(browser, "/api/session/finish", {"skipped": []}).json()
    assert done["debriefing"] == {"en": "It was about speed.", "de": "Es ging um Geschwindigkeit."}


def test_the_cookie_lives_shorter_once_the_session_is_complete(field: Fielding) -> None:
    browser, _ = participant(field.slug)
    begun = browser.cookies[f"eyelevel_session_{field.slug}"]
    assert (begun["max-age"], begun["httponly"], begun["samesite"]) == (7 * 24 * 3600, True, "Strict")
    browser, _, _ = finished(field)
    done = browser.cookies[f"eyelevel_session_{field.slug}"]
    assert (done["max-age"], done["httponly"], done["samesite"]) == (24 * 3600, True, "Strict")
    assert browser.get("/api/session").json()["state"] == "completed"
