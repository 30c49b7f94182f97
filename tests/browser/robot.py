"""Walks through a study by accessible names alone, as a screen reader reads them.

It knows no address but its link, no class, no id, no interface of the server. What is on the page decides what it does.
"""

import random
import re
import time
from collections import Counter
from dataclasses import dataclass, field

from playwright.sync_api import Locator, Page
from playwright.sync_api import TimeoutError as NotInTime

from .words import ENGLISH

FORWARD = re.compile(r"^(begin|continue|start|next)\b", re.IGNORECASE)
CODE = re.compile(r"^[A-Z0-9-]{6,}$")
# `- radiogroup "How sure are you?":` is how Playwright writes a role and its name
ROLE_AND_NAME = re.compile(r'^- \w+ "(?P<name>(?:[^"\\]|\\.)+)"')
STEPS = 2000
STANDSTILL_S = 60
PAUSE_MS = 200
PRESS_MS = 15_000


class StuckError(Exception):
    """The page does not tell the robot how to go on; says what it does tell."""


@dataclass
class Robot:
    """Goes on until it is shown a code. `answers` are what it was asked and what it said, in order."""

    page: Page
    chance: random.Random
    answers: list[tuple[str, str]] = field(default_factory=list)
    headings: list[str] = field(default_factory=list)
    pressed: list[str] = field(default_factory=list)
    read: Counter[str] = field(default_factory=Counter)

    @property
    def main(self) -> Locator:
        return self.page.get_by_role("main")

    def walk(self, link: str) -> str:
        """Go from the link to the completion code."""
        self.page.goto(link)
        since = time.monotonic()
        for _ in range(STEPS):
            code = self.code()
            if code is not None:
                return code
            if self.step():
                since = time.monotonic()
            elif time.monotonic() - since > STANDSTILL_S:
                break
            else:
                self.page.wait_for_timeout(PAUSE_MS)
        raise StuckError(f"no way on from here:\n{self.page.locator('body').aria_snapshot()}")

    def code(self) -> str | None:
        """The one status that reads like a code, once the page says what it is."""
        if not self.main.get_by_text("completion code", exact=False).count():
            return None
        statuses = [status.strip() for status in self.main.get_by_role("status").all_inner_texts()]
        codes = [status for status in statuses if CODE.match(status)]
        return codes[0] if len(codes) == 1 else None

    def step(self) -> bool:
        """Answer what is not answered yet, then press the button that leads on; false where there is none yet."""
        try:
            self.look()
            self.agree()
            for group in self.main.get_by_role("radiogroup").all():
                self.choose(group)
            for slider in self.main.get_by_role("slider").all():
                self.place(slider)
            return self.go_on()
        except NotInTime:
            return False  # the page went on meanwhile

    def look(self) -> None:
        headings = self.main.get_by_role("heading", level=1).all_inner_texts()
        if headings and (not self.headings or self.headings[-1] != headings[0]):
            self.headings.append(headings[0])
            self.read.update(words(self.main.inner_text()))

    def agree(self) -> None:
        for box in self.main.get_by_role("checkbox", checked=False).all():
            name_of(box)
            box.check(timeout=PRESS_MS)

    def choose(self, group: Locator) -> None:
        question = name_of(group)
        if group.get_by_role("radio", checked=True).count():
            return
        choices = group.get_by_role("radio").all()
        if not choices:  # the page has just moved on
            return
        names = [name_of(choice) for choice in choices]
        chosen = self.chance.randrange(len(choices))
        if self.headings[-1] == ENGLISH.in_between:
            # such a question has an answer that whoever has read along knows
            chosen = max(range(len(names)), key=lambda index: sum(self.read[word] for word in words(names[index])))
        # a question that names its answer wants it
        chosen = next((index for index, name in enumerate(names) if name in question), chosen)
        choices[chosen].check(timeout=PRESS_MS)
        self.answers.append((question, names[chosen]))

    def place(self, slider: Locator) -> None:
        question = name_of(slider)
        if self.answers and self.answers[-1][0] == question and self.ways_on():
            return
        slider.focus(timeout=PRESS_MS)
        for _ in range(self.chance.randint(1, 3)):
            slider.press("ArrowRight", timeout=PRESS_MS)
        self.answers.append((question, slider.input_value(timeout=PRESS_MS)))

    def ways_on(self) -> list[Locator]:
        buttons = self.main.get_by_role("button", disabled=False).all()
        return [button for button in buttons if FORWARD.match(name_of(button))]

    def go_on(self) -> bool:
        found = self.ways_on()
        if len(found) > 1:
            raise StuckError(f"which of these leads on: {', '.join(name_of(button) for button in found)}?")
        for button in found:
            name = name_of(button)
            button.click(timeout=PRESS_MS)
            self.pressed.append(name)
        return bool(found)


def words(text: str) -> list[str]:
    return re.findall(r"[a-z]{4,}", text.lower())


def name_of(thing: Locator) -> str:
    """Its accessible name; without one, a stranger cannot know what it is for."""
    snapshot = thing.aria_snapshot(timeout=PRESS_MS)
    found = ROLE_AND_NAME.match(snapshot)
    if not snapshot:
        raise NotInTime("it went away while it was read")
    if found is None:
        raise StuckError(f"something without a name: {snapshot.splitlines()[0]}")
    return found["name"].replace('\\"', '"')
