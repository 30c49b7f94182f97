"""Tests participants who come back, for each policy on resuming a session."""

from urllib.parse import urljoin

import pytest
from platform_process import Platform
from playwright.sync_api import Page, expect

from .conftest import NewContext, Publish
from .export import exported_votes
from .person import Person
from .words import ENGLISH, GERMAN

VOTES = "**/api/session/votes/*"

pytestmark = [pytest.mark.browser, pytest.mark.services]


def heading(page: Page) -> str:
    found = page.get_by_role("heading", level=1)
    expect(found).to_be_visible()
    return found.inner_text()


def test_a_study_that_takes_nobody_back_says_so(publish: Publish, new_context: NewContext) -> None:
    study = publish("comes-back-block", rate=2, compare=1, session={"resume": "block"})
    person = Person(new_context(locale="de-DE").new_page(), GERMAN)
    person.arrive(study["link"])
    person.trial(1, 3)
    # nobody has seen anything yet
    person.reload()
    person.trial(1, 3)
    person.watch(1)
    person.answer(1)
    person.trial(2, 3)
    person.page.reload()
    assert heading(person.page) == "Sie haben diese Studie schon begonnen"
    expect(person.page.get_by_role("checkbox")).to_have_count(0)


@pytest.mark.parametrize("leave", ["reload", "tab"])
def test_a_study_that_takes_nobody_back_shows_no_video_twice(
    publish: Publish, new_context: NewContext, leave: str
) -> None:
    study = publish(f"watched-block-{leave}", rate=2, compare=1, session={"resume": "block"})
    person = Person(new_context().new_page())
    person.arrive(study["link"])
    person.trial(1, 3)
    person.watch(1)
    # the play is on the device only: it waits for the answer
    page = person.page
    if leave == "tab":
        page = page.context.new_page()
        page.goto(study["link"])
    else:
        page.reload()
    assert heading(page) == "You have already started this study"


@pytest.mark.parametrize("policy", ["block", "restart"])
def test_who_reloads_while_the_last_answer_is_sent_has_finished(
    publish: Publish, new_context: NewContext, policy: str
) -> None:
    study = publish(f"sends-{policy}", rate=1, compare=1, session={"resume": policy})
    person = Person(new_context().new_page())
    person.arrive(study["link"])
    person.trial(1, 2)
    person.watch(1)
    person.answer(1)
    person.trial(2, 2)
    person.watch(2)
    page = person.page
    page.route(VOTES, lambda route: route.abort())
    person.answer(2)
    expect(person.heading(ENGLISH.sending)).to_be_visible()
    expect(page.get_by_role("banner")).to_contain_text("Almost done")
    page.unroute(VOTES)
    page.reload()
    assert person.code()
    expect(page.get_by_role("banner")).to_contain_text("The end")


def test_people_who_share_a_browser_begin_one_after_the_other(
    platform: Platform, publish: Publish, new_context: NewContext
) -> None:
    study = publish("shared", rate=2, compare=1, session={"resume": "resume"})
    words = GERMAN
    person = Person(new_context(locale="de-DE").new_page(), words)
    page = person.page
    another = page.get_by_role("button", name=words.somebody_else)
    person.arrive(study["link"])
    person.trial(1, 3)
    first = person.session()["id"]
    # the same person comes back, and then another one
    person.come_back(study["link"])
    person.trial(1, 3)
    assert person.session()["id"] == first
    page.goto(study["link"])
    another.click()
    page.get_by_role("button", name=words.leave).click()
    person.enter()
    second = person.session()["id"]
    for number in (1, 2, 3):
        person.trial(number, 3)
        person.watch(number)
        person.answer(number)
    code = person.code()
    # the next one finds the end of the one before, and does not get it
    page.goto(study["link"])
    expect(page.get_by_text(code)).to_be_visible()
    another.click()
    person.enter()
    person.trial(1, 3)
    third = person.session()["id"]
    assert len({first, second, third}) == 3
    assert code not in page.content()
    assert {vote["session_id"] for vote in exported_votes(platform, study, at_least=3)} == {second}


def test_a_study_that_begins_anew_leaves_the_old_answers_out(
    platform: Platform, publish: Publish, new_context: NewContext
) -> None:
    study = publish("comes-back-restart", rate=2, compare=1, session={"resume": "restart"})
    person = Person(new_context().new_page())
    person.arrive(study["link"])
    person.trial(1, 3)
    first = person.session()["id"]
    person.watch(1)
    person.answer(1)
    person.trial(2, 3)
    person.page.reload()
    expect(person.page.get_by_role("note")).to_contain_text("It starts again from the beginning.")
    person.arrive(study["link"])
    person.trial(1, 3)
    second = person.session()["id"]
    assert second != first
    for number in (1, 2, 3):
        person.trial(number, 3)
        person.watch(number)
        person.answer(number)
    person.code()
    votes = exported_votes(platform, study, at_least=3)
    assert {vote["session_id"] for vote in votes} == {second}


def test_a_browser_takes_a_study_once_whichever_of_its_links_is_opened(
    platform: Platform, new_context: NewContext, publish: Publish
) -> None:
    # labels as the album of all pages wants them: in each language its own
    groups = [
        {"key": "laboratory", "label": {"en": "Laboratory", "de": "Labor"}},
        {"key": "volunteer", "label": {"en": "Volunteers", "de": "Freiwillige"}},
    ]
    study = publish("two-links", rate=2, compare=1, groups=groups)
    links = [urljoin(platform.url, fielding["participant_url"]) for fielding in study["fieldings"]]
    assert len(links) == 2
    person = Person(new_context().new_page())
    page = person.page
    person.arrive(links[0])
    person.trial(1, 3)
    first = person.session()["id"]
    page.goto(links[1])
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("heading", name="You have already taken part in this study")).to_be_visible()
    # the person may go on by their own link, and another one may begin by this
    person.come_back(links[0])
    person.trial(1, 3)
    assert person.session()["id"] == first
    page.goto(links[1])
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("button", name=ENGLISH.somebody_else).click()
    person.enter()
    person.trial(1, 3)
    assert person.session()["id"] != first
