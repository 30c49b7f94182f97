"""Tests windows of many sizes: what is shown in them, how large, and what people are asked to do."""

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from platform_process import Platform
from playwright.sync_api import Page, Playwright, expect

from .conftest import PATIENCE_MS, PHONE, NewContext, Publish
from .person import Person
from .records import plays_of
from .test_play_faults import begin, question

pytestmark = [pytest.mark.browser, pytest.mark.services]

SANDBOX = ["--no-sandbox"] if os.geteuid() == 0 else []
SCROLL_BAR_PX = 15
PAIR_PX = 2576
SINGLE_PX = 1280
UPRIGHT = {"viewport": PHONE, "screen": PHONE, "device_scale_factor": 3, "is_mobile": True, "has_touch": True}
TURNED = {"width": PHONE["height"], "height": PHONE["width"]}
LEFT_OUT = "videos are left out, because this window is too small for them."


@pytest.fixture
def small_laptop(playwright: Playwright) -> Iterator[Page]:
    """A window of 1280 x 600 CSS pixels at a device pixel ratio of 1, whose scroll bar takes room."""
    browser = playwright.chromium.launch(
        executable_path=shutil.which("chromium"), args=SANDBOX, ignore_default_args=["--hide-scrollbars"]
    )
    page = browser.new_context(viewport={"width": 1280, "height": 600}, locale="en-GB").new_page()
    page.set_default_timeout(PATIENCE_MS)
    yield page
    browser.close()


def film(page: Page) -> dict[str, float]:
    """Place and size of the film on the page, wherever that is scrolled to."""
    return dict(
        page.locator(".stage__frame").evaluate(
            """film => {
                const { x, y, width, height } = film.getBoundingClientRect();
                return { x: x + scrollX, y: y + scrollY, width, height };
            }"""
        )
    )


def is_in_view(page: Page, thing: Any) -> bool:
    box, size = thing.bounding_box(), page.viewport_size
    return bool(box and size and box["y"] >= 0 and box["y"] + box["height"] <= size["height"])


def test_a_comparison_is_played_and_answered_in_a_window_of_1280_x_600(
    platform: Platform, publish: Publish, small_laptop: Page
) -> None:
    study = publish("laptop", rate=0, compare=1)
    person = Person(small_laptop)
    person.arrive(study["link"])
    person.trial(1, 1)
    before = film(small_laptop)
    person.watch(1)
    assert film(small_laptop)["width"] == before["width"] == 1280 - SCROLL_BAR_PX
    # everything to answer with is in view
    for thing in (person.question(person.words.compare_question), person.next_button):
        assert is_in_view(small_laptop, thing)
    person.answer(1)
    person.code()
    [play] = plays_of(platform, person.session()["id"], at_least=1)
    shown = play["evidence"]["shown"]
    assert shown["scale"] == shown["device_scale"] == pytest.approx((1280 - SCROLL_BAR_PX) / PAIR_PX, abs=0.001)
    assert shown["scale"] >= 0.48


def test_a_film_neither_jumps_nor_shrinks_when_the_question_comes(publish: Publish, new_context: NewContext) -> None:
    study = publish("still", rate=1, compare=0)
    person = Person(new_context(viewport={"width": 1366, "height": 650}).new_page())
    person.arrive(study["link"])
    person.trial(1, 1)
    before = film(person.page)
    person.watch(1)
    assert film(person.page) == before
    assert is_in_view(person.page, person.question(person.words.rate_question))
    assert is_in_view(person.page, person.next_button)


def test_at_a_zoom_of_400_per_cent_a_film_has_the_width_of_the_window(
    platform: Platform, publish: Publish, new_context: NewContext
) -> None:
    """A screen of 1366 x 768."""
    study = publish("zoomed", rate=1, compare=0)
    page = new_context(viewport={"width": 342, "height": 192}, device_scale_factor=4).new_page()
    person = Person(page)
    person.arrive(study["link"])
    person.trial(1, 1)
    before = film(page)
    begin(person)
    question(person)
    assert film(page) == before
    assert before["width"] == pytest.approx(342 - SCROLL_BAR_PX, abs=1.5)
    assert person.overflow_px() == 0
    person.rate(1, 3)
    person.code()
    [play] = plays_of(platform, person.session()["id"], at_least=1)
    shown = play["evidence"]["shown"]
    assert shown["scale"] == pytest.approx(before["width"] / SINGLE_PX, abs=0.001)
    assert shown["device_scale"] == pytest.approx(4 * shown["scale"], abs=0.003)


