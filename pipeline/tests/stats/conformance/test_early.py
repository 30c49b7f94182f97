"""R4: an answer before there was anything to judge."""

from typing import Any

import pytest

from eyelevel_stats.conformance import Trial

from .people import after, design, finding, person, play, trial

FINE = "none of 1 answers came before the first visual change"


def early(media_ms: float | None, **changes: Any) -> Trial:
    """Answered at this place of the running play, which was broken off thereafter."""
    cut = play(complete=False, ended_at=after(7.01), media_ms=media_ms)
    return trial(**({"answer_from": "start", "media_ms": media_ms, "plays": (cut,)} | changes))


@pytest.mark.parametrize(
    ("planted", "broken", "reason"),
    [
        (early(1400.0), "no", FINE),
        (early(1399.9), "yes", "trial 1: answered at 1.3999 s of the video, whose first change is at 1.4 s"),
        (early(300.0), "yes", "trial 1: answered at 300 ms of the video, whose first change is at 1.4 s"),
        (early(None), "unknown", "trial 1: the browser did not report the position of the video at the answer"),
        (early(300.0, first_changes_ms=(None,)), "unknown", "trial 1: the video's first visual change is not known"),
        # of a pair the faster side
        (early(1000.0, first_changes_ms=(1400.0, 900.0)), "no", FINE),
        (
            early(800.0, first_changes_ms=(1400.0, 900.0)),
            "yes",
            "trial 1: answered at 800 ms of the video, whose first change is at 900 ms",
        ),
        (
            early(800.0, first_changes_ms=(1400.0, None)),
            "unknown",
            "trial 1: the first visual change of one side is not known",
        ),
        (early(1500.0, first_changes_ms=(1400.0, None)), "no", FINE),
        # at the begin of a replay, after the whole video
        (early(10.0, plays=(play(), play(complete=False, ended_at=after(7.01), media_ms=10.0))), "no", FINE),
        # a first play that was cut short, but after the change
        (
            early(10.0, plays=(play(complete=False, media_ms=1500.0), play(complete=False, ended_at=after(8)))),
            "no",
            FINE,
        ),
        # and before it
        (
            early(10.0, plays=(play(complete=False, media_ms=1200.0), play(complete=False, ended_at=after(8)))),
            "yes",
            "trial 1: answered at 1.2 s of the video, whose first change is at 1.4 s",
        ),
        # how far the earlier play came is not known
        (
            early(10.0, plays=(play(complete=False, media_ms=None), play(complete=False, ended_at=after(8)))),
            "unknown",
            "trial 1: the browser did not report the position of the video at the answer",
        ),
        # who saw the whole video saw its first change, however late that is
        (
            early(10.0, first_changes_ms=(5200.0,), plays=(play(), play(complete=False, ended_at=after(8)))),
            "no",
            FINE,
        ),
        # who is said to have seen all of it at once did not
        (
            early(10.0, plays=(play(media_ms=0.0), play(complete=False, ended_at=after(8)))),
            "yes",
            "trial 1: answered at 10 ms of the video, whose first change is at 1.4 s",
        ),
        (
            early(10.0, plays=(play(media_ms=None), play(complete=False, ended_at=after(8)))),
            "unknown",
            "trial 1: the browser did not report the position of the video at the answer",
        ),
        # an older page, which lets people answer only after the end
        (trial(media_ms=None), "no", FINE),
        (
            trial(media_ms=None, plays=(play(complete=None, media_ms=None),)),
            "unknown",
            "trial 1: the browser did not report the position of the video at the answer",
        ),
    ],
)
def test_r4_wants_a_visual_change_before_the_answer(planted: Trial, broken: str, reason: str) -> None:
    found = finding("R4", person(planted))
    assert (found.broken, found.reason) == (broken, reason)


def test_the_tolerance_is_the_studys() -> None:
    tolerant = design("R4", tolerance_ms=100)
    assert finding("R4", person(early(1300.0)), tolerant).broken == "no"
    assert finding("R4", person(early(1299.9)), tolerant).broken == "yes"
