"""Tests the player's surroundings: decoding, autoplay, window size, and when a film can be answered."""

import re
import subprocess
import time
from pathlib import Path

import httpx
import pytest
from platform_process import Platform
from playwright.sync_api import Playwright, Route, expect

from .conftest import NewContext, Publish
from .own_chromium import own_chromium
from .person import Person
from .records import plays_of, votes_of
from .test_play_faults import Between, assert_within, begin, plays_until, question

pytestmark = [pytest.mark.browser, pytest.mark.services]

SCROLL_BAR_PX = 15
# two pages of 1280 pixels with a divider, at a scale of 0.48
WIDE_ENOUGH = 1237 + SCROLL_BAR_PX
PROBE = "**/assets/probe-*.mp4"
CANNOT = "Your browser cannot show these videos."
CLIP = "**/clips/**"
DAMAGED = "The video arrived damaged several times."
PLAYER = "**/assets/createPlayer-*"
GONE = "The connection is slow or interrupted. We keep trying."
HELD = "Your browser blocked the video."
# longer than the page waits for its probe
BEHIND_S = 9.0
# of a browser that saves power: a film plays where a person's press asks for it, or has asked for it once
NEEDS_PRESS = """once => {
  const play = HTMLMediaElement.prototype.play;
  const unlocked = new WeakSet();
  let pressed = false;
  addEventListener('click', () => { pressed = true; setTimeout(() => { pressed = false; }); }, true);
  HTMLMediaElement.prototype.play = function () {
    if (pressed && once) unlocked.add(this);
    const may = pressed || unlocked.has(this);
    return may ? play.call(this) : Promise.reject(new DOMException('needs a press', 'NotAllowedError'));
  };
}"""
# when play() was called for the play that began
ASKED = """film => {
  const play = film.play;
  let asked;
  film.play = () => { asked = performance.now(); return play.call(film); };
  film.addEventListener('playing', () => { if (!film.paused) window.asked ??= asked; });
}"""
# where the film stands as an answer is pressed, before the page hears of it
NOTE_PRESS = """() => document.addEventListener('click', () => {
  const film = document.querySelector('video');
  window.pressed = { atMs: film.currentTime * 1000, sinceMs: performance.now() - window.asked };
}, { capture: true, once: true })"""
# the longest delay of the page's click handler on a busy machine
HEARD_MS = 150
SOUND = ["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "sine=duration=0.3", "-c:a", "aac"]


@pytest.mark.parametrize("content", ["an error", "a sound without a picture"])
def test_a_browser_that_cannot_decode_says_so_before_the_study(
    publish: Publish, new_context: NewContext, tmp_path: Path, content: str
) -> None:
    film = b"no film at all"
    if content != "an error":
        subprocess.run([*SOUND, str(tmp_path / "sound.mp4")], check=True)
        film = (tmp_path / "sound.mp4").read_bytes()

    def instead(route: Route) -> None:
        route.fulfill(body=film, content_type="video/mp4")

    study = publish(f"undecodable-{len(film)}", rate=1, compare=0)
    page = new_context().new_page()
    page.route(PROBE, instead)
    page.goto(study["link"])
    expect(page.get_by_role("alert").filter(has_text=CANNOT)).to_be_visible()
    expect(page.get_by_role("button", name="Begin")).to_have_count(0)
    expect(page.get_by_role("checkbox")).to_have_count(0)


def test_a_link_opened_in_a_tab_behind_is_not_refused(publish: Publish, playwright: Playwright) -> None:
    study = publish("behind", rate=1, compare=0)
    with own_chromium(playwright, ["--headless=new", "--window-size=1440,1000"]) as context:
        assert context.browser is not None
        with context.expect_page() as opened:
            ask = context.browser.new_browser_cdp_session()
            ask.send("Target.createTarget", {"url": study["link"], "background": True})
        page = opened.value
        expect(page.get_by_role("checkbox")).to_be_attached()
        assert page.evaluate("document.visibilityState") == "hidden"
        time.sleep(BEHIND_S)
        page.bring_to_front()
        person = Person(page)
        page.get_by_role("checkbox", name=person.words.agree).check()
        expect(page.get_by_role("button", name=person.words.begin)).to_be_enabled()
        expect(page.get_by_text(CANNOT)).to_have_count(0)


def test_a_player_that_did_not_come_is_fetched_again(publish: Publish, new_context: NewContext) -> None:
    study = publish("late-player", rate=1, compare=0)
    person = Person(new_context().new_page())
    person.page.route(PLAYER, lambda route: route.abort())
    person.arrive(study["link"])
    expect(person.page.get_by_text(GONE)).to_be_visible()
    expect(person.page.get_by_text(CANNOT)).to_have_count(0)
    person.page.unroute(PLAYER)
    person.trial(1, 1)
    person.watch(1)


def test_a_clip_that_arrives_damaged_costs_no_answer_and_the_researcher_sees_it(
    platform: Platform, publish: Publish, new_context: NewContext
) -> None:
    study = publish("damaged-clip", rate=1, compare=0)
    person = Person(new_context().new_page())
    page = person.page
    page.route(CLIP, lambda route: route.fulfill(body=route.fetch().body()[::-1], content_type="video/mp4"))
    person.arrive(study["link"])
    expect(page.get_by_role("alert").filter(has_text=DAMAGED)).to_be_visible()
    page.unroute(CLIP)
    page.get_by_role("button", name="Try now").click()
    person.trial(1, 1)
    person.watch(1)
    person.rate(1, 3)
    assert len(votes_of(platform, person.session()["id"], at_least=1)) == 1

    headers = {"Authorization": f"Bearer {platform.secret('studies-token')}"}
    answer = httpx.get(f"{platform.url}/api/research/studies/{study['sha256']}", headers=headers, timeout=30)
    [failure] = answer.raise_for_status().json()["play_failures"]
    assert (failure["fault"], failure["times"]) == ("damaged", 1)
    assert re.fullmatch(r"Chrome \d+, Linux", failure["browser"])


@pytest.mark.parametrize("once", [True, False])
def test_a_browser_that_plays_only_for_a_press_plays(
    platform: Platform, publish: Publish, new_context: NewContext, once: bool
) -> None:
    study = publish(f"needs-press-{once}".lower(), rate=1, compare=0)
    page = new_context().new_page()
    page.add_init_script(f"({NEEDS_PRESS})({str(once).lower()})")
    person = Person(page)
    person.arrive(study["link"])
    person.trial(1, 1)
    begin(person)
    if not once:
        expect(page.get_by_role("alert").filter(has_text=HELD)).to_be_visible()
        begin(person)
    question(person)
    person.rate(1, 3)
    # what never began is no play
    [play] = plays_of(platform, person.session()["id"], at_least=1)
    assert (play["evidence"]["complete"], play["replay"]) == (True, False)


@pytest.mark.usefixtures("real_clips")
def test_a_comparison_waits_for_a_window_in_which_both_pages_have_their_smallest_size(
    platform: Platform, publish: Publish, new_context: NewContext
) -> None:
    study = publish("room", rate=0, compare=1, batch="demo")
    person = Person(new_context().new_page())
    page = person.page
    person.arrive(study["link"])
    person.trial(1, 1)
    page.set_viewport_size({"width": 1200, "height": 900})
    expect(person.heading(person.words.wider)).to_be_visible()
    expect(page.get_by_text("The window size is 1185 × 900 pixels; 1237 × 346 are needed.")).to_be_visible()
    page.set_viewport_size({"width": WIDE_ENOUGH, "height": 340})
    expect(page.get_by_text("The window size is 1237 × 340")).to_be_visible()
    page.set_viewport_size({"width": WIDE_ENOUGH, "height": 346})
    person.trial(1, 1)
    begin(person)
    plays_until(page, 500)
    # whoever has begun is let finish, but the record tells
    page.set_viewport_size({"width": 1000, "height": 346})
    expect(person.question(person.words.compare_question)).to_be_visible()
    replay = page.get_by_role("button", name=person.words.replay)
    expect(replay).to_be_disabled()
    expect(page.get_by_text("To play the video, please make the window larger: 1237 × 346 pixels are")).to_be_visible()
    page.set_viewport_size({"width": WIDE_ENOUGH, "height": 346})
    expect(replay).to_be_enabled()
    # the play travels with its vote
    person.answer(1)
    person.code()
    [play] = plays_of(platform, person.session()["id"], at_least=1)
    assert play["evidence"]["shown"]["scale"] == pytest.approx((1000 - SCROLL_BAR_PX) / 2576, abs=0.002)


def test_a_study_may_let_nobody_begin_without_room_and_nobody_skip(publish: Publish, new_context: NewContext) -> None:
    study = publish("whole", rate=0, compare=1, session={"narrow_window": "refuse"})
    person = Person(new_context(viewport={"width": 1200, "height": 900}).new_page())
    page, words = person.page, person.words
    page.goto(study["link"])
    expect(page.get_by_text("This study needs a larger window.")).to_be_visible()
    expect(page.get_by_text("The window size is 1185 × 900 pixels; 1237 × 346 are needed.")).to_be_visible()
    expect(page.get_by_role("checkbox")).to_have_count(0)
    page.set_viewport_size({"width": WIDE_ENOUGH, "height": 346})
    person.arrive(study["link"])
    person.trial(1, 1)
    page.set_viewport_size({"width": 1200, "height": 346})
    expect(person.heading(words.wider)).to_be_visible()
    expect(page.get_by_role("button", name=words.skip)).to_have_count(0)
    page.set_viewport_size({"width": WIDE_ENOUGH, "height": 346})
    person.trial(1, 1)


@pytest.mark.usefixtures("real_clips")
def test_an_answer_from_the_start_stops_nothing_and_its_moment_is_kept(
    platform: Platform, publish: Publish, new_context: NewContext
) -> None:
    study = publish("from-start", rate=1, compare=0, answer_from="start", batch="demo")
    person = Person(new_context().new_page())
    person.arrive(study["link"])
    person.trial(1, 1)
    expect(person.question(person.words.rate_question)).to_have_count(0)
    person.page.locator("video").evaluate(ASKED)
    begin(person)
    question(person)
    plays_until(person.page, 300)
    person.page.evaluate(NOTE_PRESS)
    person.page.get_by_role("radio", name="poor", exact=True).check()
    pressed = person.page.evaluate("window.pressed")
    expect(person.next_button).to_be_disabled()
    expect(person.next_button).to_be_enabled()
    person.next_button.click()
    person.code()
    [play] = plays_of(platform, person.session()["id"], at_least=1)
    [vote] = votes_of(platform, person.session()["id"], at_least=1)
    assert play["evidence"]["complete"]
    assert_within(vote["media_ms"], Between(pressed["atMs"], pressed["atMs"] + HEARD_MS))
    assert_within(vote["answer_ms"], Between(pressed["sinceMs"], pressed["sinceMs"] + HEARD_MS))
    assert play["evidence"]["wall_ms"] > vote["answer_ms"]
    assert vote["away"] == []
