"""Tests a session on a phone: nothing scrolls sideways, and comparisons can be skipped."""

import pytest
from platform_process import Platform
from playwright.sync_api import expect

from .conftest import PHONE, NewContext, Publish
from .export import exported_votes
from .person import Person

pytestmark = [pytest.mark.browser, pytest.mark.services]

# 390 x 844 less the bars of the browser
WITH_BAR = {"width": 390, "height": 664}


def test_on_a_phone_comparisons_are_skipped_and_nothing_scrolls_sideways(
    platform: Platform, publish: Publish, new_context: NewContext
) -> None:
    study = publish("phone", rate=1, compare=2)
    page = new_context(viewport=PHONE, device_scale_factor=3, is_mobile=True, has_touch=True).new_page()
    overflows: dict[str, int] = {}

    def look(name: str) -> None:
        overflows[name] = person.overflow_px()

    person = Person(page, look=look)
    person.arrive(study["link"])
    person.trial(1, 1)
    look("ready")
    person.watch(1)
    look("question")
    person.rate(1, 3)
    expect(person.heading(person.words.wider)).to_be_visible()
    look("wider")
    page.get_by_role("button", name="Skip these 2 videos").click()
    assert len(person.code()) >= 6
    look("thanks")

    assert overflows == dict.fromkeys(overflows, 0)
    assert len(overflows) == 7
    [vote] = exported_votes(platform, study, at_least=1)
    assert (vote["position"], vote["trial_kind"], vote["score"]) == ("1", "rate", "3")


def test_the_way_on_is_in_view_on_a_phone_with_the_browsers_bar(publish: Publish, new_context: NewContext) -> None:
    study = publish("phone-with-bar", rate=1, compare=1)
    page = new_context(viewport=WITH_BAR, device_scale_factor=3, is_mobile=True, has_touch=True).new_page()
    person = Person(page)
    person.arrive(study["link"])
    person.trial(1, 1)
    person.watch(1)
    question = page.get_by_role("radiogroup").bounding_box()
    button = person.next_button.bounding_box()
    assert question is not None
    assert button is not None
    # the question begins above, and Next ends within the window, however many answers are between
    assert 0 <= question["y"] < button["y"]
    assert button["y"] + button["height"] <= WITH_BAR["height"]


def test_in_the_narrowest_window_people_can_begin_or_read_why_not(publish: Publish, new_context: NewContext) -> None:
    study = publish("narrowest", rate=1, compare=1)
    page = new_context(viewport={"width": 320, "height": 600}).new_page()
    page.goto(study["link"])
    person = Person(page)
    begin = page.get_by_role("checkbox", name=person.words.agree)
    wider = page.get_by_text("make the window larger").or_(page.get_by_text("larger window"))
    expect(begin.or_(wider).first).to_be_visible()
    assert person.overflow_px() == 0
