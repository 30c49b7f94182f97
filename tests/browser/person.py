"""Simulates a participant who finds controls by role and label alone."""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Page, expect

from .words import ENGLISH, Words

FILM = """video => ({
  width_px: video.videoWidth,
  height_px: video.videoHeight,
  ended: video.ended,
  duration_s: video.duration,
  played_s: video.played.length === 1 ? video.played.end(0) - video.played.start(0) : null,
  rate: video.playbackRate,
  frames: video.getVideoPlaybackQuality().totalVideoFrames,
})"""
# the root is as wide as the window without the place of its scroll bar
OVERFLOW = "(root => root.scrollWidth - Math.round(root.getBoundingClientRect().width))(document.documentElement)"


@dataclass
class Person:
    """Walks through a study; `votes` is what was clicked, `films` how the films played, both by position."""

    page: Page
    words: Words = ENGLISH
    # called with the name of each state of a page that the person comes to
    look: Callable[[str], None] = lambda _name: None
    votes: dict[int, dict[str, Any]] = field(default_factory=dict)
    films: dict[int, dict[str, Any]] = field(default_factory=dict)

    def arrive(self, url: str) -> None:
        """Open the link, and enter."""
        self.page.goto(url)
        self.enter()

    def come_back(self, url: str) -> None:
        """Open the link again, and be the same person."""
        self.page.goto(url)
        self.is_the_same()

    def reload(self) -> None:
        """Load the page again, moments after the last sign: it goes on where it was."""
        self.page.reload()

    def is_the_same(self) -> None:
        """Go on with the session that was begun here, unless it has come to its end."""
        welcome = self.heading(self.words.welcome_back)
        over = self.heading(self.words.sending).or_(self.heading(self.words.thanks))
        expect(welcome.or_(over)).to_be_attached()
        if welcome.count():
            self.page.get_by_role("button", name=self.words.go_on).click()

    def enter(self) -> None:
        """Agree, answer the questions about the person, read the instructions."""
        page, words = self.page, self.words
        agree = page.get_by_role("checkbox", name=words.agree)
        expect(agree).to_be_visible()
        expect(page.get_by_role("button", name=words.begin)).to_be_disabled()
        self.look("1-consent")
        agree.check()
        page.get_by_role("button", name=words.begin).click()
        expect(self.heading(words.about_you)).to_be_visible()
        self.look("2-questions")
        for question in page.get_by_role("radiogroup").all():
            question.get_by_role("radio").first.check()
        page.get_by_role("button", name=words.go_on).click()
        expect(self.heading(words.how_it_works)).to_be_visible()
        self.look("3-instructions")
        page.get_by_role("button", name=words.go_on).click()

    def heading(self, text: str) -> Any:
        return self.page.get_by_role("heading", name=text, exact=True)

    def trial(self, number: int, total: int) -> None:
        """Be at that trial, with the film ready; read the page about a new situation where there is one."""
        video = self.heading(self.words.video_of.format(number=number, total=total))
        situation = self.heading(self.words.new_situation)
        expect(video.or_(situation)).to_be_attached()
        if situation.count():
            self.look("4-situation")
            self.page.get_by_role("button", name=self.words.go_on).click()
        expect(video).to_be_attached()
        expect(self.page.get_by_role("button", name=self.words.start)).to_be_visible()

    def watch(self, number: int) -> None:
        """Start the film and wait for the question; nothing can be answered before its end."""
        page, words = self.page, self.words
        questions = self.question(words.rate_question).or_(self.question(words.compare_question)).or_(self.slider)
        expect(questions).to_have_count(0)
        begun = time.monotonic()
        page.get_by_role("button", name=words.start).click()
        expect(questions).to_be_visible()
        seen_s = time.monotonic() - begun
        self.films[number] = page.locator("video").evaluate(FILM) | {"seen_s": seen_s}

    def question(self, text: str) -> Any:
        return self.page.get_by_role("radiogroup", name=text)

    @property
    def slider(self) -> Any:
        return self.page.get_by_role("slider", name=self.words.rate_question)

    def is_comparison(self) -> bool:
        return bool(self.question(self.words.compare_question).is_visible())

    def rate(self, number: int, score: int) -> None:
        """Give a score from 1 to 7 and go on."""
        expect(self.next_button).to_be_disabled()
        label = self.words.scores[score - 1]
        self.question(self.words.rate_question).get_by_role("radio", name=label, exact=True).check()
        self.votes[number] = {"trial_kind": "rate", "score": str(score), "choice": "", "sureness": ""}
        self.next_button.click()

    def compare(self, number: int, choice: str, sureness: int) -> None:
        """Say which side was faster, then how sure (1 to 5), and go on."""
        expect(self.next_button).to_be_disabled()
        self.question(self.words.compare_question).get_by_role("radio", name=self.words.choices[choice]).check()
        expect(self.question(self.words.how_sure)).to_have_count(0)
        self.next_button.click()
        expect(self.next_button).to_be_disabled()
        label = self.words.sureness[sureness - 1]
        self.question(self.words.how_sure).get_by_role("radio", name=label, exact=True).check()
        self.votes[number] = {"trial_kind": "compare", "score": "", "choice": choice, "sureness": str(sureness)}
        self.next_button.click()

    def place(self, number: int, value: int) -> None:
        """Point at a place from 0 to 100 on the slider, and go on."""
        expect(self.next_button).to_be_disabled()
        track = self.page.locator(".slider__track").bounding_box()
        assert track is not None
        x_px, y_px = track["x"] + track["width"] * value / 100, track["y"] + track["height"] / 2
        if self.page.evaluate("navigator.maxTouchPoints > 0"):
            self.page.touchscreen.tap(x_px, y_px)
        else:
            self.page.mouse.click(x_px, y_px)
        expect(self.slider).to_have_value(str(value))
        self.votes[number] = {"trial_kind": "slider", "value": f"{value}.0", "score": "", "choice": "", "sureness": ""}
        self.next_button.click()

    def answer(self, number: int, *, score: int = 5, choice: str = "left", sureness: int = 3) -> None:
        """Answer whichever question is asked."""
        if self.is_comparison():
            self.compare(number, choice, sureness)
        elif self.slider.count():
            self.place(number, 60)
        else:
            self.rate(number, score)

    @property
    def next_button(self) -> Any:
        return self.page.get_by_role("button", name=self.words.next, exact=True)

    def code(self) -> str:
        """The completion code, once the page shows it."""
        expect(self.heading(self.words.thanks)).to_be_visible()
        code: str = self.page.get_by_role("status").filter(has_text=re.compile(r"^\S{6,}$")).inner_text()
        return code

    def session(self) -> dict[str, Any]:
        """The session as the server tells it to this browser."""
        session: dict[str, Any] = self.page.request.get(self.page.url.split("/s/")[0] + "/api/session").json()
        return session

    def overflow_px(self) -> int:
        """How far the page can be scrolled sideways."""
        overflow: int = self.page.evaluate(OVERFLOW)
        return overflow
