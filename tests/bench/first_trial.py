"""How long somebody on LTE waits for the pages of a study, on a platform of its own with the demo study.

Bounds: from the link to the page of consent plus from there to the first trial 2 s, the time that people take for
reading and answering left out; from the link of a session already begun into its next trial 2 s, but for the time that
people take to say that it is them; scripts and styles 200 kB, as gzip. Chromium emulates rate and round trip, but no
connecting: its two round trips are added. Needs Chromium.
"""

import os
import shutil
import statistics
import sys
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin

sys.path[0] = str(Path(__file__).resolve().parents[1])

from browser.begun import begin  # noqa: E402 - found by the path above
from browser.transfer import Transfer  # noqa: E402
from browser.words import ENGLISH  # noqa: E402
from platform_process import running  # noqa: E402
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright  # noqa: E402

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
RUNS = 3
BOUND_MS, BOUND_BYTES = 2000.0, 200_000
# the project's LTE
DOWN_MBIT, UP_MBIT, RTT_MS = 10.5, 2.8, 74.0
NETWORK = {
    "offline": False,
    "latency": RTT_MS,
    "downloadThroughput": DOWN_MBIT * 1e6 / 8,
    "uploadThroughput": UP_MBIT * 1e6 / 8,
}
# TCP and TLS 1.3, before the first request
CONNECT_MS = 2 * RTT_MS
WINDOW = {"width": 1440, "height": 900}
LIMIT_MS = 60_000

# ticks the box as soon as there is one, so that only what the page itself waits for keeps its button from being pressed
CONSENT = """(() => {
  const box = document.querySelector('main input[type=checkbox]');
  if (box !== null && !box.checked) box.click();
  const begin = document.querySelector('main button[type=submit]');
  return box !== null && begin !== null && !begin.disabled;
})()"""
PRESSED = "() => { addEventListener('click', () => { window.pressedAtMs = performance.now(); }, { capture: true }); }"


def heading(text: str) -> str:
    return f"[...document.querySelectorAll('h1')].some((one) => one.textContent === {text!r})"


def button(text: str) -> str:
    return f"[...document.querySelectorAll('button')].some((one) => one.textContent === {text!r} && !one.disabled)"


@dataclass(frozen=True)
class Run:
    """Times in ms; connecting is in those that begin with the link."""

    consent_ms: float
    questions_ms: float
    instructions_ms: float
    first_trial_ms: float
    back_ms: float
    code_bytes: int
    other_bytes: int
    encodings: frozenset[str]

    @property
    def way_ms(self) -> float:
        return self.consent_ms + self.first_trial_ms


def over_lte(context: BrowserContext) -> tuple[Page, Transfer]:
    page = context.new_page()
    page.set_default_timeout(LIMIT_MS)
    cdp = context.new_cdp_session(page)
    transfer = Transfer(cdp)
    cdp.send("Network.emulateNetworkConditions", NETWORK)
    return page, transfer


def opened(page: Page, link: str, ready: str) -> float:
    page.goto(link, wait_until="commit")
    # the page's clock begins with the navigation
    return CONNECT_MS + float(page.wait_for_function(f"() => {ready} && performance.now()").json_value())


def pressed(page: Page, name: str, ready: str) -> float:
    page.get_by_role("button", name=name).click()
    waited = page.wait_for_function(f"() => {ready} && Math.max(1, performance.now() - window.pressedAtMs)")
    return float(waited.json_value())


def measure(browser: Browser, link: str) -> Run:
    """Two people, each with an empty cache: one comes for the first time, one comes back."""
    words, start = ENGLISH, button(ENGLISH.start)
    first = browser.new_context(viewport=WINDOW, locale="en-GB")  # type: ignore[arg-type]
    page, transfer = over_lte(first)
    consent_ms = opened(page, link, CONSENT)
    page.evaluate(PRESSED)
    questions_ms = pressed(page, words.begin, heading(words.about_you))
    for question in page.get_by_role("radiogroup").all():
        question.get_by_role("radio").first.check()
    instructions_ms = pressed(page, words.go_on, heading(words.how_it_works))
    first_trial_ms = pressed(page, words.go_on, start)
    first.close()

    again = browser.new_context(viewport=WINDOW, locale="en-GB")  # type: ignore[arg-type]
    begin(again, link)
    page, _ = over_lte(again)
    back_ms = opened(page, link, button(words.go_on))
    page.evaluate(PRESSED)
    back_ms += pressed(page, words.go_on, start)
    again.close()
    return Run(
        consent_ms=consent_ms,
        questions_ms=questions_ms,
        instructions_ms=instructions_ms,
        first_trial_ms=first_trial_ms,
        back_ms=back_ms,
        code_bytes=transfer.code_bytes,
        other_bytes=transfer.other_bytes,
        encodings=frozenset(transfer.encodings),
    )


def sentence(run: Run) -> str:
    between = f"Begin to questions {run.questions_ms:.0f}, Continue to instructions {run.instructions_ms:.0f}"
    return (
        f"link to consent {run.consent_ms:.0f} ms, {between}, last click to first trial {run.first_trial_ms:.0f};"
        f" back into a session {run.back_ms:.0f}; load {os.getloadavg()[0]:.1f}"
    )


def main() -> None:
    runs = []
    with running() as platform, sync_playwright() as playwright:
        study = platform.publish(FIXTURES / "sample-batch", FIXTURES / "study-demo.yaml")
        link = urljoin(platform.url, study["fieldings"][0]["participant_url"])
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"] if os.geteuid() == 0 else []
        )
        for number in range(1, RUNS + 1):
            runs.append(measure(browser, link))
            print(f"  run {number}: {sentence(runs[-1])}", flush=True)
        browser.close()
    way_ms = statistics.median(run.way_ms for run in runs)
    back_ms = statistics.median(run.back_ms for run in runs)
    code_bytes = max(run.code_bytes for run in runs)
    other_bytes = max(run.other_bytes for run in runs)
    # what is too small for it comes as it is
    packed = all("gzip" in run.encodings and run.encodings <= {"gzip", ""} for run in runs)
    network = f"LTE ({DOWN_MBIT} and {UP_MBIT} Mbit/s, {RTT_MS:.0f} ms)"
    print(f"{network}, empty cache, medians of {RUNS}, connecting included:")
    print(f"  link to consent, and last click to first trial: {way_ms:.0f} ms (bound {BOUND_MS:.0f})")
    print(f"  link of a session already begun to its trial: {back_ms:.0f} ms (bound {BOUND_MS:.0f})")
    print("until the first trial, the most of all runs:")
    print(f"  scripts and styles {code_bytes / 1000:.0f} kB (bound {BOUND_BYTES / 1000:.0f})")
    print(f"  all else {other_bytes / 1000:.0f} kB")
    if not packed:
        print("  NOT all scripts and styles came as gzip")
    sys.exit(0 if max(way_ms, back_ms) <= BOUND_MS and code_bytes <= BOUND_BYTES and packed else 1)


if __name__ == "__main__":
    main()
