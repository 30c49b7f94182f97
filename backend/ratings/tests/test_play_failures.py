"""Tests of the count of clips that did not play, which says nothing about whose session it was."""

import pytest
from django.test import Client

from accounts.models import Role, User
from lib.browsers import browser_of
from ratings.models import PlayFailure, Trial
from ratings.play_failures import MOST_TIMES
from studies.models import Study
from testing import studies
from testing.web import Browser, answer, error_code, participant, post, put

pytestmark = [pytest.mark.django_db, pytest.mark.services]
PATH = "/api/session/play-failures"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
CHROME = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36"
)


@pytest.mark.parametrize(
    ("user_agent", "browser"),
    [
        (FIREFOX, "Firefox 128, Linux"),
        (CHROME, "Chrome 130, Windows"),
        (f"{CHROME} Edg/130.0.0.0", "Edge 130, Windows"),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
            "Version/17.5 Mobile/15E148 Safari/604.1",
            "Safari 17, iOS",
        ),
        (
            "Mozilla/5.0 (Linux; Android 14; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) "
            "SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36",
            "Samsung Internet 25, Android",
        ),
        ("curl/8.5.0", "other, other"),
        ("", "other, other"),
        ("Firefox/99999999999", "other, other"),
    ],
)
def test_a_browser_is_named_with_its_major_version_and_system(user_agent: str, browser: str) -> None:
    assert browser_of(user_agent) == browser


@pytest.fixture
def rita(db: None) -> User:
    return studies.user("rita", Role.RESEARCHER)


@pytest.fixture
def study(rita: User) -> Study:
    studies.visible_batch()
    return studies.study(owner=rita)


def fail(browser: Browser, *, position: int = 1, fault: str = "undecodable", user_agent: str = FIREFOX) -> int:
    body = {"session_id": browser.session_id, "position": position, "fault": fault}
    return int(
        browser.post(PATH, body, content_type="application/json", headers={"User-Agent": user_agent}).status_code
    )


def test_a_researcher_sees_clip_browser_and_count(study: Study, rita: User) -> None:
    browser, session = participant(study.fieldings.get().slug)
    # of a trial the first report counts
    assert [fail(browser), fail(browser), fail(browser, user_agent=CHROME, fault="damaged")] == [204] * 3
    other, begun = participant(study.fieldings.get().slug)
    Trial.objects.filter(session=begun["id"], position=1).update(
        stimulus=Trial.objects.get(session=session["id"], position=1).stimulus
    )
    assert fail(other, user_agent=CHROME, fault="damaged") == 204
    researcher = Client()
    researcher.force_login(rita)
    rows = researcher.get(f"/api/research/studies/{study.sha256}").json()["play_failures"]
    clip = Trial.objects.get(session=session["id"], position=1).stimulus.clip
    shown = {"site": clip.site, "network": clip.network, "stacks": clip.stacks, "clip_sha256": clip.sha256}
    assert rows == [
        shown | {"browser": "Chrome 130, Windows", "fault": "damaged", "times": 1},
        shown | {"browser": "Firefox 128, Linux", "fault": "undecodable", "times": 1},
    ]


def test_what_a_session_does_not_have_is_refused(study: Study) -> None:
    browser, _ = participant(study.fieldings.get().slug)
    assert fail(browser, position=999) == 404
    assert fail(browser, fault="ugly") == 422
    body = {"session_id": "00000000-0000-0000-0000-000000000000", "position": 1, "fault": "gone"}
    assert error_code(post(Client(), PATH, body)) == (401, "no_session")
    assert not PlayFailure.objects.exists()


def test_a_count_ends(study: Study) -> None:
    browser, _ = participant(study.fieldings.get().slug)
    fail(browser)
    PlayFailure.objects.update(times=MOST_TIMES)
    Trial.objects.update(unplayable=False)
    assert fail(browser) == 204
    assert PlayFailure.objects.get().times == MOST_TIMES


def test_a_video_that_did_not_play_may_be_skipped_and_no_other() -> None:
    studies.visible_batch()
    slug = studies.study(session={"narrow_window": "refuse"}).fieldings.get().slug
    client, session = participant(slug)
    first, *others = session["trials"]
    for trial in others:
        assert answer(client, trial).status_code == 200
    assert put(client, "/api/session/person", {"answers": {"age": "old"}}).status_code == 204
    finish = {"skipped": [first["position"]]}
    assert error_code(post(client, "/api/session/finish", finish)) == (422, "invalid")
    assert post(client, PATH, {"position": first["position"], "fault": "damaged"}).status_code == 204
    assert error_code(post(client, "/api/session/finish", {"skipped": [others[0]["position"]]})) == (422, "invalid")
    done = post(client, "/api/session/finish", finish)
    assert done.status_code == 200, done.content
    assert Trial.objects.get(session=session["id"], position=first["position"]).skipped
