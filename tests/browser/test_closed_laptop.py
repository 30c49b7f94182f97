"""Tests a session whose laptop is closed and opened again, before a receipt and during a film."""

import os
import shutil
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from platform_process import Platform
from playwright.sync_api import BrowserContext, Playwright, Route, expect

from .conftest import PATIENCE_MS, WIDE, Publish
from .export import exported_votes
from .lid import closed_lid
from .person import Person
from .records import plays_of

pytestmark = [pytest.mark.browser, pytest.mark.services]

VOTES = "**/api/session/votes/*"
# a call is given up after 20 s without an answer, and here after 2 s, so that the laptop need not sleep for so long
IMPATIENT = """() => {
  const whole = AbortSignal.timeout;
  AbortSignal.timeout = (ms) => whole.call(AbortSignal, ms / 10);
}"""
ASLEEP_S = 3.0
PLAYS = "() => document.querySelector('video').currentTime > 0.5"


@contextmanager
def chromium_on(playwright: Playwright, profile: Path) -> Iterator[BrowserContext]:
    """A Chromium of its own, which nobody else misses while it stands still."""
    context = playwright.chromium.launch_persistent_context(
        str(profile),
        executable_path=shutil.which("chromium"),
        args=["--no-sandbox"] if os.geteuid() == 0 else [],
        viewport=WIDE,  # type: ignore[arg-type]
        locale="en-GB",
    )
    context.set_default_timeout(PATIENCE_MS)
    yield context
    context.close()


@pytest.mark.usefixtures("real_clips")
def test_a_session_goes_on_when_the_laptop_is_opened_again(
    platform: Platform, publish: Publish, playwright: Playwright, tmp_path: Path
) -> None:
    study = publish("closed-laptop", rate=2, compare=0, batch="demo")
    sent: Counter[str] = Counter()
    unanswered: list[Route] = []

    def keep_first_receipt(route: Route) -> None:
        sent[route.request.url] += 1
        if sent.total() > 1:
            route.continue_()
            return
        # the vote arrives, and its receipt comes while the laptop is closed, which never reads it
        assert route.fetch().ok
        unanswered.append(route)

    with chromium_on(playwright, tmp_path / "profile") as context:
        person = Person(context.new_page())
        page, words = person.page, person.words
        person.arrive(study["link"])
        person.trial(1, 2)
        page.evaluate(IMPATIENT)
        context.route(VOTES, keep_first_receipt)
        person.watch(1)
        person.rate(1, 6)
        while not unanswered:
            page.wait_for_timeout(50)
        with closed_lid(tmp_path / "profile"):
            time.sleep(ASLEEP_S)
        person.trial(2, 2)

        page.get_by_role("button", name=words.start).click()
        page.wait_for_function(PLAYS)
        with closed_lid(tmp_path / "profile"):
            time.sleep(ASLEEP_S)
        expect(person.question(words.rate_question)).to_be_visible()
        person.rate(2, 3)
        assert len(person.code()) >= 6
        session = person.session()["id"]

    assert sent[unanswered[0].request.url] > 1
    assert len(sent) == 2
    votes = exported_votes(platform, study, at_least=2)
    assert sorted((vote["position"], vote["score"]) for vote in votes) == [("1", "6"), ("2", "3")]
    plays = plays_of(platform, session, at_least=2)
    assert [(play["position"], play["evidence"]["complete"]) for play in plays] == [(1, True), (2, True)]
    # what stood still with the laptop is told
    assert plays[1]["evidence"]["off_speed"] or plays[1]["evidence"]["stalls"]
