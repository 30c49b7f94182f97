"""How long somebody on a slow phone's network waits for the first page of a study: its text, and a button that works.

Five cold visits at 1.6 Mbit/s, a round trip of 150 ms and a processor slowed four times, to a platform of its own that
serves the built pages as in production. Bounds, as medians: the consent's text (largest contentful paint) 2.5 s, Begin
usable 3 s, scripts and styles until then 130 kB as sent. Chromium emulates rate and round trip, but no connecting: its
two round trips are added. A visit comes from another site, as by a recruiter's link, since the page then has to ask
whether this browser has a session. Needs Chromium.
"""

import os
import shutil
import statistics
import sys
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin

sys.path[0] = str(Path(__file__).resolve().parents[1])

from browser.transfer import Transfer  # noqa: E402 - found by the path above
from platform_process import running  # noqa: E402
from playwright.sync_api import Browser, Error, sync_playwright  # noqa: E402

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
VISITS = 5
TEXT_MS, BEGIN_MS, CODE_BYTES = 2500.0, 3000.0, 130_000
RATE_MBIT, RTT_MS, SLOWER = 1.6, 150.0, 4
NETWORK = {
    "offline": False,
    "latency": RTT_MS,
    "downloadThroughput": RATE_MBIT * 1e6 / 8,
    "uploadThroughput": RATE_MBIT * 1e6 / 8,
}
# TCP and TLS 1.3, before the first request
CONNECT_MS = 2 * RTT_MS
# a phone held upright, with the pixels that the ratings of the demo's study need
PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 3, "is_mobile": True, "has_touch": True}
LIMIT_MS = 60_000
RECRUITER = "http://recruiter.example/"

OBSERVE = """
window.shifted = 0;
new PerformanceObserver((list) => {
  for (const { startTime, element } of list.getEntries()) {
    window.largest = { ms: startTime, text: element?.textContent ?? '' };
  }
}).observe({ type: 'largest-contentful-paint', buffered: true });
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.shifted += entry.value;
}).observe({ type: 'layout-shift', buffered: true });
"""
# ticks the box as soon as there is one, so that only what the page itself waits for keeps its button from being pressed
BEGIN = """() => {
  const box = document.querySelector('main input[type=checkbox]:enabled');
  if (box !== null && !box.checked) box.click();
  const begin = document.querySelector('main button[type=submit]');
  return box !== null && begin !== null && !begin.disabled && performance.now();
}"""


@dataclass(frozen=True)
class Visit:
    """Times in ms from the link on, connecting included."""

    text_ms: float
    begin_ms: float
    code_bytes: int
    other_bytes: int
    calls: tuple[str, ...]
    shifted: float


def visit(browser: Browser, link: str) -> Visit:
    context = browser.new_context(**PHONE, locale="en-GB")  # type: ignore[arg-type]
    context.add_init_script(OBSERVE)
    page = context.new_page()
    page.set_default_timeout(LIMIT_MS)
    page.route(RECRUITER, lambda route: route.fulfill(body=f'<a href="{link}">Study</a>', content_type="text/html"))
    page.goto(RECRUITER)
    calls: list[str] = []
    page.on("request", lambda request: calls.append(request.url.split("/", 3)[3]))
    cdp = context.new_cdp_session(page)
    transfer = Transfer(cdp)
    cdp.send("Network.emulateNetworkConditions", NETWORK)
    cdp.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.get_by_role("link").click(no_wait_after=True)
    page.wait_for_url(link, wait_until="commit")
    try:
        begin_ms = float(page.wait_for_function(BEGIN, polling="raf").json_value())
    except Error:
        raise SystemExit(
            f"No Begin within {LIMIT_MS / 1000:.0f} s. The page says:\n{page.inner_text('body')}"
        ) from None
    at_begin = (transfer.code_bytes, transfer.other_bytes, tuple(calls))
    largest = page.evaluate("window.largest")
    if len(largest["text"]) < 100:
        raise SystemExit(f"The largest paint is not the consent's text but {largest['text']!r}.")
    shifted = float(page.evaluate("window.shifted"))
    context.close()
    return Visit(CONNECT_MS + largest["ms"], CONNECT_MS + begin_ms, *at_begin, shifted)


def main() -> None:
    visits = []
    with running() as platform, sync_playwright() as playwright:
        study = platform.publish(FIXTURES / "sample-batch", FIXTURES / "study-demo.yaml")
        link = urljoin(platform.url, study["fieldings"][0]["participant_url"])
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"] if os.geteuid() == 0 else []
        )
        for number in range(1, VISITS + 1):
            shown = visit(browser, link)
            visits.append(shown)
            print(
                f"  visit {number}: text {shown.text_ms:.0f} ms, Begin {shown.begin_ms:.0f} ms, layout shift"
                f" {shown.shifted:.3f}; load {os.getloadavg()[0]:.1f}",
                flush=True,
            )
        browser.close()
    text_ms = statistics.median(shown.text_ms for shown in visits)
    begin_ms = statistics.median(shown.begin_ms for shown in visits)
    code_bytes = max(shown.code_bytes for shown in visits)
    print(f"{RATE_MBIT} Mbit/s, {RTT_MS:.0f} ms, processor {SLOWER} times slower, connecting included, medians:")
    print(f"  the consent's text: {text_ms:.0f} ms (bound {TEXT_MS:.0f})")
    print(f"  Begin usable: {begin_ms:.0f} ms (bound {BEGIN_MS:.0f})")
    print(f"until then, the most of all visits: scripts and styles {code_bytes / 1000:.0f} kB", end=" ")
    print(f"(bound {CODE_BYTES / 1000:.0f}), all else {max(shown.other_bytes for shown in visits) / 1000:.0f} kB")
    print("requests in order:", *visits[-1].calls, sep="\n  ")
    sys.exit(0 if text_ms <= TEXT_MS and begin_ms <= BEGIN_MS and code_bytes <= CODE_BYTES else 1)


if __name__ == "__main__":
    main()
