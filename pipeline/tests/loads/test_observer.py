"""The observer in a real Chromium, on pages with planted shifts, tasks and pictures; and what a page sees of it."""

import shutil
import zlib
from collections.abc import Callable, Iterator
from math import inf
from typing import Any

import pytest
from playwright.sync_api import Page, Route, sync_playwright

from eyelevel.loads.inside.browsing.observer import COMMITTED, OBSERVER, QUESTION
from eyelevel.loads.inside.browsing.page_script import page_script
from eyelevel.loads.inside.measuring.browser_metrics import Entries, browser_metrics, entries_of, lcp
from eyelevel_core.model.take import PaintedElement

pytestmark = pytest.mark.browser

URL = "http://garden.example/"
WIDTH_PX, HEIGHT_PX = 1280, 720
Observed = Callable[..., tuple[Entries, dict[str, float | None]]]


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-background-networking"]
        )
        context = browser.new_context(viewport={"width": WIDTH_PX, "height": HEIGHT_PX})
        context.add_init_script(page_script(seed=5, start_ms=1_519_128_470_000))
        yield context.new_page()
        browser.close()


@pytest.fixture
def observed(page: Page) -> Iterator[Observed]:
    def run(
        body: str, *, wait_ms: float = 1200, until: str | None = None, files: dict[str, bytes] | None = None
    ) -> Any:
        """`until` is an expression that holds once the page has done what the test is about, before the wait."""

        def answer(route: Route) -> None:
            name = route.request.url.removeprefix(URL)
            kind = "image/png" if name.endswith(".png") else "text/html"
            content: str | bytes = body if name == "" else (files or {}).get(name, b"")
            route.fulfill(body=content, content_type=kind)

        page.route(f"{URL}**", answer)
        page.goto(URL, wait_until="commit")
        zero_ms, _ = page.evaluate(COMMITTED)
        if until is not None:
            page.wait_for_function(until)
        page.wait_for_timeout(wait_ms)
        entries = entries_of(page.evaluate(QUESTION), zero_ms=zero_ms)
        return entries, browser_metrics(entries, [], until_ms=inf)

    yield run
    page.unroute_all()


