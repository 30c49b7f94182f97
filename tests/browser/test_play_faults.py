"""Tests playback telemetry: each fault of a play, made for real in a browser, is recorded.

A fault in the middle of a film needs a film with a middle: these tests play the real clips of the sample batch.
"""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from platform_process import Platform
from playwright.sync_api import Page, Playwright, expect

from eyelevel_core.contracts import check

from .conftest import NewContext, Publish
from .own_chromium import own_chromium
from .person import Person
from .records import plays_of, votes_of, wait_until
from .slow_films import slow_films

pytestmark = [pytest.mark.browser, pytest.mark.services]

AT = "film => document.querySelector('video').currentTime"
PLAYS_SINCE = "ms => document.querySelector('video').currentTime * 1000 > ms"
# the film has stood still for want of data for so long; a busy machine's hiccup of some milliseconds is not meant
WAITS_FOR = """ms => {
  const film = document.querySelector('video'), now = performance.now(), at = film.currentTime;
  if (!(at > 0 && film.readyState < 3)) { window.waiting = null; return false; }
  if (window.waiting?.at !== at) window.waiting = { at, since: now };
  return now - window.waiting.since > ms;
}"""
# from the first frame's way to the screen to the event that tells of the end
CLOCKS_APART_MS = 150
# Of one play with nothing beside it on the machine. A picture may be late; a wrong clock or unit is further off.
LATE_MS = 250
# Of many plays, so many may be marked by what a machine of two cores does besides.
CLEAN_PLAYS, MARKED_SHARE = 30, 0.3
# of clocks that are read in whole and in tenths of milliseconds
ROUNDED_MS = 5
# pictures a second that the page draws; ordinary ones do 60
SLOW_HZ = 20
# all that the page itself does takes so much longer, too
THROTTLED_MS = 120_000
# of the frames: fewer are lost now and then where nothing is wrong
DROPPED_SHARE = 0.1
# where a play begins: at its first picture, whatever it waits for later; what a press only unlocks is paused at once
PLAYING = """film => film.addEventListener('playing', () => {
  if (!film.paused) window.zero ??= performance.now();
})"""
SINCE_PLAYING_MS = "performance.now() - window.zero"
NEVER_BY_CHANCE = {"hidden": [], "unfocused": [], "pauses": [], "complete": True}
CLEAN = {"off_speed": False, "stalls": [], **NEVER_BY_CHANCE}


def begin(person: Person) -> None:
    person.page.get_by_role("button", name=person.words.start).click()


def plays_until(page: Page, ms: float) -> None:
    page.wait_for_function(PLAYS_SINCE, arg=ms)


def question(person: Person) -> None:
    expect(person.question(person.words.rate_question)).to_be_visible()


def marks(evidence: dict[str, Any]) -> dict[str, Any]:
    return {key: evidence[key] for key in CLEAN}


def clocks_apart_ms(evidence: dict[str, Any]) -> float:
    return abs(float(evidence["wall_ms"] - evidence["media_ms"]))


def is_clean(evidence: dict[str, Any]) -> bool:
    return marks(evidence) == CLEAN and clocks_apart_ms(evidence) <= CLOCKS_APART_MS


def evidences_of(platform: Platform, person: Person, *, plays: int) -> list[dict[str, Any]]:
    """Of so many plays; each keeps the contract."""
    found = [play["evidence"] for play in plays_of(platform, person.session()["id"], at_least=plays)]
    for evidence in found:
        check(evidence, "play-evidence.1", source="evidence")
    return found


def answered(platform: Platform, person: Person, *, plays: int) -> dict[str, Any]:
    """Answer the question; the evidence of the last of so many plays, which travels with the vote."""
    person.rate(1, 3)
    return evidences_of(platform, person, plays=plays)[-1]


@pytest.mark.realtime
@pytest.mark.usefixtures("real_clips")
def test_a_clean_play_has_nothing_marked(platform: Platform, publish: Publish, new_context: NewContext) -> None:
    study = publish("clean-play", rate=1, compare=0, batch="demo")
    person = Person(new_context().new_page())
    person.arrive(study["link"])
    person.trial(1, 1)
    person.watch(1)
    evidence = answered(platform, person, plays=1)
    # no machine is so busy as to cause these
    assert {key: evidence[key] for key in NEVER_BY_CHANCE} == NEVER_BY_CHANCE
    assert evidence["off_speed_ms"] <= LATE_MS, evidence
    assert sum(stall["ms"] for stall in evidence["stalls"]) <= LATE_MS, evidence
    assert clocks_apart_ms(evidence) <= LATE_MS, evidence
    film = person.films[1]
    assert evidence["media_ms"] == pytest.approx(film["duration_s"] * 1000, abs=0.1)
    assert evidence["frame_callback"]
    assert evidence["frames_presented"] > 0.5 * film["duration_s"] * 60
    assert evidence["window"] == {"width_px": 1440, "height_px": 900}
    assert evidence["shown"] == {"width_px": 1280, "height_px": 720, "scale": 1, "device_scale": 1}
    assert evidence["zoom"] == 1
    assert evidence["refresh_hz"] is not None


