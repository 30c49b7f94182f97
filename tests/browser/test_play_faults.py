"""What goes wrong with a play stands in its record: each fault is made for real, in a real browser."""

import time
from pathlib import Path
from typing import Any

import pytest
from platform_process import Platform
from playwright.sync_api import Page, Playwright, expect

from eyelevel_contracts import check

from .conftest import NewContext, Publish
from .own_chromium import own_chromium
from .person import Person
from .records import plays_of, votes_of
from .slow_films import slow_films

pytestmark = [pytest.mark.browser, pytest.mark.services]

AT = "film => document.querySelector('video').currentTime"
PLAYS_SINCE = "ms => document.querySelector('video').currentTime * 1000 > ms"
WAITS = "() => { const film = document.querySelector('video'); return film.currentTime > 0 && film.readyState < 3; }"
# a machine that does other things beside may spoil a play
TRIES = 4
CLEAN = {"off_speed": False, "stalls": [], "hidden": [], "unfocused": [], "pauses": [], "complete": True}


def begin(person: Person) -> None:
    person.page.get_by_role("button", name=person.words.start).click()


def plays_until(page: Page, ms: float) -> None:
    page.wait_for_function(PLAYS_SINCE, arg=ms)


def question(person: Person) -> None:
    expect(person.question(person.words.rate_question)).to_be_visible()


def marks(evidence: dict[str, Any]) -> dict[str, Any]:
    return {key: evidence[key] for key in CLEAN}


def evidence_of(platform: Platform, person: Person, *, plays: int) -> dict[str, Any]:
    """Of the last of so many plays, which keeps the contract."""
    play = plays_of(platform, person.session()["id"], at_least=plays)[-1]
    evidence: dict[str, Any] = play["evidence"]
    check(evidence, "play-evidence.1", source="evidence")
    return evidence


def test_a_clean_play_has_nothing_marked(platform: Platform, publish: Publish, new_context: NewContext) -> None:
    study = publish("clean-play", rate=1, compare=0)
    person = Person(new_context().new_page())
    person.arrive(study["link"])
    person.trial(1, 1)
    person.watch(1)
    told = [evidence_of(platform, person, plays=1)]
    while marks(told[-1]) != CLEAN and len(told) < TRIES:
        person.page.get_by_role("button", name=person.words.replay).click()
        plays_until(person.page, 500)
        question(person)
        told.append(evidence_of(platform, person, plays=len(told) + 1))
    evidence = told[-1]
    assert marks(evidence) == CLEAN, told
    film = person.films[1]
    assert evidence["media_ms"] == pytest.approx(film["duration_s"] * 1000, abs=0.1)
    assert evidence["wall_ms"] == pytest.approx(evidence["media_ms"], abs=150)
    assert evidence["frame_callback"]
    assert evidence["frames_presented"] > 0.5 * film["duration_s"] * 60
    assert evidence["window"] == {"width_px": 1440, "height_px": 900}
    assert evidence["shown"] == {"width_px": 1280, "height_px": 720, "scale": 1}
    assert evidence["zoom"] == 1
    assert evidence["refresh_hz"] is not None


def test_a_paused_film_goes_on_and_the_pause_is_told(
    platform: Platform, publish: Publish, new_context: NewContext
) -> None:
    study = publish("paused", rate=1, compare=0)
    person = Person(new_context().new_page())
    person.arrive(study["link"])
    person.trial(1, 1)
    begin(person)
    plays_until(person.page, 1000)
    person.page.evaluate("document.querySelector('video').pause()")
    question(person)
    evidence = evidence_of(platform, person, plays=1)
    assert len(evidence["pauses"]) == 1
    assert evidence["pauses"][0]["at_ms"] == pytest.approx(1000, abs=400)
    assert evidence["complete"]


