"""A recruiter's participant takes part once, and is led back at the end."""

import uuid
from typing import Any

import pytest

from analysis.columns import FILES
from ratings import recruits, returning, sessions
from ratings.models import Participant, Recruitment, Session
from studies.models import Fielding
from testing import studies
from testing.threads import at_once
from testing.web import SCREEN, Browser, post, put, stranger, vote_body

WORKERS = {
    "key": "worker",
    "recruiter": {
        "name": "panel",
        "id_parameter": "PANEL_PID",
        "return_url": "https://panel.example/done?cc={code}",
    },
}
GROUPS = [WORKERS, {"key": "volunteer"}]

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def fieldings(db: None) -> dict[str, Fielding]:
    studies.visible_batch()
    return {fielding.group: fielding for fielding in studies.study(groups=GROUPS).fieldings.all()}


def begin(fielding: Fielding, worker: str | None, browser: Browser | None = None, **more: Any) -> Any:
    browser = browser or Browser()
    body: dict[str, Any] = {"language": "en", "consent_version": "1", "screen": SCREEN} | more
    if worker is not None:
        body["recruit"] = {"id": worker}
    answer = post(browser, f"/api/participate/{fielding.slug}/sessions", body)
    if answer.status_code in (200, 201):
        browser.session_id = answer.json()["id"]
    return answer


def complete(browser: Browser, session: dict[str, Any]) -> Any:
    for trial in session["trials"]:
        put(browser, f"/api/session/votes/{uuid.uuid4()}", vote_body(trial))
    return post(browser, "/api/session/finish", {"skipped": []}).json()


def error_code(response: Any) -> tuple[int, str]:
    return response.status_code, response.json()["error"]["code"]


def test_the_page_is_told_which_parameter_carries_the_id(fieldings: dict[str, Fielding]) -> None:
    told = {group: stranger().get(f"/api/participate/{one.slug}").json() for group, one in fieldings.items()}
    assert told["worker"]["id_parameter"] == "PANEL_PID"
    assert told["volunteer"]["id_parameter"] is None
    assert "panel.example" not in str(told)


def test_the_id_is_kept_apart_from_all_else(fieldings: dict[str, Fielding]) -> None:
    answer = begin(fieldings["worker"], "w-17")
    assert answer.status_code == 201
    kept = Recruitment.objects.get()
    assert (kept.recruiter, kept.recruiter_id) == ("panel", "w-17")
    assert kept.participant == Session.objects.get().participant
    assert "w-17" not in answer.content.decode()
    assert not any("recruit" in column.name for columns in FILES.values() for column in columns)


def test_whoever_is_done_cannot_come_again_in_any_browser(fieldings: dict[str, Fielding]) -> None:
    browser = Browser()
    complete(browser, begin(fieldings["worker"], "w-17", browser).json())
    assert error_code(begin(fieldings["worker"], "w-17")) == (409, "already_took_part")
    assert begin(fieldings["worker"], "w-18").status_code == 201
    assert Participant.objects.count() == 2


def test_an_unfinished_session_goes_on_in_another_browser(fieldings: dict[str, Fielding]) -> None:
    first, second = Browser(), Browser()
    begun = begin(fieldings["worker"], "w-17", first).json()
    put(first, f"/api/session/votes/{uuid.uuid4()}", vote_body(begun["trials"][0]))
    again = begin(fieldings["worker"], "w-17", second)
    assert (again.status_code, again.json()["id"], again.json()["answered"]) == (200, begun["id"], [1])
    assert "completion_code" in complete(second, begun)
    # the first browser has handed the session over
    assert error_code(first.get(f"/api/session?slug={fieldings['worker'].slug}")) == (401, "no_session")


def test_a_browser_that_another_worker_has_used_begins_for_the_new_one(fieldings: dict[str, Fielding]) -> None:
    shared = Browser()
    first = begin(fieldings["worker"], "w-17", shared).json()
    second = begin(fieldings["worker"], "w-18", shared)
    assert second.status_code == 201
    assert second.json()["id"] != first["id"]


def test_the_same_person_by_another_link_of_the_study_is_refused(db: None) -> None:
    studies.visible_batch()
    groups = [WORKERS, WORKERS | {"key": "expert"}]
    one, other = studies.study(groups=groups).fieldings.order_by("pk")
    assert begin(one, "w-17").status_code == 201
    assert error_code(begin(other, "w-17")) == (409, "already_took_part")