@pytest.mark.soak
@pytest.mark.realtime
@pytest.mark.usefixtures("real_clips")
def test_most_of_many_clean_plays_have_nothing_marked(
    platform: Platform, publish: Publish, new_context: NewContext
) -> None:
    study = publish("clean-plays", rate=1, compare=0, batch="demo")
    person = Person(new_context().new_page())
    person.arrive(study["link"])
    person.trial(1, 1)
    person.watch(1)
    for _ in range(1, CLEAN_PLAYS):
        person.page.get_by_role("button", name=person.words.replay).click()
        plays_until(person.page, 500)
        question(person)
    person.rate(1, 3)
    evidences = evidences_of(platform, person, plays=CLEAN_PLAYS)
    assert [{key: evidence[key] for key in NEVER_BY_CHANCE} for evidence in evidences] == [NEVER_BY_CHANCE] * len(
        evidences
    )
    marked = [evidence for evidence in evidences if not is_clean(evidence)]
    assert len(marked) <= MARKED_SHARE * len(evidences), [marks(evidence) for evidence in marked]


@pytest.mark.usefixtures("real_clips")
def test_a_paused_film_goes_on_and_the_pause_is_recorded(
    platform: Platform, publish: Publish, new_context: NewContext
) -> None:
    study = publish("paused", rate=1, compare=0, batch="demo")
    person = Person(new_context().new_page())
    person.arrive(study["link"])
    person.trial(1, 1)
    person.page.locator("video").evaluate(PLAYING)
    begin(person)
    plays_until(person.page, 1000)
    before_ms = person.page.evaluate(SINCE_PLAYING_MS)
    person.page.evaluate("document.querySelector('video').pause()")
    after_ms = person.page.evaluate(SINCE_PLAYING_MS)
    question(person)
    evidence = answered(platform, person, plays=1)
    assert len(evidence["pauses"]) == 1
    assert_within(evidence["pauses"][0]["at_ms"], Between(before_ms, after_ms))
    assert evidence["complete"]


@pytest.mark.usefixtures("real_clips")
def test_seeking_and_speeding_up_are_undone_and_recorded(
    platform: Platform, publish: Publish, new_context: NewContext
) -> None:
    study = publish("seeking", rate=1, compare=0, batch="demo")
    person = Person(new_context().new_page())
    person.arrive(study["link"])
    person.trial(1, 1)
    begin(person)
    plays_until(person.page, 800)
    begun = time.monotonic()
    film = person.page.locator("video").evaluate("film => ({ at_s: film.currentTime, lasts_s: film.duration })")
    person.page.evaluate("document.querySelector('video').playbackRate = 4")
    person.page.evaluate("document.querySelector('video').currentTime = 3.2")
    question(person)
    assert time.monotonic() - begun > 0.9 * (film["lasts_s"] - film["at_s"])
    evidence = answered(platform, person, plays=1)
    assert evidence["wall_ms"] > 0.9 * evidence["media_ms"]
    assert evidence["off_speed"]


@pytest.mark.usefixtures("real_clips")
def test_an_overloaded_processor_is_recorded(platform: Platform, publish: Publish, new_context: NewContext) -> None:
    study = publish("throttled", rate=1, compare=0, batch="demo")
    person = Person(new_context().new_page())
    person.arrive(study["link"])
    person.trial(1, 1)
    session = person.page.context.new_cdp_session(person.page)
    # far beyond what slows the page: on a fast, idle machine 60 left it 20 pictures a second
    session.send("Emulation.setCPUThrottlingRate", {"rate": 180})
    begin(person)
    expect(person.question(person.words.rate_question)).to_be_visible(timeout=THROTTLED_MS)
    session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    evidence = answered(platform, person, plays=1)
    dropped = (evidence["frames_dropped"] or 0) > DROPPED_SHARE * (evidence["frames_presented"] or 0)
    # where the film itself keeps time in a process of its own, the page's rate still tells
    slow = (evidence["refresh_hz"] or 60) < SLOW_HZ
    assert slow or evidence["off_speed"] or evidence["stalls"] or dropped, evidence


def test_a_film_that_waits_for_data_is_recorded_as_stalled(
    platform: Platform, publish: Publish, new_context: NewContext, real_clips: Path
) -> None:
    study = publish("stalled", rate=1, compare=0, batch="demo")
    with slow_films(real_clips) as films:
        # the page's own policy lets no film of another server in
        page = new_context(bypass_csp=True).new_page()
        page.add_init_script(films.script)
        person = Person(page)
        person.arrive(study["link"])
        person.trial(1, 1)
        begin(person)
        page.wait_for_function(WAITS_FOR, arg=700)
        films.release.set()
        question(person)
    evidence = answered(platform, person, plays=1)
    assert max(stall["ms"] for stall in evidence["stalls"]) > 600
    assert evidence["off_speed"]
    assert evidence["wall_ms"] > evidence["media_ms"] + 600


@dataclass(frozen=True)
class Between:
    """When something that takes a moment happened, by the clock that it is told by."""

    after_ms: float
    before_ms: float


