"""A double click on Begin, or a request repeated after a lost answer: one session, whichever answer arrives last."""

import uuid
from collections import Counter
from typing import Any

import pytest

from ratings.models import Participant, Session, Trial
from studies.models import Fielding
from testing import studies
from testing.threads import at_once
from testing.web import SCREEN, Browser, post, stranger

pytestmark = [pytest.mark.django_db, pytest.mark.services]

BODY = {"language": "en", "consent_version": "1", "screen": SCREEN}
WORKERS = {"key": "worker", "recruiter": {"name": "panel", "id_parameter": "PID"}}


def fielding(**changes: Any) -> Fielding:
    studies.visible_batch()
    return studies.study(**changes).fieldings.get()


def click(browser: Any, field: Fielding, begin_id: uuid.UUID, **more: Any) -> Any:
    return post(browser, f"/api/participate/{field.slug}/sessions", BODY | {"begin_id": str(begin_id)} | more)


def token(response: Any, field: Fielding) -> str:
    value: str = response.cookies[f"eyelevel_session_{field.slug}"].value
    return value


@pytest.mark.parametrize("more", [{}, {"another_person": True}])
def test_two_requests_of_one_click_give_one_session_and_one_cookie(more: dict[str, Any]) -> None:
    field, begin_id = fielding(), uuid.uuid4()
    # the second one leaves before the cookie of the first arrives
    first, second = (click(stranger(), field, begin_id, **more) for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json() == second.json()
    assert token(first, field) == token(second, field)
    assert (Session.objects.count(), Participant.objects.count()) == (1, 1)


def test_two_clicks_give_two_sessions() -> None:
    field = fielding()
    first, second = (click(stranger(), field, uuid.uuid4()) for _ in range(2))
    assert first.json()["id"] != second.json()["id"]
    assert token(first, field) != token(second, field)


def test_a_click_on_another_link_is_another_one() -> None:
    begin_id = uuid.uuid4()
    fields = [fielding(), studies.study(title={"en": "Another", "de": "Eine andere"}).fieldings.get()]
    tokens = {token(click(stranger(), field, begin_id), field) for field in fields}
    assert len(tokens) == 2


def test_a_session_goes_on_in_another_browser_by_one_click_with_one_cookie() -> None:
    field, begin_id = fielding(groups=[WORKERS]), uuid.uuid4()
    recruit = {"recruit": {"id": "p1"}}
    begun = click(stranger(), field, uuid.uuid4(), **recruit).json()
    first, second = (click(stranger(), field, begin_id, **recruit) for _ in range(2))
    assert token(first, field) == token(second, field)
    elsewhere = Browser()
    elsewhere.cookies[f"eyelevel_session_{field.slug}"] = token(first, field)
    assert elsewhere.get(f"/api/session?slug={field.slug}").json()["id"] == begun["id"]


def test_the_stored_token_does_not_follow_from_what_the_page_sent() -> None:
    field, begin_id = fielding(), uuid.uuid4()
    assert str(begin_id) not in token(click(stranger(), field, begin_id), field)


@pytest.mark.django_db(transaction=True)
def test_five_requests_of_one_click_at_once_give_one_session(transactional_db: None) -> None:
    field, begin_id = fielding(), uuid.uuid4()
    answers = at_once(lambda _: click(stranger(), field, begin_id), threads=5)
    counts = Counter(answer.status_code for answer in answers)
    # a busy start is told to try again, and finds the session then
    assert (counts[201], set(counts) - {200, 201, 429}) == (1, set())
    assert len({answer.json()["id"] for answer in answers if answer.status_code != 429}) == 1
    assert click(stranger(), field, begin_id).status_code == 200
    assert Session.objects.count() == 1
    assert Trial.objects.exclude(slot=None).count() == 6