def test_in_another_study_the_person_is_the_same_participant(db: None) -> None:
    studies.visible_batch()
    for name in ("first", "second"):
        assert begin(studies.study(name=name, groups=[WORKERS]).fieldings.get(), "w-17").status_code == 201
    assert (Participant.objects.count(), Session.objects.count()) == (1, 2)


def test_an_id_where_nobody_recruits_is_refused_and_none_where_somebody_does_is_not(
    fieldings: dict[str, Fielding],
) -> None:
    answer = begin(fieldings["volunteer"], "w-17")
    assert (error_code(answer), answer.json()["error"]["details"]) == ((422, "invalid"), {"field": "recruit"})
    assert begin(fieldings["worker"], None).status_code == 201
    assert Recruitment.objects.count() == 0


@pytest.mark.parametrize("worker", ["", "x" * 129])
def test_an_id_of_no_length_or_too_much_is_refused(fieldings: dict[str, Fielding], worker: str) -> None:
    answer = begin(fieldings["worker"], worker)
    assert answer.json()["error"]["details"] == {"field": "recruit.id"}


def test_the_end_leads_back_to_the_recruiter(fieldings: dict[str, Fielding]) -> None:
    browser, volunteer = Browser(), Browser()
    done = complete(browser, begin(fieldings["worker"], "w-17", browser).json())
    assert done["return_url"] == f"https://panel.example/done?cc={done['completion_code']}"
    assert complete(volunteer, begin(fieldings["volunteer"], None, volunteer).json())["return_url"] is None


def test_a_simulated_session_says_so(fieldings: dict[str, Fielding]) -> None:
    begin(fieldings["volunteer"], None, origin="simulated")
    begin(fieldings["volunteer"], None)
    assert list(Session.objects.order_by("claim").values_list("origin", flat=True)) == ["simulated", "person"]
    assert error_code(begin(fieldings["volunteer"], None, origin="preview")) == (422, "invalid")


@pytest.mark.django_db(transaction=True)
def test_one_id_in_many_tabs_at_once_is_one_session(transactional_db: None) -> None:
    studies.visible_batch()
    fielding = studies.study(groups=[WORKERS], quota={"sessions": 30}).fieldings.get()
    codes = at_once(lambda _: begin(fielding, "w-17").status_code)
    assert set(codes) <= {200, 201, 409}
    assert codes.count(201) == 1
    assert (Participant.objects.filter(recruitment__isnull=False).count(), Session.objects.count()) == (1, 1)
    assert Participant.objects.count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("worker", ["w-17", None])
def test_who_finishes_in_another_tab_while_beginning_anew_has_one_session(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch, worker: str | None
) -> None:
    studies.visible_batch()
    fielding = studies.study(groups=[WORKERS], session={"resume": "restart"}).fieldings.get()
    browser = Browser()
    session = begin(fielding, worker, browser).json()
    for trial in session["trials"]:
        put(browser, f"/api/session/votes/{uuid.uuid4()}", vote_body(trial))
    hold = returning.hold

    def finish_first(begun: Session) -> None:
        at_once(lambda _: sessions.finish(begun, skipped=[]), threads=1)
        hold(begun)

    monkeypatch.setattr(returning, "hold", finish_first)
    again = begin(fielding, worker, browser)
    if worker is None:
        assert (again.status_code, again.json()["id"]) == (200, session["id"])
    else:
        assert error_code(again) == (409, "already_took_part")
    assert Session.objects.get().state == "completed"


@pytest.mark.django_db(transaction=True)
def test_who_begins_anew_in_two_tabs_has_one_new_session(transactional_db: None) -> None:
    studies.visible_batch()
    fielding = studies.study(groups=[WORKERS], session={"resume": "restart"}).fieldings.get()
    browser = Browser()
    put(browser, f"/api/session/votes/{uuid.uuid4()}", vote_body(begin(fielding, "w-17", browser).json()["trials"][0]))
    codes = at_once(lambda _: begin(fielding, "w-17").status_code)
    assert (codes.count(201), codes.count(200)) == (1, len(codes) - 1)
    assert Session.objects.count() == 2


def test_the_code_in_the_address_is_quoted(fieldings: dict[str, Fielding]) -> None:
    assert recruits.return_url(fieldings["worker"], "A&B") == "https://panel.example/done?cc=A%26B"
    assert set("&=?#/ ") & set(sessions.CODE_LETTERS) == set()