def look_away(page: Page, clock: str, *, away_s: float) -> tuple[Between, Between]:
    """Another tab comes in front and goes again; when that one was hidden and seen again, by the page's own `clock`."""
    before_ms: float = page.evaluate(clock)
    other = page.context.new_page()
    # asked from here, as a page that is hidden has few timers
    wait_until(lambda: bool(page.evaluate("document.visibilityState === 'hidden'")))
    hidden = Between(before_ms, page.evaluate(clock))
    time.sleep(away_s)
    before_ms = page.evaluate(clock)
    page.bring_to_front()
    wait_until(lambda: bool(page.evaluate("document.visibilityState === 'visible' && document.hasFocus()")))
    seen = Between(before_ms, page.evaluate(clock))
    other.close()
    return hidden, seen


def assert_within(ms: float, bounds: Between) -> None:
    assert bounds.after_ms - ROUNDED_MS <= ms <= bounds.before_ms + ROUNDED_MS, (ms, bounds)


@pytest.mark.usefixtures("real_clips")
def test_a_film_in_a_hidden_tab_is_recorded_as_hidden(
    platform: Platform, publish: Publish, playwright: Playwright
) -> None:
    study = publish("hidden", rate=1, compare=0, batch="demo")
    with own_chromium(playwright, ["--headless=new", "--window-size=1440,1000"]) as context:
        page = context.new_page()
        person = Person(page)
        person.arrive(study["link"])
        person.trial(1, 1)
        page.locator("video").evaluate(PLAYING)
        begin(person)
        plays_until(page, 500)
        hidden, seen = look_away(page, SINCE_PLAYING_MS, away_s=1.2)
        question(person)
        # and once more, while no film plays
        left, back = look_away(page, "performance.now()", away_s=0.6)
        person.rate(1, 3)
        person.code()
        [evidence] = evidences_of(platform, person, plays=1)
        [vote] = votes_of(platform, person.session()["id"], at_least=1)
    [span] = evidence["hidden"]
    assert_within(span["at_ms"], hidden)
    # on a slow machine the film may end while nobody sees it, and the rest is time away
    end_ms = evidence["wall_ms"]
    until = Between(min(seen.after_ms, end_ms), min(seen.before_ms, end_ms))
    assert_within(span["at_ms"] + span["ms"], until)
    assert sum(span["ms"] for span in evidence["unfocused"]) >= until.after_ms - hidden.before_ms - ROUNDED_MS
    rest_ms = seen.before_ms - until.before_ms
    away_ms = sum(span["ms"] for span in vote["away"])
    assert_within(away_ms, Between(back.after_ms - left.before_ms, rest_ms + back.before_ms - left.after_ms))


@pytest.mark.usefixtures("real_clips")
def test_a_film_that_is_broken_off_is_recorded_and_starts_again(
    platform: Platform, publish: Publish, new_context: NewContext
) -> None:
    study = publish("reloaded", rate=1, compare=0, batch="demo")
    person = Person(new_context().new_page())
    person.arrive(study["link"])
    person.trial(1, 1)
    begin(person)
    plays_until(person.page, 1000)
    person.reload()
    person.trial(1, 1)
    person.watch(1)
    person.rate(1, 3)
    plays = plays_of(platform, person.session()["id"], at_least=2)
    assert [play["evidence"]["complete"] for play in plays] == [False, True]
    assert 900 < plays[0]["evidence"]["media_ms"] < person.films[1]["duration_s"] * 1000
    assert [play["replay"] for play in plays] == [False, False]


def test_a_reloaded_page_keeps_time_away_and_the_count_of_replays(
    platform: Platform, publish: Publish, playwright: Playwright
) -> None:
    study = publish("loaded-again", rate=1, compare=0)
    with own_chromium(playwright, ["--headless=new", "--window-size=1440,1000"]) as context:
        page = context.new_page()
        person = Person(page)
        person.arrive(study["link"])
        person.trial(1, 1)
        person.watch(1)
        ended_ms: float = page.evaluate("Date.now()")
        left, back = look_away(page, "performance.now()", away_s=1.2)
        person.reload()
        person.trial(1, 1)
        person.watch(1)
        answered_ms: float = page.evaluate("Date.now()")
        person.rate(1, 3)
        person.code()
        remaining = "Object.keys(sessionStorage).filter((key) => key.startsWith('eyelevel.trial.')).length"
        assert page.evaluate(remaining) == 0
        plays = plays_of(platform, person.session()["id"], at_least=2)
        [vote] = votes_of(platform, person.session()["id"], at_least=1)
    assert [(play["replay"], play["evidence"]["complete"]) for play in plays] == [(False, True), (True, True)]
    assert vote["replays"] == 1
    # what a page is hidden for as it goes is no time away
    away_ms = sum(span["ms"] for span in vote["away"])
    assert_within(away_ms, Between(back.after_ms - left.before_ms, back.before_ms - left.after_ms))
    assert vote["answer_ms"] >= answered_ms - ended_ms - ROUNDED_MS
