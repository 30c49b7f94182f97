"""Tests a session on a phone: nothing scrolls sideways, and comparisons can be skipped."""

import pytest
from platform_process import Platform
from playwright.sync_api import expect

from .conftest import PHONE, NewContext, Publish
from .export import exported_votes
from .person import Person

pytestmark = [pytest.mark.browser, pytest.mark.services]


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
