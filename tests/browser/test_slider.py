"""Tests the slider trial with pointer, touch and keys; it has no thumb before an answer."""

import pytest
from platform_process import Platform
from playwright.sync_api import expect

from .conftest import PHONE, NewContext, Publish
from .export import exported_votes
from .person import Person
from .words import GERMAN

pytestmark = [pytest.mark.browser, pytest.mark.services]


def test_a_place_on_the_scale_comes_home_as_a_number(
    platform: Platform, publish: Publish, new_context: NewContext
) -> None:
    study = publish("slider", rate=0, compare=0, slider=2)
    person = Person(new_context().new_page())
    scripts: set[str] = set()
    person.page.on("request", lambda request: scripts.add(request.url.rpartition("/")[2]))
    person.arrive(study["link"])
    person.trial(1, 2)
    person.watch(1)
    expect(person.slider).to_have_attribute("aria-valuetext", "no answer yet")
    expect(person.page.locator(".slider__thumb")).to_have_count(0)
    person.place(1, 83)
    person.trial(2, 2)
    person.watch(2)
    person.slider.focus()
    for key in ("PageDown", "ArrowLeft"):
        person.page.keyboard.press(key)
    expect(person.slider).to_have_attribute("aria-valuetext", "poor, 39")
    person.page.keyboard.press("Enter")
    assert len(person.code()) >= 6

    votes = {int(vote["position"]): vote for vote in exported_votes(platform, study, at_least=2)}
    assert {number: (vote["trial_kind"], vote["value"]) for number, vote in votes.items()} == {
        1: ("slider", "83.0"),
        2: ("slider", "39.0"),
    }
    manifest = person.page.request.get(f"{platform.url}/assets/manifest.json").json()
    code = {kind: manifest[f"src/trials/{kind}/index.ts"]["file"].rpartition("/")[2] for kind in ("slider", "compare")}
    assert {kind: file in scripts for kind, file in code.items()} == {"slider": True, "compare": False}


def test_it_fits_a_phone_and_speaks_german(platform: Platform, publish: Publish, new_context: NewContext) -> None:
    study = publish("slider-phone", rate=0, compare=0, slider=1)
    page = new_context(viewport=PHONE, device_scale_factor=3, is_mobile=True, has_touch=True, locale="de-DE").new_page()
    person = Person(page, GERMAN)
    person.arrive(study["link"])
    person.trial(1, 1)
    expect(page.get_by_role("main")).to_contain_text("Stellen Sie sich vor, Sie sind")
    person.watch(1)
    assert person.overflow_px() == 0
    labels = page.locator(".slider__label")
    expect(labels).to_have_text(list(GERMAN.scores))
    boxes = [label.bounding_box() for label in labels.all()]
    assert all(box and box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"] for box in boxes)
    page.emulate_media(forced_colors="active")
    canvas = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    expect(page.locator(".slider__track")).not_to_have_css("background-color", canvas)
    page.emulate_media(forced_colors="none")
    person.place(1, 17)
    assert len(person.code()) >= 6
    (vote,) = exported_votes(platform, study, at_least=1)
    assert (vote["value"], vote["language"]) == ("17.0", "de")