def test_a_phone_is_told_what_is_left_out_and_to_turn_only_where_that_helps(
    platform: Platform, publish: Publish, new_context: NewContext
) -> None:
    study = publish("upright", rate=1, compare=2)
    page = new_context(**UPRIGHT).new_page()
    person = Person(page)
    page.goto(study["link"])
    expect(page.get_by_text("1 short video, about 2 minutes")).to_be_visible()
    expect(page.get_by_text(LEFT_OUT)).to_have_text(f"2 more {LEFT_OUT} ")
    expect(page.get_by_text("turn your device")).to_have_count(0)
    person.enter()
    person.trial(1, 1)
    assert film(page)["width"] == PHONE["width"]
    person.watch(1)
    person.rate(1, 3)
    expect(page.get_by_text("This screen is too small.")).to_be_visible()
    page.set_viewport_size(TURNED)
    expect(page.get_by_text("This screen is too small.")).to_be_visible()
    page.set_viewport_size(PHONE)
    skip = page.get_by_role("button", name="Skip these 2 videos")
    expect(skip).to_have_class("button")
    skip.click()
    person.code()
    [play] = plays_of(platform, person.session()["id"], at_least=1)
    shown = play["evidence"]["shown"]
    assert (shown["scale"], shown["device_scale"]) == (
        pytest.approx(390 / 1280, abs=0.001),
        pytest.approx(0.914, abs=0.001),
    )


def test_a_study_may_ask_to_turn_a_phone_for_its_ratings(publish: Publish, new_context: NewContext) -> None:
    trials = [{"kind": "rate", "count": 1, "min_scale": 0.45, "training": 0}]
    study = publish("turn", rate=1, compare=0, trials=trials)
    page = new_context(**UPRIGHT).new_page()
    person = Person(page)
    page.goto(study["link"])
    expect(page.get_by_text("This study needs a larger window.")).to_be_visible()
    expect(page.get_by_text("Please turn your device. This page continues")).to_be_visible()
    expect(page.get_by_role("checkbox")).to_have_count(0)
    page.set_viewport_size(TURNED)
    person.enter()
    person.trial(1, 1)
    # asked for before the play, not held against anybody afterwards
    page.set_viewport_size(PHONE)
    expect(person.heading(person.words.wider)).to_be_visible()
    expect(page.get_by_role("button", name=person.words.skip)).to_have_count(0)
    page.set_viewport_size(TURNED)
    person.trial(1, 1)
    before = film(page)
    person.watch(1)
    assert film(page) == before
    person.rate(1, 3)
    person.code()


def test_the_full_screen_is_offered_and_left_at_the_end(publish: Publish, new_context: NewContext) -> None:
    study = publish("full-screen", rate=0, compare=1)
    context = new_context(viewport={"width": 1000, "height": 600}, screen={"width": 1440, "height": 900})
    page = context.new_page()
    person = Person(page)
    # nothing would be left of this study
    page.goto(study["link"])
    expect(page.get_by_text("Please make the window larger.")).to_be_visible()
    expect(page.get_by_role("checkbox")).to_have_count(0)
    page.get_by_role("button", name="Full screen").click()
    expect(page.get_by_role("button", name="Leave full screen")).to_be_visible()
    page.keyboard.press("Alt+Enter")
    page.wait_for_function("document.fullscreenElement === null")
    page.set_viewport_size({"width": 1440, "height": 900})
    person.enter()
    person.trial(1, 1)
    # the button has the focus; the keys start no film
    page.keyboard.press("Alt+Enter")
    page.wait_for_function("document.fullscreenElement !== null")
    person.trial(1, 1)
    person.watch(1)
    page.wait_for_function("document.fullscreenElement !== null")
    person.answer(1)
    person.code()
    page.wait_for_function("document.fullscreenElement === null")
