"""The page script pins chance and the date, in every document alike; a real browser says so."""

import re
import shutil
from collections.abc import Iterator
from time import time

import pytest
from playwright.sync_api import Page, sync_playwright

from eyelevel.loads.inside.browsing.page_script import page_script

START_MS = 1_519_128_470_000
ASK = """() => [
  Math.random(), Math.random(), [...crypto.getRandomValues(new Uint16Array(3))], crypto.randomUUID(),
  new Date(5).getTime(), new Date(2018, 1).getMonth(), new Date() instanceof Date, typeof Date(),
  new (class extends Date {})().getFullYear(), new Date().constructor === Date,
]"""


@pytest.fixture
def page() -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-background-networking"]
        )
        yield browser.new_page()
        browser.close()


def ask(page: Page, seed: int, url: str = "data:text/html,<p>garden") -> list[object]:
    context = page.context.browser.new_context()  # type: ignore[union-attr]
    context.add_init_script(page_script(seed=seed, start_ms=START_MS))
    fresh = context.new_page()
    fresh.goto(url)
    answer: list[object] = fresh.evaluate(ASK)
    context.close()
    return answer


@pytest.mark.browser
def test_the_same_seed_draws_the_same_and_another_draws_otherwise(page: Page) -> None:
    one, again, other = ask(page, 5), ask(page, 5), ask(page, 2**40 + 6)
    assert one == again
    assert one[:4] != other[:4]
    assert one[4:] == [5, 1, True, "string", 2018, True]
    first, second = one[0], one[1]
    assert isinstance(first, float)
    assert isinstance(second, float)
    assert 0 <= first < 1
    assert first != second
    assert re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", str(one[3]))


@pytest.mark.browser
def test_two_documents_do_not_draw_the_same_ids(page: Page) -> None:
    assert ask(page, 5)[3] != ask(page, 5, "data:text/html,<p>teashop")[3]


# between two looks at the one clock, the other one
SAME_CLOCK = """start => {
  const before = performance.now(), date = Date.now() - start, after = performance.now();
  return before - 1 <= date && date <= after;
}"""
RACE = """<script>
  function first() { return Math.random(); }
  function second() { return Math.random(); }
  const drawn = {};
  for (const name of %s) drawn[name] = [window[name](), window[name](), crypto.randomUUID()];
</script>"""


@pytest.mark.browser
def test_what_a_script_draws_does_not_hang_on_which_script_drew_before_it(page: Page) -> None:
    page.add_init_script(page_script(seed=5, start_ms=START_MS))
    drawn = []
    for order in ('["first", "second"]', '["second", "first"]'):
        page.goto("about:blank")
        page.set_content(RACE % order)
        drawn.append(page.evaluate("drawn"))
    one, other = drawn
    assert [one[name][:2] for name in ("first", "second")] == [other[name][:2] for name in ("first", "second")]
    assert len({number for name in ("first", "second") for number in one[name][:2]}) == 4


@pytest.mark.browser
def test_a_page_that_draws_a_million_numbers_is_not_held_up(page: Page) -> None:
    page.add_init_script(page_script(seed=5, start_ms=START_MS))
    page.goto("data:text/html,<p>garden")
    spent_ms = page.evaluate(
        "() => { const t = performance.now(); for (let i = 0; i < 1e6; i += 1) Math.random(); "
        "return performance.now() - t; }"
    )
    assert spent_ms < 2000
    assert page.evaluate("new Set(Array.from({length: 1000}, Math.random)).size") > 990


@pytest.mark.browser
def test_the_date_starts_where_it_is_told_and_flows_on(page: Page) -> None:
    page.add_init_script(page_script(seed=5, start_ms=START_MS))
    page.goto("data:text/html,<p>garden")
    early = page.evaluate("Date.now()")
    page.wait_for_timeout(300)
    late = page.evaluate("+new Date()")
    assert START_MS <= early < START_MS + 20_000
    assert 250 <= late - early < 20_000
    assert page.evaluate(SAME_CLOCK, START_MS)


def test_the_script_is_the_same_for_the_same_seed() -> None:
    assert page_script(seed=5, start_ms=1) == page_script(seed=5, start_ms=1)
    assert page_script(seed=5, start_ms=1) != page_script(seed=6, start_ms=1)


SCRIPT = "window.drawn = [Math.random(), crypto.randomUUID()];"


def drawn_at(page: Page, url: str, script: str) -> object:
    """What a script of that URL draws in the document of that URL."""
    context = page.context.browser.new_context()  # type: ignore[union-attr]
    context.add_init_script(page_script(seed=5, start_ms=START_MS))
    fresh = context.new_page()
    fresh.route("**/*", lambda route: route.fulfill(content_type="text/html", body=f"<script src='{script}'></script>"))
    fresh.route("**/*.js*", lambda route: route.fulfill(content_type="text/javascript", body=SCRIPT))
    fresh.goto(url)
    answer: object = fresh.evaluate("drawn")
    context.close()
    return answer


@pytest.mark.browser
def test_a_page_draws_the_same_over_http_and_https(page: Page) -> None:
    over_http = drawn_at(page, "http://garden.example/", "http://garden.example/a.js")
    assert over_http == drawn_at(page, "https://garden.example/", "https://garden.example/a.js")
    assert over_http != drawn_at(page, "https://teashop.example/", "https://garden.example/a.js")


@pytest.mark.browser
def test_a_date_of_the_load_in_a_url_changes_no_draw_and_another_number_does(page: Page) -> None:
    url = "https://garden.example/?at={}"
    early, late, second, other = (
        drawn_at(page, url.format(number), f"/a.js?{number}")
        for number in (START_MS + 137, START_MS + 20_512, START_MS // 1000 + 9, START_MS + 7_200_000)
    )
    assert early == late == second
    assert early != other


# a page that comes again until the cookie is there that it sets, as consent walls do
RELOADS = """<!doctype html><title>cookie</title><script>
  const visits = Number(localStorage.visits ?? 0) + 1;
  localStorage.visits = visits;
  const until = new Date(Date.now() + 3600000).%s();
  if (!document.cookie.includes("seen=1") && visits < 5) {
    document.cookie = "gone=1; path=/";
    document.cookie = "gone=; expires=Thu, 01 Jan 1970 00:00:00 GMT; path=/";
    document.cookie = "gone=; expires=" + new Date(Date.now() - 1000).toUTCString() + "; path=/";
    document.cookie = "seen=1; Expires=" + until + "; path=/";
    location.reload();
  } else document.title = "done";
</script>"""


@pytest.mark.browser
@pytest.mark.parametrize("written", ["toUTCString", "toString"])
def test_a_cookie_that_expires_after_the_pages_date_is_kept_as_long_and_a_deletion_deletes(
    page: Page, written: str
) -> None:
    context = page.context.browser.new_context()  # type: ignore[union-attr]
    context.add_init_script(page_script(seed=5, start_ms=START_MS))
    fresh = context.new_page()
    fresh.route("**/*", lambda route: route.fulfill(content_type="text/html", body=RELOADS % written))
    fresh.goto("http://garden.example/")
    fresh.wait_for_function("document.title === 'done'")
    assert fresh.evaluate("localStorage.visits") == "2"
    (cookie,) = context.cookies()
    assert (cookie["name"], cookie["value"]) == ("seen", "1")
    assert 3500 < cookie["expires"] - time() < 3700
    context.close()
