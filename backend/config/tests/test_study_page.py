"""A study's document brings the consent's text and the invitation, and is right about who has begun."""

import json
import re
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from accounts.models import Role
from config import study_page
from ratings import problems_shown
from ratings.cookies import cookie_name
from ratings.models import Session
from studies.models import Fielding
from testing import studies
from testing.web import Browser, participant, signed_in, stranger

pytestmark = [pytest.mark.django_db, pytest.mark.services]

BUILT = '<html lang="en"><head><title>Eyelevel</title></head><body><div id="root"></div></body></html>'
TYPED = {"Sec-Fetch-Site": "none"}
WORKERS = {"key": "worker", "recruiter": {"name": "panel", "id_parameter": "PID"}}


@pytest.fixture(autouse=True)
def built(settings: Any, tmp_path: Path) -> None:
    settings.FRONTEND_DIST = tmp_path
    (tmp_path / "study.html").write_text(BUILT)
    (tmp_path / "index.html").write_text("<title>Another page</title>")


def fielding(**changes: Any) -> Fielding:
    studies.visible_batch()
    return studies.study(**changes).fieldings.get()


def opened(client: Client, path: str, **headers: str) -> str:
    response = client.get(path, headers=headers)
    assert response.status_code == 200
    return response.content.decode()


def data(page: str) -> dict[str, Any]:
    match = re.search(r'<script id="delivered" type="application/json">(.*?)</script>', page)
    assert match is not None
    delivered: dict[str, Any] = json.loads(match[1])
    return delivered


def test_somebody_new_reads_the_consent_without_a_script_and_without_a_call() -> None:
    consent = {"version": "1", "text": {"en": "First.\n\nSecond <b>.", "de": "Erstens."}}
    field = fielding(consent=consent)
    page = opened(stranger(), f"/s/{field.slug}", **TYPED)
    assert "<h1>How fast is it?</h1>" in page
    assert "<title>How fast is it?</title>" in page
    assert '<div class="prose"><p>First.</p><p>Second &lt;b&gt;.</p></div>' in page
    delivered = data(page)
    assert (delivered["slug"], delivered["is_new"], delivered["shown"]) == (field.slug, True, True)
    assert delivered["invitation"] == stranger().get(f"/api/participate/{field.slug}").json()


def test_a_text_cannot_leave_its_place() -> None:
    consent = {"version": "1", "text": {"en": "</script><script>alert(1)</script>", "de": "Nein."}}
    page = opened(stranger(), f"/s/{fielding(consent=consent).slug}")
    assert page.count("<script") == 1
    assert data(page)["invitation"]["consent"]["text"]["en"] == consent["text"]["en"]  # type: ignore[index]


@pytest.mark.parametrize(
    ("accepted", "languages", "found"),
    [
        ("de-AT,de;q=0.9,en;q=0.8", ["en", "de"], "de"),
        ("fr,de;q=0.5", ["en", "de"], "de"),
        ("fr", ["en", "de"], "en"),
        ("", ["en", "de"], "en"),
        ("en", ["de"], "de"),
    ],
)
def test_the_text_is_in_the_language_that_the_page_will_take(accepted: str, languages: list[str], found: str) -> None:
    assert study_page.language_of(accepted, languages) == found


def test_a_german_browser_gets_german() -> None:
    page = opened(stranger(), f"/s/{fielding().slug}", **{"Accept-Language": "de"})
    assert page.startswith('<html lang="de">')
    assert "<h1>Wie schnell ist es?</h1>" in page


def test_who_comes_from_another_site_may_have_begun() -> None:
    page = opened(stranger(), f"/s/{fielding().slug}", **{"Sec-Fetch-Site": "cross-site"})
    assert (data(page)["is_new"], data(page)["shown"]) == (False, True)


def test_who_has_begun_is_not_asked_for_consent_again() -> None:
    field = fielding()
    browser, _ = participant(field.slug)
    page = opened(browser, f"/s/{field.slug}", **TYPED)
    assert (data(page)["is_new"], data(page)["shown"]) == (False, False)
    assert "<h1>" not in page
    # previews use a separate cookie
    assert data(opened(browser, f"/s/{field.slug}/preview", **TYPED))["is_new"]


@pytest.mark.parametrize("state", ["paused", "closed"])
def test_a_study_that_takes_nobody_shows_no_consent(state: str) -> None:
    field = fielding()
    Fielding.objects.update(state=state)
    page = opened(stranger(), f"/s/{field.slug}")
    assert (data(page)["shown"], "<h1>" in page) == (False, False)
    assert data(opened(stranger(), f"/s/{field.slug}/preview"))["shown"]


