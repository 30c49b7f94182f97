"""The participant's own browser, filmed: what comes to the screen is the clip as it was measured when it was made."""

import json
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from platform_process import Platform
from playwright.sync_api import Page, Playwright

from .conftest import Publish
from .own_chromium import own_chromium
from .person import Person
from .screen_film import Part, filming, screen
from .test_play_faults import begin, plays_until, question

pytestmark = [pytest.mark.root, pytest.mark.browser, pytest.mark.services]

WIDTH_PX, HEIGHT_PX = 1440, 900
WINDOW = [f"--window-size={WIDTH_PX},{HEIGHT_PX}", "--window-position=0,0", "--kiosk", "--hide-scrollbars"]
# The film's zero is the browser's own account of the clip's: of each frame, when it expects it on the screen and which
# moment of the clip it shows. Nothing of it comes from what the picture shows, so the film can contradict it.
WATCH_FRAMES = """film => {
  window.shownFrames = [];
  const note = (_now, { expectedDisplayTime, mediaTime }) => {
    window.shownFrames.push(performance.timeOrigin + expectedDisplayTime - mediaTime * 1000);
    film.requestVideoFrameCallback(note);
  };
  film.requestVideoFrameCallback(note);
}"""


def stage_of(page: Page) -> Part:
    box = page.locator(".stage__frame").bounding_box()
    assert box is not None
    assert (page.evaluate("screenX"), page.evaluate("screenY")) == (0, 0)
    return Part(round(box["x"]), round(box["y"]), round(box["width"]), round(box["height"]))


def measured(film: Path, times_ms: list[float]) -> dict[str, Any]:
    """What `eyelevel measure` says of it; times since navigation start."""
    times = film.with_suffix(".json")
    times.write_text(json.dumps({"times_ms": times_ms}))
    command = [
        sys.executable,
        "-m",
        "eyelevel",
        "measure",
        str(film),
        "--json",
        "--times",
        str(times),
        "--tolerance",
        "16",
    ]
    told: dict[str, Any] = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return told


# a machine that others keep busy paints late now and then: the median of so many plays must agree
PLAYS = 7
METRICS = ("fvc_ms", "si_ms", "lvc_ms")


def test_what_the_screen_shows_is_the_clip_as_it_was_measured(
    platform: Platform, publish: Publish, playwright: Playwright, batch: Path, tmp_path: Path
) -> None:
    study = publish("filmed", rate=PLAYS, compare=0)
    clips = {clip["sha256"]: clip for clip in json.loads((batch / "manifest.json").read_text())["clips"]}
    apart: list[dict[str, float]] = []
    with (
        screen(WIDTH_PX, HEIGHT_PX) as display,
        own_chromium(playwright, WINDOW, environment={"DISPLAY": display}) as context,
    ):
        page = context.pages[0]
        person = Person(page)
        person.arrive(study["link"])
        for number in range(1, PLAYS + 1):
            person.trial(number, PLAYS)
            clip = clips[person.session()["trials"][number - 1]["clip"]["sha256"]]
            page.locator("video").evaluate(WATCH_FRAMES)
            with filming(display, stage_of(page), tmp_path / f"play-{number}.nut") as film:
                page.wait_for_timeout(300)
                begin(person)
                # the film stands still from long before its end
                plays_until(page, clip["duration_ms"] - 400)
                times_ms = film.stop()
            zero_ms = median(page.evaluate("shownFrames")) + clip["start_ms"]
            question(person)
            seen = measured(film.path, [ms - zero_ms for ms in times_ms])
            [own] = clip["measured"]
            # in frames of the clip, as plays may be of clips of several rates
            frame_ms = 1000 / clip["frame_rate"]
            apart.append({name: (seen[name] - own[name]) / frame_ms for name in METRICS})
            told = ", ".join(f"{name} {seen[name]:.1f} ({own[name]:.1f})" for name in METRICS)
            sys.stdout.write(f"play {number}: {told}; within {frame_ms:.1f} ms\n")
            person.answer(number)
    usual = {name: median(one[name] for one in apart) for name in METRICS}
    assert max(map(abs, usual.values())) <= 1, apart
