"""Programs that take part in a study: what a dishonest rater might write. Each returns when it has its code.

Two send what a page would send; three drive the page itself. None knows the study but by its link.
"""

import contextlib
import io
import random
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from PIL import Image, ImageChops
from playwright.sync_api import APIResponse, BrowserContext, Error

from .begun import SCREEN
from .robot import Robot

# the page believes itself hidden once a film has begun, as no film begins in a page that is hidden
HIDDEN = """
  let hidden = false;
  Object.defineProperty(document, 'visibilityState', {get: () => hidden ? 'hidden' : 'visible'});
  Object.defineProperty(document, 'hidden', {get: () => hidden});
  const set = value => { hidden = value; document.dispatchEvent(new Event('visibilitychange')); };
  const runs = film => film.currentTime > 0.05 && !film.ended;
  document.addEventListener('timeupdate', ({target}) => { if (runs(target)) set(true); }, true);
  document.addEventListener('ended', () => set(false), true);
"""


def clicks_at_once(context: BrowserContext, link: str, chance: random.Random) -> None:
    """Sends forged plays and any answer as fast as the server takes them."""
    _forge(context, link, chance, wait=lambda _seconds: None)


def waits(context: BrowserContext, link: str, chance: random.Random) -> None:
    """Sends the same after the length of each film, which it never asks for."""
    _forge(context, link, chance, wait=time.sleep)


def plays_hidden(context: BrowserContext, link: str, chance: random.Random) -> None:
    """Plays every film in a page that nobody sees."""
    context.add_init_script(HIDDEN)
    Robot(context.new_page(), chance).walk(link)


def guesses(context: BrowserContext, link: str, chance: random.Random) -> None:
    """Plays every film, and answers at random."""
    Robot(context.new_page(), chance).walk(link)


def looks_at_screenshots(context: BrowserContext, link: str, _chance: random.Random) -> None:
    """Plays every film, and picks the side whose picture stops changing first."""
    page = context.new_page()
    looker = Looker(page, random.Random(1))
    looker.walk(link)


AGENTS: dict[str, Callable[[BrowserContext, str, random.Random], None]] = {
    agent.__name__: agent for agent in (clicks_at_once, waits, plays_hidden, guesses, looks_at_screenshots)
}


@dataclass
class Looker(Robot):
    """A robot that compares screenshots of the film before it answers."""

    # when each side changed last, as the number of the look
    changed: list[int] = field(default_factory=lambda: [0, 0])
    looks: int = 0
    before: Image.Image | None = None

    def step(self) -> bool:
        film = self.page.locator("video")
        # the film goes away when it has ended
        with contextlib.suppress(Error):
            if film.count() and film.first.is_visible():
                self._compare(Image.open(io.BytesIO(film.first.screenshot(timeout=1000))).convert("L"))
        return super().step()

    def _compare(self, now: Image.Image) -> None:
        self.looks += 1
        if self.before is not None and self.before.size == now.size:
            difference = ImageChops.difference(self.before, now)
            middle = now.width // 2
            for side, box in enumerate(((0, 0, middle, now.height), (middle, 0, now.width, now.height))):
                if difference.crop(box).getbbox() is not None:
                    self.changed[side] = self.looks
        self.before = now

    def choose(self, group: Any) -> None:
        names = [choice.get_attribute("value") for choice in group.get_by_role("radio").all()]
        if "left" in names and "right" in names and not group.get_by_role("radio", checked=True).count():
            left, right = self.changed
            wanted = "none" if left == right else "left" if left < right else "right"
            group.get_by_role("radio").nth(names.index(wanted)).check()
            self.changed, self.before = [0, 0], None
            return
        super().choose(group)


def _forge(context: BrowserContext, link: str, chance: random.Random, *, wait: Callable[[float], None]) -> None:
    origin, _, slug = link.partition("/s/")
    calls = context.request
    study = _told(calls.get(f"{origin}/api/participate/{slug}"))
    body = {"language": "en", "consent_version": study["consent"]["version"], "screen": SCREEN}
    session = _told(calls.post(f"{origin}/api/participate/{slug}/sessions", data=body))
    mine = {"session_id": session["id"]}
    answers = {question["key"]: question["choices"][0]["key"] for question in study["questions"]}
    _check(calls.put(f"{origin}/api/session/person", data=mine | {"answers": answers}))
    for trial in session["trials"]:
        length_s = trial["clip"]["duration_ms"] / 1000 if "duration_ms" in trial["clip"] else 1.5
        wait(length_s + 1.5)
        vote = mine | _vote(trial, length_s, chance)
        _check(calls.put(f"{origin}/api/session/votes/{uuid.uuid4()}", data=vote))
    for control in session["controls"]:
        choice = {"choice": chance.choice(control["choices"])["key"]}
        _check(calls.put(f"{origin}/api/session/controls/{control['key']}", data=mine | choice))
    _check(calls.post(f"{origin}/api/session/finish", data=mine | {"skipped": []}))


def _vote(trial: dict[str, Any], length_s: float, chance: random.Random) -> dict[str, Any]:
    """A vote with a play to the end that never was; the clip's length is a guess that is too long."""
    now = datetime.now(UTC)
    data: dict[str, Any] = {"score": chance.randint(1, 7)}
    if trial["kind"] == "compare":
        data = {"choice": chance.choice(("left", "right", "none")), "sureness": chance.randint(1, 5)}
    size = {"width_px": SCREEN["width_px"], "height_px": SCREEN["height_px"]}
    evidence = {
        "version": 1, "media_ms": 60_000.0, "wall_ms": 60_000.0, "off_speed_ms": None, "off_speed": False,
        "frames_presented": None, "frames_dropped": None, "stalls": [], "hidden": [], "unfocused": [], "pauses": [],
        "window": size, "screen": size, "device_pixel_ratio": 1.0, "zoom": None,
        "shown": {**size, "scale": 1.0, "device_scale": 1.0}, "refresh_hz": None, "frame_callback": False,
        "complete": True,
    }  # fmt: skip
    play = {
        "id": str(uuid.uuid4()),
        "started_at": (now - timedelta(seconds=length_s)).isoformat(),
        "ended_at": now.isoformat(),
        "replay": False,
        "evidence": evidence,
    }
    return {
        **{name: trial[name] for name in ("position", "kind", "kind_version")},
        "clip_digest": trial["clip"]["digest"],
        "data": data,
        "layout": "row",
        "replays": 0,
        "answer_ms": 900.0,
        "media_ms": 60_000.0,
        "away": [],
        "answered_at": now.isoformat(),
        "play": play,
    }


def _told(answer: APIResponse) -> Any:
    _check(answer)
    return answer.json()


def _check(answer: APIResponse) -> None:
    assert answer.ok, f"{answer.url}: {answer.status} {answer.text()}"
