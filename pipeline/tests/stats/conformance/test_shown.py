"""R8: every play is shown at the block's smallest size or above, within one percent."""

from typing import Any

import pytest

from eyelevel_stats.conformance import Trial

from .people import finding, person, play, trial

FINE = "none of 1 videos was shown smaller than allowed"
NOT_SAID = "trial 1: the browser did not report the size of the video"


def shown(scale: float | None, device_scale: float | None = 2.0) -> Trial:
    return trial(plays=(play(scale=scale, device_scale=device_scale),))


@pytest.mark.parametrize(
    ("planted", "broken", "reason"),
    [
        (shown(0.5, 1.0), "no", FINE),
        # one percent is let pass, of both
        (shown(0.4951, 0.9901), "no", FINE),
        (shown(0.4949), "yes", "trial 1: shown with 0.495 CSS pixels per captured pixel, at least 0.5 required"),
        (shown(0.6, 0.9899), "yes", "trial 1: shown with 0.99 device pixels per captured pixel, at least 1 required"),
        (shown(0.022), "yes", "trial 1: shown with 0.022 CSS pixels per captured pixel, at least 0.5 required"),
        (shown(None), "unknown", NOT_SAID),
        (shown(0.6, None), "unknown", NOT_SAID),
        # what is known decides
        (shown(0.4, None), "yes", "trial 1: shown with 0.4 CSS pixels per captured pixel, at least 0.5 required"),
        (trial(plays=(play(), play(scale=0.4))), "yes", None),
        (trial(plays=(play(scale=None), play(scale=0.4))), "yes", None),
        (trial(plays=(play(scale=None), play())), "unknown", NOT_SAID),
        (trial(plays=()), "unknown", "trial 1: no play of the video was stored"),
        (trial(role="training", plays=(play(scale=0.1),)), "no", "there is no trial to judge"),
        (trial(role="control", plays=(play(scale=0.1),)), "yes", None),
    ],
)
def test_r8_wants_every_play_large_enough(planted: Trial, broken: str, reason: str | None) -> None:
    found = finding("R8", person(planted))
    assert found.broken == broken
    assert reason in (None, found.reason)


@pytest.mark.parametrize(
    ("least", "broken"),
    [
        ({"min_scale": 0.0, "min_device_scale": 0.0}, "no"),
        ({"min_scale": 0.0, "min_device_scale": 1.0}, "no"),
        ({"min_scale": 0.5, "min_device_scale": 0.0}, "yes"),
    ],
)
def test_a_size_that_the_block_does_not_ask_for_is_not_judged(least: dict[str, Any], broken: str) -> None:
    planted = trial(plays=(play(scale=0.1, device_scale=1.0),), **least)
    assert finding("R8", person(planted)).broken == broken
    unknown = trial(plays=(), **least)
    assert finding("R8", person(unknown)).broken == ("no" if set(least.values()) == {0.0} else "unknown")