def test_a_full_study_shows_the_consent_again_once_a_session_with_progress_has_to_yield() -> None:
    field = fielding(quota={"sessions": 1})
    session, _ = studies.start(field)
    studies.play(studies.watched(session.trials.get(position=1)))
    path = f"/s/{field.slug}"
    delivered = data(opened(stranger(), path))
    assert (delivered["invitation"]["state"], delivered["shown"]) == ("full", False)
    Session.objects.update(yields_at=timezone.now() - timedelta(seconds=1))
    delivered = data(opened(stranger(), path))
    assert (delivered["invitation"]["state"], delivered["shown"]) == ("open", True)


def test_who_comes_without_the_recruiters_id_reads_no_consent() -> None:
    field = fielding(groups=[WORKERS])
    assert not data(opened(stranger(), f"/s/{field.slug}"))["shown"]
    assert not data(opened(stranger(), f"/s/{field.slug}?PID="))["shown"]
    assert data(opened(stranger(), f"/s/{field.slug}?PID=p1"))["shown"]


def missing(client: Client, field: Fielding) -> Any:
    (row,) = client.get(f"/api/research/studies/{field.study_id}").json()["fieldings"]
    return row["missing_parameter"]


def test_visits_without_the_recruiters_id_are_counted_for_the_researcher() -> None:
    rosa = signed_in("rosa", Role.RESEARCHER)
    field = fielding(groups=[WORKERS])
    link = f"/s/{field.slug}"
    opened(stranger(), f"{link}?PID=p1")
    assert missing(rosa, field) is None
    for path in (link, f"{link}?pid=p1", f"{link}?PID="):
        opened(stranger(), path)
    assert missing(rosa, field) == {"name": "PID", "visits": 3}
    (row,) = rosa.get("/api/research/studies").json()[0]["fieldings"]
    assert row["missing_parameter"] == {"name": "PID", "visits": 3}


def test_what_is_no_arrival_of_a_participant_is_not_counted() -> None:
    rosa = signed_in("rosa", Role.RESEARCHER)
    field = fielding(groups=[WORKERS])
    link = f"/s/{field.slug}"
    back = Browser()
    back.cookies[cookie_name(field.slug)] = "begun here"
    opened(back, link)
    opened(rosa, link)
    opened(stranger(), link, **{"Sec-Purpose": "prefetch;prerender"})
    opened(stranger(), f"{link}/preview")
    stranger().head(link)
    Fielding.objects.update(state="paused")
    opened(stranger(), link)
    assert missing(rosa, field) is None


def test_a_link_without_a_recruiter_lacks_no_id() -> None:
    rosa = signed_in("rosa", Role.RESEARCHER)
    field = fielding()
    opened(stranger(), f"/s/{field.slug}")
    assert missing(rosa, field) is None


def test_a_flood_of_visits_stops_being_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(problems_shown, "MOST_TIMES", 2)
    rosa = signed_in("rosa", Role.RESEARCHER)
    field = fielding(groups=[WORKERS])
    for _ in range(3):
        opened(stranger(), f"/s/{field.slug}")
    assert missing(rosa, field)["visits"] == 2


def test_the_page_comes_where_a_visit_cannot_be_counted(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    field = fielding(groups=[WORKERS])

    def full(*_: Any) -> None:
        raise OperationalError("no space left on device")

    monkeypatch.setattr(study_page, "problems_shown", SimpleNamespace(count_code=full))
    assert not data(opened(stranger(), f"/s/{field.slug}"))["shown"]
    assert "A visit without PID could not be counted" in caplog.text


def test_a_link_that_is_not_there_gets_the_page_that_says_so() -> None:
    assert opened(stranger(), "/s/nothing/") == BUILT


def test_the_page_comes_while_the_database_is_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    field = fielding()

    def down(_: Fielding) -> None:
        raise OperationalError

    monkeypatch.setattr(study_page, "invitation", down)
    assert opened(stranger(), f"/s/{field.slug}") == BUILT


def test_no_browser_keeps_the_page_and_it_comes_compressed() -> None:
    response = Browser().get(f"/s/{fielding().slug}", headers={"Accept-Encoding": "gzip"})
    assert (response["Cache-Control"], response["Content-Encoding"]) == ("no-store", "gzip")


def test_pages_that_are_not_built_say_how_to_build_them(settings: Any) -> None:
    settings.FRONTEND_DIST = Path("/nonexistent")
    assert stranger().get("/s/abc").status_code == 503
