"""Tests loss of the connection or the server during a session: each answer arrives once."""

from collections import Counter
from typing import Any

import httpx
import pytest
from bench.faults.chaos import Chaos
from platform_process import Platform
from playwright.sync_api import BrowserContext, Route, expect

from .conftest import NewContext, Publish
from .export import exported_votes
from .person import Person

pytestmark = [pytest.mark.browser, pytest.mark.services]

VOTES = "**/api/session/votes/*"
# a page sends again after at most 30 s
SENT_AGAIN_MS = 90_000
# simulates a killed browser: a page that closes sends its votes once more, and is no longer kept offline by then
LEAVES_UNHEARD = """() => {
  for (const type of ['visibilitychange', 'pagehide']) {
    addEventListener(type, event => { event.stopImmediatePropagation(); }, true);
  }
}"""
ALL_CLIPS = "() => performance.getEntriesByType('resource').filter(e => e.name.includes('/clips/')).length >= 2"


def votes_on_server(platform: Platform, study: dict[str, Any]) -> int:
    headers = {"Authorization": f"Bearer {platform.secret('studies-token')}"}
    answer = httpx.get(f"{platform.url}/api/research/studies/{study['sha256']}", headers=headers, timeout=30)
    votes: int = answer.raise_for_status().json()["votes"]
    return votes


def ready_with_both_films(context: BrowserContext, study: dict[str, Any]) -> Person:
    person = Person(context.new_page())
    person.arrive(study["link"])
    person.trial(1, 2)
    person.page.wait_for_function(ALL_CLIPS)
    return person


def test_answers_given_offline_arrive_once_and_only_then_the_code_appears(
    platform: Platform, publish: Publish, new_context: NewContext
) -> None:
    study = publish("offline", rate=1, compare=1)
    context = new_context()
    person = ready_with_both_films(context, study)
    page, words = person.page, person.words
    kept = page.get_by_role("status").filter(has_text=words.kept_here)

    expect(kept).to_have_count(0)
    context.set_offline(True)
    person.watch(1)
    person.answer(1, score=6)
    person.trial(2, 2)
    expect(kept).to_be_visible()
    person.watch(2)
    person.answer(2, choice="none")
    expect(person.heading(words.sending)).to_be_visible()
    assert votes_on_server(platform, study) == 0
    expect(person.heading(words.thanks)).to_have_count(0)

    sent: Counter[str] = Counter()

    def lose_first_receipt(route: Route) -> None:
        sent[route.request.url] += 1
        if sent.total() == 1:
            assert route.fetch().ok
            route.abort("connectionreset")
        else:
            route.continue_()

    context.route(VOTES, lose_first_receipt)
    context.set_offline(False)
    assert len(person.code()) >= 6
    assert sorted(sent.values()) == [1, 2]

    votes = exported_votes(platform, study, at_least=2)
    assert sorted((vote["position"], vote["score"], vote["choice"]) for vote in votes) == [
        ("1", "6", ""),
        ("2", "", "none"),
    ]


def test_answers_given_while_the_server_is_started_again_arrive_once(
    platform: Platform, publish: Publish, new_context: NewContext
) -> None:
    study = publish("server-gone", rate=1, compare=1)
    person = ready_with_both_films(new_context(), study)
    chaos = Chaos(platform)
    person.watch(1)
    kill = chaos.kill("web")
    person.answer(1, score=2)
    person.trial(2, 2)
    person.watch(2)
    person.answer(2, choice="none")
    chaos.wait_until_well(kill)
    expect(person.heading(person.words.thanks)).to_be_visible(timeout=SENT_AGAIN_MS)
    assert len(person.code()) >= 6
    votes = exported_votes(platform, study, at_least=2)
    assert sorted((vote["position"], vote["score"], vote["choice"]) for vote in votes) == [
        ("1", "2", ""),
        ("2", "", "none"),
    ]


def test_an_answer_outlives_the_page(platform: Platform, publish: Publish, new_context: NewContext) -> None:
    study = publish("closed-page", rate=1, compare=1)
    context = new_context()
    person = ready_with_both_films(context, study)
    context.set_offline(True)
    person.watch(1)
    person.answer(1, score=4)
    person.trial(2, 2)
    assert votes_on_server(platform, study) == 0
    person.page.evaluate(LEAVES_UNHEARD)
    person.page.close()

    context.set_offline(False)
    again = Person(context.new_page())
    again.come_back(study["link"])
    again.trial(2, 2)
    again.watch(2)
    again.answer(2)
    again.code()
    vote, _ = sorted(exported_votes(platform, study, at_least=2), key=lambda vote: int(vote["position"]))
    assert (vote["position"], vote["score"]) == ("1", "4")
