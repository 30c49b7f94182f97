"""Which takes clips may show: a page that never came has nothing to be seen, and a person is told whose it was."""

from pathlib import Path
from typing import Any

from eyelevel.batch.showable import LUCKIER, showable
from eyelevel.batch.takes import Take

TIMED_OUT = "net::ERR_TIMED_OUT"


def take(stack: str = "QUIC", *, run: int = 1, cache: str = "cold", given_up: str | None = None) -> Take:
    value: dict[str, Any] = {
        "site": "garden",
        "network": {"name": "MSS"},
        "stack": {"name": stack},
        "run": run,
        "cache": cache,
        "given_up": given_up,
    }
    return Take(Path(), f"{stack}-{cache}-{run}", value, (0.0,))


def test_a_navigation_that_the_browser_gave_up_is_not_shown_and_told() -> None:
    came = [take(run=1), take(run=2)]
    beside = [take("TCP+", run=1)]
    found = showable([*came, take(run=3, given_up=TIMED_OUT), take(run=4, given_up=TIMED_OUT), *beside])
    assert found.takes == [*came, *beside]
    why = f"Chromium gave the navigation up ({TIMED_OUT})"
    assert found.why_not == {"QUIC-cold-3": why, "QUIC-cold-4": why}
    assert found.warnings == [
        "garden, MSS, QUIC: no clip shows run 3, 4 (of 4 with a take), for Chromium gave the navigation up "
        "(net::ERR_TIMED_OUT).",
        LUCKIER,
    ]


def test_a_setting_of_which_no_page_came_is_named_as_without_clips() -> None:
    found = showable([take(run=1, given_up=TIMED_OUT), take("TCP+")])
    assert [(left.stack, left.run) for left in found.takes] == [("TCP+", 1)]
    assert found.warnings == [
        "garden, MSS, QUIC: no clip shows run 1 (of 1 with a take), for Chromium gave the navigation up "
        "(net::ERR_TIMED_OUT).",
        "garden, MSS, QUIC has no clip at all, for none of its runs may be shown.",
        LUCKIER,
    ]


def test_an_older_take_that_does_not_say_whether_it_was_given_up_is_shown() -> None:
    old = take()
    del old.value["given_up"]  # type: ignore[attr-defined]
    assert showable([old]).takes == [old]


def test_second_visits_are_for_others_to_judge_as_no_clip_shows_them() -> None:
    warm = take(cache="warm", given_up=TIMED_OUT)
    assert (showable([warm]).takes, showable([warm]).warnings) == ([warm], [])
