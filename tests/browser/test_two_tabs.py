"""Tests one session in two tabs: each tab knows that the other one went on, and no answer is asked for twice."""

import pytest
from platform_process import Platform
from playwright.sync_api import expect

from .conftest import NewContext, Publish
from .export import exported_votes
from .person import Person

pytestmark = [pytest.mark.browser, pytest.mark.services]

ELSEWHERE = "You continued in another tab"
HERE = "Continue here"


def test_a_tab_says_that_another_one_went_on_and_goes_on_behind_it(
    platform: Platform, publish: Publish, new_context: NewContext
) -> None:
    study = publish("two-tabs", rate=3, compare=0)
    context = new_context()
    calls: list[tuple[str, int]] = []
    context.on("response", lambda response: calls.append((response.url, response.status)))
    first, second = Person(context.new_page()), Person(context.new_page())
    first.page.bring_to_front()
    first.arrive(study["link"])
    first.trial(1, 3)
    second.page.bring_to_front()
    second.come_back(study["link"])
    # the first tab lets the second one go on
    expect(first.heading(ELSEWHERE)).to_be_visible()
    second.page.get_by_role("button", name=second.words.go_on).click()
    second.trial(1, 3)
    second.watch(1)
    second.answer(1)
    second.trial(2, 3)
    # the person returns to the first tab: it asks for what is not answered yet
    first.page.bring_to_front()
    first.page.get_by_role("button", name=HERE).click()
    expect(second.heading(ELSEWHERE)).to_be_visible()
    first.trial(2, 3)
    for number in (2, 3):
        first.trial(number, 3)
        first.watch(number)
        first.answer(number)
    code = first.code()
    second.page.bring_to_front()
    second.page.get_by_role("button", name=HERE).click()
    assert second.code() == code
    assert [call for call in calls if call[1] == 409] == []
    votes = exported_votes(platform, study, at_least=3)
    assert sorted(vote["position"] for vote in votes) == ["1", "2", "3"]
