"""Tests what a trial shows: the countdown, the captions and places of the answers, the situation to imagine."""

from typing import Any

import pytest
from platform_process import Platform
from playwright.sync_api import Locator, expect

from .conftest import PHONE, NewContext, Publish
from .person import Person
from .records import votes_of

pytestmark = [pytest.mark.browser, pytest.mark.services]

# where the film is at each repaint that shows another number of the countdown than the one before
NOTE_NUMBERS = """() => {
  window.numbers = [];
  const look = () => {
    const shown = document.querySelector('.stage__count')?.textContent ?? null;
    const at = document.querySelector('video').currentTime * 1000;
    if (window.numbers.at(-1)?.shown !== shown) window.numbers.push({ shown, at, ms: performance.now() });
    requestAnimationFrame(look);
  };
  look();
}"""
# a busy machine repaints late
LATE_MS = 200


def box_of(locator: Locator) -> dict[str, float]:
    box = locator.bounding_box()
    assert box is not None
    return dict(box)


def middle_of(locator: Locator) -> float:
    box = box_of(locator)
    return box["x"] + box["width"] / 2


def test_the_countdown_ends_as_the_load_begins(publish: Publish, new_context: NewContext) -> None:
    study = publish("countdown", rate=1, compare=0)
    page = new_context().new_page()
    person = Person(page)
    person.arrive(study["link"])
    person.trial(1, 1)
    start_ms = person.session()["trials"][0]["clip"]["start_ms"]
    assert start_ms > 0
    for again in (False, True):
        page.evaluate(NOTE_NUMBERS)
        if again:
            page.get_by_role("button", name=person.words.replay).click()
            expect(person.question(person.words.rate_question)).to_be_visible()
        else:
            person.watch(1)
        numbers: list[dict[str, Any]] = page.evaluate("window.numbers")
        assert [number["shown"] for number in numbers] == [None, "3", "2", "1", None]
        three, end = numbers[1], numbers[-1]
        # the film has run below the numbers, and its lead-in is over
        assert start_ms - 50 <= end["at"] <= start_ms + LATE_MS
        assert 1700 <= end["ms"] - three["ms"] <= 1800 + LATE_MS


def test_answers_stand_under_the_films_that_they_name(
    publish: Publish, platform: Platform, new_context: NewContext
) -> None:
    study = publish("under-films", rate=0, compare=1)
    page = new_context().new_page()
    person = Person(page)
    person.arrive(study["link"])
    person.trial(1, 1)
    captions = page.locator(".stage__caption")
    expect(captions).to_have_text(["Left", "Right"])
    top = box_of(captions.first)["y"]
    person.watch(1)
    expect(captions).to_have_text(["Left", "Right"])
    # the film has not moved, and the situation is still there
    assert box_of(captions.first)["y"] == top
    session = person.session()
    label = session["trials"][0]["context"]["label"]["en"]
    expect(page.get_by_text(label, exact=True)).to_be_visible()
    film = box_of(page.locator(".stage__frame"))
    places = [middle_of(choice) for choice in page.locator(".choice").all()]
    assert [choice.strip() for choice in page.locator(".choice").all_inner_texts()] == [
        "Left",
        "I see no difference",
        "Right",
    ]
    thirds = [film["x"] + film["width"] * part for part in (1 / 6, 1 / 2, 5 / 6)]
    # the film goes from edge to edge in windows of this width, the answers do not
    assert places == pytest.approx(thirds, abs=24)
    person.question(person.words.compare_question).get_by_role("radio", name="Right").check()
    person.next_button.click()
    expect(page.get_by_text("You said: Right")).to_be_visible()
    expect(page.get_by_role("button", name=person.words.replay)).to_be_in_viewport()
    page.get_by_role("button", name="Change").click()
    expect(page.get_by_role("radio", name="Right")).to_be_checked()
    page.get_by_role("radio", name="Left").check()
    person.next_button.click()
    page.get_by_role("radio", name="quite sure").check()
    person.next_button.click()
    person.code()
    [vote] = votes_of(platform, session["id"], at_least=1)
    assert (vote["data"], vote["layout"], vote["kind_version"]) == ({"choice": "left", "sureness": 4}, "row", 2)


def test_a_phone_has_the_answers_in_a_column_and_says_so(
    publish: Publish, platform: Platform, new_context: NewContext
) -> None:
    study = publish("column", rate=1, compare=0)
    person = Person(new_context(viewport=PHONE, device_scale_factor=3).new_page())
    person.arrive(study["link"])
    person.trial(1, 1)
    session = person.session()
    person.watch(1)
    person.rate(1, 6)
    person.code()
    [vote] = votes_of(platform, session["id"], at_least=1)
    assert (vote["data"], vote["layout"]) == ({"score": 6}, "column")


def test_a_change_of_situation_has_a_page_of_its_own(publish: Publish, new_context: NewContext) -> None:
    total = 4
    study = publish("situations", rate=total, compare=0)
    page = new_context().new_page()
    person = Person(page)
    person.arrive(study["link"])
    trials = person.session()["trials"]
    contexts = [trial["context"]["label"]["en"] for trial in trials]
    changes = [number for number in range(2, total + 1) if contexts[number - 1] != contexts[number - 2]]
    assert changes
    announced = []
    for number in range(1, total + 1):
        situation = person.heading(person.words.new_situation)
        video = person.heading(person.words.video_of.format(number=number, total=total))
        expect(video.or_(situation)).to_be_attached()
        if situation.count():
            expect(page.get_by_text(f"From now on, imagine you are {contexts[number - 1]}.")).to_be_visible()
            announced.append(number)
        person.trial(number, total)
        person.watch(number)
        person.answer(number)
    assert announced == changes
