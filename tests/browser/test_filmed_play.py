"""Tests that a participant's screen, filmed and measured, shows the clip with its recorded metrics."""

import json
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from clip_links import sha256_of
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
    metrics: dict[str, Any] = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return metrics


# The countdown's last number goes as the load begins, which is a change of the picture, but not of the clip. Where it
# ends is for test_trials.py.
WITHOUT_NUMBERS = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('.stage__countdown { visibility: hidden }');
  document.adoptedStyleSheets.push(sheet);
}"""

METRICS = ("fvc_ms", "si_ms", "lvc_ms")
# As many clips as the sample batch has for ratings.
MANY_PLAYS = 8
SESSIONS = 3
# One play may be late by a few frames of 60 a second where the machine paints late.
ONE_PLAY_FRAMES = 6
# Of many plays, the median agrees to a frame, and few are further off than three.
MANY_PLAYS_FRAMES = 1
FAR_FRAMES = 3
FAR_SHARE = 0.25


@pytest.mark.realtime
def test_the_screen_shows_the_clip_as_it_was_measured(
    publish: Publish, playwright: Playwright, real_clips: Path, tmp_path: Path
) -> None:
    study = publish("filmed", rate=1, compare=0, batch="demo")
    [apart] = filmed_session(study, 1, playwright, real_clips, tmp_path)
    assert max(map(abs, apart.values())) <= ONE_PLAY_FRAMES, apart


@pytest.mark.soak
@pytest.mark.realtime
def test_many_plays_show_the_clip_to_a_frame(
    publish: Publish, playwright: Playwright, real_clips: Path, tmp_path: Path
) -> None:
    study = publish("filmed-often", rate=MANY_PLAYS, compare=0, batch="demo")
    apart: list[dict[str, float]] = []
    for number in range(SESSIONS):
        folder = tmp_path / str(number)
        folder.mkdir()
        apart += filmed_session(study, MANY_PLAYS, playwright, real_clips, folder)
    assert len(apart) == SESSIONS * MANY_PLAYS
    usual = {name: median(distances[name] for distances in apart) for name in METRICS}
    assert max(map(abs, usual.values())) <= MANY_PLAYS_FRAMES, apart
    far = [distances for distances in apart if max(map(abs, distances.values())) > FAR_FRAMES]
    assert len(far) <= FAR_SHARE * len(apart), far


def filmed_session(
    study: dict[str, Any], plays: int, playwright: Playwright, batch: Path, folder: Path
) -> list[dict[str, float]]:
    """Film every play of one session; of each, how far its metrics are from the clip's own, in frames of the clip."""
    clips = {clip["sha256"]: clip for clip in json.loads((batch / "manifest.json").read_text())["clips"]}
    apart: list[dict[str, float]] = []
    with (
        screen(WIDTH_PX, HEIGHT_PX) as display,
        own_chromium(playwright, WINDOW, environment={"DISPLAY": display}) as context,
    ):
        page = context.pages[0]
        person = Person(page)
        person.arrive(study["link"])
        for number in range(1, plays + 1):
            person.trial(number, plays)
            clip = clips[sha256_of(person.session()["trials"][number - 1]["clip"], clips)]
            page.locator("video").evaluate(WATCH_FRAMES)
            page.evaluate(WITHOUT_NUMBERS)
            with filming(display, stage_of(page), folder / f"play-{number}.nut") as film:
                page.wait_for_timeout(300)
                begin(person)
                # the film stands still from long before its end
                plays_until(page, clip["duration_ms"] - 400)
                times_ms = film.stop()
            zero_ms = median(page.evaluate("shownFrames")) + clip["start_ms"]
            question(person)
            seen = measured(film.path, [ms - zero_ms for ms in times_ms])
            [of_clip] = clip["measured"]
            # in frames of the clip, as plays may be of clips of several rates
            frame_ms = 1000 / clip["frame_rate"]
            apart.append({name: (seen[name] - of_clip[name]) / frame_ms for name in METRICS})
            differences = ", ".join(f"{name} {seen[name]:.1f} ({of_clip[name]:.1f})" for name in METRICS)
            sys.stdout.write(f"play {number}: {differences}; within {frame_ms:.1f} ms\n")
            person.answer(number)
    return apart
