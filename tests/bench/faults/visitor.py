"""Participants in real browsers, who lose their network, their page, their whole browser or its time in the middle."""

import contextlib
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from bench.faults.ledger import Deed, Ledger
from browser.lid import browser_on, closed_lid
from browser.person import Person
from playwright.sync_api import BrowserContext, Error, Page, Playwright, expect, sync_playwright

PATIENCE_MS = 300_000
# room for two pages beside each other at half of their size
WINDOW = {"width": 1440, "height": 900}
# Chromium writes new cookies to disk only so often
COOKIES_KEPT_S = 31.0
RECEIPTS = """async () => {
  const database = await new Promise((resolve, reject) => {
    const asked = indexedDB.open('eyelevel');
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
  const all = (name) => new Promise((resolve, reject) => {
    const asked = database.transaction(name).objectStore(name).getAll();
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
  return { waiting: (await all('envelopes')).length, receipts: await all('receipts') };
}"""
CYCLE = (
    *("reload", "close the page", "offline", "long offline", "kill web", "kill worker", "kill Valkey"),
    *("kill PostgreSQL", "crash", "closed laptop", "closed laptop in a film"),
)
# into a film, behind its countdown
INTO_FILM_S = 2.5


@dataclass
class Visitor:
    """One person with a browser of their own, whose profile outlives it. `kill` ends a service of the platform.

    `mishaps` come one after each of as many trials. `controls` are the control questions by the trial they come after.
    """

    playwright: Playwright
    link: str
    trials: int
    mishaps: tuple[str, ...]
    controls: dict[int, dict[str, Any]]
    ledger: Ledger
    draw: Random
    kill: Callable[[str], None]
    offline_s: float
    asleep_s: float
    profile: Path
    session: str = ""
    # receipts that the browser kept
    receipts: int = 0
    _context: BrowserContext | None = None
    _person: Person | None = None
    _begun: float = field(default_factory=time.monotonic)

    def walk(self) -> None:
        """Go through the whole study, with the mishaps on the way."""
        self._open()
        try:
            places = self.draw.sample(range(1, self.trials + 1), len(self.mishaps))
            mishaps = dict(zip(places, self.mishaps, strict=True))
            self.person.arrive(self.link)
            self._begun = time.monotonic()
            for number in range(1, self.trials + 1):
                self.person.trial(number, self.trials)
                if number == 1:
                    self.session = self._session_id()
                    self.ledger.began(self.session)
                self._watch(number, asleep=mishaps.get(number) == "closed laptop in a film")
                self._suffer(mishaps.get(number, "nothing"), number)
                if number in self.controls:
                    self._answer_control(self.controls[number])
            self.ledger.completed(self.session, self.person.code())
            self._count_receipts()
        finally:
            self._close()

    def _session_id(self) -> str:
        """As the platform tells the bench, whose question may meet what is killed under another visitor."""
        end = time.monotonic() + PATIENCE_MS / 1000
        while True:
            try:
                return str(self.person.session()["id"])
            except (Error, KeyError):
                if time.monotonic() > end:
                    raise
                time.sleep(0.5)

    @property
    def person(self) -> Person:
        assert self._person is not None
        return self._person

    @property
    def context(self) -> BrowserContext:
        assert self._context is not None
        return self._context

    def _watch(self, number: int, *, asleep: bool) -> None:
        """See the film to its end; the ledger has it before the answer is given."""
        with self._asleep_soon() if asleep else contextlib.nullcontext():
            self.person.watch(number)
        self.ledger.did("play", Deed(self.session, number, {"replay": False}))

    def _answer(self, number: int) -> None:
        """Answer, and wait until the page has gone on: from then on the person may rely on it."""
        self._choose(number)
        expect(self._heading(number)).to_have_count(0, timeout=PATIENCE_MS)

    def _choose(self, number: int) -> None:
        score, choice = self.draw.randint(1, 7), self.draw.choice(["left", "right", "none"])
        sureness = self.draw.randint(1, 5)
        comparison = self.person.is_comparison()
        data: dict[str, Any] = {"choice": choice, "sureness": sureness} if comparison else {"score": score}
        self.ledger.did("vote", Deed(self.session, number, data))
        self.person.answer(number, score=score, choice=choice, sureness=sureness)

    def _answer_control(self, question: dict[str, Any]) -> None:
        chosen = self.draw.choice(question["choices"])
        page, words = self.person.page, self.person.words
        heading = self.person.heading(words.in_between)
        expect(heading).to_be_visible()
        page.get_by_role("radio", name=chosen["label"][words.language], exact=True).check()
        self.ledger.did("control", Deed(self.session, question["key"], {"choice": chosen["key"]}))
        page.get_by_role("button", name=words.go_on).click()
        expect(heading).to_have_count(0, timeout=PATIENCE_MS)

    def _heading(self, number: int) -> Any:
        return self.person.heading(self.person.words.video_of.format(number=number, total=self.trials))

    def _suffer(self, mishap: str, number: int) -> None:
        """Answer, with the mishap before, while or after."""
        match mishap:
            case "nothing" | "closed laptop in a film":
                self._answer(number)
            case "offline" | "long offline":
                self._go_offline(number, self.offline_s if mishap == "long offline" else 8)
            case "reload":
                self._answer(number)
                self._visit(self.person.page)
            case "close the page":
                self._answer(number)
                self.person.page.close()
                self._visit(self.context.new_page())
            case "kill web" | "kill worker" | "kill Valkey" | "kill PostgreSQL":
                self.kill(mishap.removeprefix("kill "))
                self._answer(number)
            case "crash":
                time.sleep(max(0.0, self._begun + COOKIES_KEPT_S - time.monotonic()))
                self._answer(number)
                self._crash()
                self._open()
                self._visit(self.person.page)
            case "closed laptop":
                self._choose(number)
                with closed_lid(self.profile):
                    time.sleep(self.asleep_s)
                expect(self._heading(number)).to_have_count(0, timeout=PATIENCE_MS)
            case _:
                raise ValueError(f"there is no mishap {mishap!r}")

    @contextlib.contextmanager
    def _asleep_soon(self) -> Iterator[None]:
        """The lid closes while the person waits for the film, and opens again."""

        def sleep() -> None:
            time.sleep(INTO_FILM_S)
            with closed_lid(self.profile):
                time.sleep(self.asleep_s)

        with ThreadPoolExecutor(1) as pool:
            asleep = pool.submit(sleep)
            yield
            asleep.result()

    def _go_offline(self, number: int, for_s: float) -> None:
        """Answer without a network; the next video was fetched before, so the next answer comes offline too."""
        end = time.monotonic() + for_s
        self.context.set_offline(True)
        try:
            self._answer(number)
            time.sleep(max(0.0, end - time.monotonic()))
        finally:
            self.context.set_offline(False)

    def _visit(self, page: Page) -> None:
        """Open the link, again where the server is just being started, as people do."""
        self._person = Person(page)
        end = time.monotonic() + PATIENCE_MS / 1000
        while True:
            try:
                page.goto(self.link)
            except Error:
                if time.monotonic() > end:
                    raise
                time.sleep(1)
            else:
                self._person.is_the_same()
                return

    def _open(self) -> None:
        self._context = self.playwright.chromium.launch_persistent_context(
            str(self.profile),
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox"] if os.geteuid() == 0 else [],
            viewport=WINDOW,  # type: ignore[arg-type]
            locale="en-GB",
        )
        self._context.set_default_timeout(PATIENCE_MS)
        self._person = Person(self._context.pages[0] if self._context.pages else self._context.new_page())

    def _close(self) -> None:
        if self._context is not None:
            with contextlib.suppress(Error):
                self._context.close()

    def _crash(self) -> None:
        """End the whole browser by force: the processes of this visitor's own profile folder."""
        for pid in browser_on(self.profile):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._close()
        # what a browser that ended in good order would have removed
        for lock in self.profile.glob("Singleton*"):
            lock.unlink(missing_ok=True)

    def _count_receipts(self) -> None:
        kept = self.person.page.evaluate(RECEIPTS)
        mine = [receipt for receipt in kept["receipts"] if receipt["session_id"] == self.session]
        self.receipts = len(mine)
        for receipt in mine:
            self.ledger.received("vote", receipt["id"], receipt["received_at"])
        if kept["waiting"]:
            self.ledger.fault(f"session {self.session} has its code, and {kept['waiting']} messages still wait")


@contextlib.contextmanager
def profile_folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="eyl-visitor-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def visit(numbers: list[int], make: Callable[[Playwright, int, Path], Visitor]) -> list[tuple[Visitor, str | None]]:
    """Let these visitors come one after the other; each with the sentence of what stopped it, or None."""
    done: list[tuple[Visitor, str | None]] = []
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        for number in numbers:
            with profile_folder() as profile:
                visitor = make(playwright, number, profile)
                try:
                    visitor.walk()
                except (Error, AssertionError) as error:
                    words = " ".join(str(error).split())
                    done.append((visitor, f"{', '.join(visitor.mishaps)}: {words[:300]}"))
                else:
                    done.append((visitor, None))
    return done
