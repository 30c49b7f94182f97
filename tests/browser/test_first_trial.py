"""What somebody waits for on a slow network before a trial can begin: bytes, and round trips. Times are a bench's."""

import time

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from .begun import begin
from .conftest import NewContext, Publish
from .transfer import Transfer
from .words import ENGLISH

pytestmark = [pytest.mark.browser, pytest.mark.services]

CODE_BYTES = 200_000
# one more than was seen: a busy processor may part what belongs together
ROUNDS = 7
CALM_S = 1.0
PATIENCE_S = 60.0


def rounds_until(page: Page, ready: Locator, held: list[Route]) -> list[list[str]]:
    """The addresses that the page asked for until it was ready, in rounds.

    No answer of a round comes before the page has asked for all that it can ask for without one. So there are as many
    rounds as requests that wait for each other, however slow the machine is.
    """
    rounds: list[list[str]] = []
    known, since = 0, time.monotonic()
    end = since + PATIENCE_S
    while not ready.is_visible():
        assert time.monotonic() < end, f"not ready after {rounds}"
        page.wait_for_timeout(50)
        if len(held) != known:
            known, since = len(held), time.monotonic()
        elif held and time.monotonic() - since > CALM_S:
            rounds.append([route.request.url for route in held])
            released = held[:]
            held.clear()
            known = 0
            for route in released:
                route.continue_()
    return rounds


def test_a_trial_begins_after_few_round_trips_and_little_code(publish: Publish, new_context: NewContext) -> None:
    study = publish("first-trial", rate=2, compare=0)
    context = new_context()
    begin(context, study["link"])
    page = context.new_page()
    transfer = Transfer(context.new_cdp_session(page))
    held: list[Route] = []

    def hold(route: Route) -> None:
        # Playwright notes something on a handler, which a method of a list would not take
        held.append(route)

    page.route("**/*", hold)
    page.evaluate("link => { setTimeout(() => { location.assign(link); }); }", study["link"])
    go_on = page.get_by_role("button", name=ENGLISH.go_on)
    start = page.get_by_role("button", name=ENGLISH.start)
    rounds = rounds_until(page, go_on, held)
    go_on.click()
    rounds += rounds_until(page, start, held)
    page.unroute_all(behavior="ignoreErrors")
    expect(start).to_be_enabled()
    assert len(rounds) <= ROUNDS, rounds
    # what is too small for it comes as it is
    assert "gzip" in transfer.encodings
    assert transfer.encodings <= {"gzip", ""}
    assert 0 < transfer.code_bytes <= CODE_BYTES