def test_whoever_seeks_or_speeds_up_is_brought_back(
    platform: Platform, publish: Publish, new_context: NewContext
) -> None:
    study = publish("seeking", rate=1, compare=0)
    person = Person(new_context().new_page())
    person.arrive(study["link"])
    person.trial(1, 1)
    begin(person)
    plays_until(person.page, 800)
    begun = time.monotonic()
    person.page.evaluate("document.querySelector('video').playbackRate = 4")
    person.page.evaluate("document.querySelector('video').currentTime = 3.2")
    question(person)
    assert time.monotonic() - begun > 2
    evidence = evidence_of(platform, person, plays=1)
    assert evidence["wall_ms"] > 0.9 * evidence["media_ms"]
    assert evidence["off_speed"]


def test_a_processor_that_cannot_keep_up_is_told(platform: Platform, publish: Publish, new_context: NewContext) -> None:
    study = publish("throttled", rate=1, compare=0)
    person = Person(new_context().new_page())
    person.arrive(study["link"])
    person.trial(1, 1)
    person.page.context.new_cdp_session(person.page).send("Emulation.setCPUThrottlingRate", {"rate": 60})
    begin(person)
    question(person)
    evidence = evidence_of(platform, person, plays=1)
    assert marks(evidence) != CLEAN, evidence


def test_a_film_that_waits_for_data_is_told(
    platform: Platform, publish: Publish, new_context: NewContext, batch: Path
) -> None:
    study = publish("stalled", rate=1, compare=0)
    with slow_films(batch) as films:
        # the page's own policy lets no film of another server in
        page = new_context(bypass_csp=True).new_page()
        page.add_init_script(films.script)
        person = Person(page)
        person.arrive(study["link"])
        person.trial(1, 1)
        begin(person)
        page.wait_for_function(WAITS)
        page.wait_for_timeout(700)
        films.release.set()
        question(person)
    evidence = evidence_of(platform, person, plays=1)
    assert max(stall["ms"] for stall in evidence["stalls"]) > 600
    assert evidence["off_speed"]
    assert evidence["wall_ms"] > evidence["media_ms"] + 600


def test_a_film_that_nobody_could_see_is_told(platform: Platform, publish: Publish, playwright: Playwright) -> None:
    study = publish("hidden", rate=1, compare=0)
    with own_chromium(playwright, ["--headless=new", "--window-size=1440,1000"]) as context:
        page = context.new_page()
        person = Person(page)
        person.arrive(study["link"])
        person.trial(1, 1)
        begin(person)
        plays_until(page, 500)
        other = context.new_page()
        time.sleep(1.2)
        page.bring_to_front()
        other.close()
        question(person)
        # and once more, while no film plays
        between = context.new_page()
        time.sleep(0.6)
        page.bring_to_front()
        between.close()
        person.rate(1, 3)
        person.code()
        evidence = evidence_of(platform, person, plays=1)
        [vote] = votes_of(platform, person.session()["id"], at_least=1)
    assert len(evidence["hidden"]) == 1
    assert evidence["hidden"][0]["at_ms"] == pytest.approx(600, abs=500)
    assert evidence["hidden"][0]["ms"] == pytest.approx(1300, abs=500)
    assert sum(span["ms"] for span in evidence["unfocused"]) > 1000
    assert 500 < sum(span["ms"] for span in vote["away"]) < 1500


def test_a_film_that_is_broken_off_is_told_and_begins_anew(
    platform: Platform, publish: Publish, new_context: NewContext
) -> None:
    study = publish("reloaded", rate=1, compare=0)
    person = Person(new_context().new_page())
    person.arrive(study["link"])
    person.trial(1, 1)
    begin(person)
    plays_until(person.page, 1000)
    person.reload()
    person.page.get_by_role("button", name=person.words.to_first_video).click()
    person.trial(1, 1)
    person.watch(1)
    plays = plays_of(platform, person.session()["id"], at_least=2)
    assert [play["evidence"]["complete"] for play in plays] == [False, True]
    assert 900 < plays[0]["evidence"]["media_ms"] < 3000
    assert [play["replay"] for play in plays] == [False, False]