def png(width: int, height: int) -> bytes:
    """A picture whose rows differ, so that it has more bits per pixel than the browser takes for a placeholder."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")

    rows = b"".join(b"\0" + bytes((x * y * 7 + x) % 251 for x in range(3 * width)) for y in range(height))
    head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + b"\x08\x02\0\0\0"
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


STILL = '<!doctype html><title>t</title><body style="margin:0">'


def test_a_block_that_moves_down_shifts_by_its_share_of_the_viewport_times_its_way(observed: Observed) -> None:
    """A block of 640 x 360 moves 180 pixels down: impact 640 x 540 of the viewport, distance 180 of 1280."""
    body = f"""{STILL}<div id="push"></div><div style="width:640px;height:360px;background:#cde">text</div>
    <script>setTimeout(() => {{ push.style.height = "180px"; }}, 400)</script>"""
    entries, found = observed(body)
    expected = (640 * 540) / (WIDTH_PX * HEIGHT_PX) * 180 / WIDTH_PX
    assert found["cls"] == pytest.approx(expected, abs=0.002)
    assert entries.shifts is not None
    assert [time_ms >= 400 for time_ms, _ in entries.shifts] == [True]


def test_two_shifts_within_a_session_add_up_and_one_after_it_does_not(observed: Observed) -> None:
    body = f"""{STILL}<div id="push"></div><div style="width:640px;height:360px;background:#cde">text</div>
    <script>for (const [ms, px] of [[300, 60], [600, 120], [2200, 180]])
      setTimeout(() => {{ push.style.height = `${{px}}px`; }}, ms)</script>"""
    entries, found = observed(body, wait_ms=2800)
    assert entries.shifts is not None
    assert len(entries.shifts) == 3
    assert found["cls"] == pytest.approx(sum(score for _, score in entries.shifts[:2]))
    assert found["cls_sum"] == pytest.approx(sum(score for _, score in entries.shifts))


def test_a_page_that_does_not_shift_has_cls_0(observed: Observed) -> None:
    _, found = observed(f"{STILL}<p>still", wait_ms=500)
    assert (found["cls"], found["tbt_ms"]) == (0.0, 0.0)


def test_a_long_task_blocks_for_what_it_takes_over_50_ms_and_puts_off_interactive(observed: Observed) -> None:
    body = f"""{STILL}<p>text<script>
      const busy = (ms) => {{ const start = performance.now(); while (performance.now() - start < ms); }};
      setTimeout(() => busy(250), 500); setTimeout(() => busy(20), 900);</script>"""
    entries, found = observed(body)
    assert entries.long_tasks is not None
    ((start, end),) = [task for task in entries.long_tasks if task[0] >= 400]
    assert end - start == pytest.approx(250, abs=20)
    assert found["tti_ms"] == end
    fcp = found["fcp_ms"]
    assert fcp is not None
    early = sum(max(0.0, task[1] - max(task[0], fcp) - 50) for task in entries.long_tasks if task[1] < start)
    assert found["tbt_ms"] == pytest.approx(200 + early, abs=20)


def test_a_rendering_that_runs_no_script_blocks_too(observed: Observed) -> None:
    """Ten thousand boxes that are laid out: the browser reports no long task for it."""
    boxes = "<table><tr>" + "<td>text<table><tr><td>inner</table>" * 60
    body = f"""{STILL}<p>text</p><div id="much" style="display:none">{boxes * 170}</div><script>
      setTimeout(() => {{ much.style.display = "block"; requestAnimationFrame(() => setTimeout(() => {{
        window.rendered = true; }})); }}, 700)</script>"""
    entries, found = observed(body, until="window.rendered", wait_ms=500)
    assert entries.long_tasks is not None
    late = [end - start for start, end in entries.long_tasks if start >= 700]
    assert late
    assert max(late) > 60
    assert found["tbt_ms"] is not None
    assert found["tbt_ms"] >= sum(late) - 50 * len(late) - 1


def test_a_page_that_rewrites_itself_is_still_observed(observed: Observed) -> None:
    """document.open() removes the listeners of the window."""
    body = f"""{STILL}<h1>title</h1><script>addEventListener("load", () => {{
      document.open();
      document.write('<h1>another title</h1><img id="hero" width="600" height="300">');
      document.close();
      hero.src = "hero.png";
    }})</script>"""
    entries, found = observed(body, files={"hero.png": png(600, 300)})
    largest = lcp(entries)
    assert largest is not None
    assert largest.selector == "img#hero"
    assert found["cls"] is not None


def test_a_late_big_picture_is_the_largest_paint_and_is_named(observed: Observed) -> None:
    body = f"""{STILL}<h1>title</h1><img id="hero" class="wide late" width="600" height="300"><script>
      requestAnimationFrame(() => setTimeout(() => {{ hero.src = "hero.png"; }}, 600))</script>"""
    entries, found = observed(body, files={"hero.png": png(600, 300)})
    fcp, largest = found["fcp_ms"], found["lcp_ms"]
    assert fcp is not None
    assert largest is not None
    assert fcp + 500 < largest
    element = lcp(entries)
    assert element is not None
    assert element.element == PaintedElement("img#hero.wide.late", f"{URL}hero.png", 600 * 300)


def test_a_page_without_paint_has_no_paint_metrics(observed: Observed) -> None:
    _, found = observed(STILL, wait_ms=500)
    unknown = {name for name, value in found.items() if value is None}
    assert unknown == {"fcp_ms", "lcp_ms", "tbt_ms", "tti_ms", "ttfb_ms"}
    assert found["dcl_ms"] is not None


def test_more_entries_than_the_browser_buffers_are_all_kept(observed: Observed) -> None:
    body = f"""{STILL}<div id="push"></div><div style="width:640px;height:360px;background:#cde">text</div>
    <script>let n = 0; const step = () => {{
      push.style.height = `${{(n += 1) % 2 ? 100 : 0}}px`; if (n < 200) requestAnimationFrame(step); }};
    requestAnimationFrame(step)</script>"""
    entries, _ = observed(body, wait_ms=8000)
    assert entries.shifts is not None
    assert len(entries.shifts) > 150


def test_a_page_that_sends_itself_elsewhere_by_script_counts_from_the_first_document(observed: Observed) -> None:
    body = f"{STILL}<script>setTimeout(() => location.replace('second.html'), 700)</script>"
    entries, found = observed(body, wait_ms=2000, files={"second.html": f"{STILL}<p>second".encode()})
    fcp, dcl = found["fcp_ms"], found["dcl_ms"]
    assert fcp is not None
    assert fcp > 700
    assert dcl is not None
    assert dcl > 700
    assert entries.paints_ms == ()


def test_the_first_byte_is_known_once_a_document_is_committed(page: Page, observed: Observed) -> None:
    observed(f"{STILL}<p>text", wait_ms=0)
    _, first_byte_ms = page.evaluate(COMMITTED)
    assert first_byte_ms == page.evaluate("performance.getEntriesByType('navigation')[0].responseStart")


GLOBALS = """() => {
  const frame = document.body.appendChild(document.createElement("iframe"));
  return [
    Reflect.ownKeys(window).map(String).sort(), Reflect.ownKeys(document).map(String),
    Reflect.ownKeys(performance).map(String), Object.keys(window).length,
    PerformanceObserver.toString(), addEventListener.toString(), frame.contentWindow.length,
  ];
}"""


def test_a_page_sees_the_same_globals_as_without_the_observer(page: Page) -> None:
    globals_seen = []
    for script in ("", OBSERVER):
        fresh = page.context.browser.new_page()  # type: ignore[union-attr]
        fresh.add_init_script(script)
        fresh.goto("data:text/html,<body>garden")
        globals_seen.append(fresh.evaluate(GLOBALS))
        fresh.close()
    assert globals_seen[0] == globals_seen[1]


WORKER = """(script) => new Promise((done) => {
  const code = "onmessage = ({data}) => postMessage(eval(data) ?? 'ran')";
  const worker = new Worker(URL.createObjectURL(new Blob([code])));
  worker.onmessage = ({ data }) => done(data);
  worker.onerror = ({ message }) => done(message);
  worker.postMessage(script);
})"""


def test_frames_and_workers_have_no_observer(page: Page, observed: Observed) -> None:
    observed(f"{STILL}<iframe src='inner.html'></iframe>", wait_ms=500, files={"inner.html": b"<p>inner"})
    inner = page.frames[1]
    assert (
        inner.evaluate(
            "() => { const detail = {}; dispatchEvent(new CustomEvent('eyelevel:asked', {detail})); "
            "return Object.keys(detail); }"
        )
        == []
    )
    assert page.evaluate(WORKER, OBSERVER) == "ran"
