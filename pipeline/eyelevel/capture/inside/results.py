"""Checks the results of a page load and writes responses.json, page.har, inside.json and frames.json."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from math import inf
from pathlib import Path
from typing import Any

from eyelevel.capture.inside.alignment import clock_error_ms, zero_error_ms
from eyelevel.capture.inside.browser_metrics import browser_metrics, lcp
from eyelevel.capture.inside.exchange import finished_gets, network_changed, responses, wrong_protocols
from eyelevel.capture.inside.frames import (
    Frame,
    lost_at_a_change,
    lost_frames,
    since_navigation,
    stored,
    too_many_lost,
)
from eyelevel.capture.inside.har import har
from eyelevel.capture.inside.load import Seen
from eyelevel.capture.inside.request import Cause, VoidError


def check(seen: Seen, frames: Sequence[Frame], *, protocols: Sequence[str], frame_rate: int) -> None:
    """Raise VoidError if the load broke a rule that makes it no use."""
    if network_changed(seen.exchanges):
        raise VoidError(Cause.NETWORK_CHANGED, "Chromium gave up a request with ERR_NETWORK_CHANGED")
    wrong = wrong_protocols(seen.exchanges, protocols)
    if wrong:
        first = wrong[0]
        wanted = " or ".join(protocols)
        detail = f"{len(wrong)} responses did not come over {wanted}, such as {first.url} over {first.protocol}"
        raise VoidError(Cause.WRONG_PROTOCOL, detail)
    if seen.committed and not any(x.status is not None for x in seen.exchanges):
        raise VoidError(Cause.NAVIGATION_FAILED, "no response came")
    shown = since_navigation(frames, seen.zero_ms)
    if too_many_lost(shown, frame_rate):
        lost, most = lost_frames(shown, frame_rate), lost_at_a_change(shown, frame_rate)
        raise VoidError(Cause.FRAMES_LOST, f"{lost} lost beside {len(shown)} kept, {most} just before a change")


def write_times(folder: Path, zero_ms: float, frames: Sequence[Frame]) -> None:
    """The film's frames.json: when each frame came, and which was the last grab."""
    times = [round(frame.time_ms - zero_ms, 3) for frame in stored(frames)]
    film = {"times_ms": times, "changed": list(range(1, len(times))), "grabs": len(frames)}
    _write(folder / "frames.json", {**film, "end_ms": _end_ms(zero_ms, frames)})


def write(
    folder: Path,
    seen: Seen,
    frames: Sequence[Frame],
    *,
    script: str,
    marks: Mapping[str, float],
    frame_rate: int,
    browser_version: str,
    browser_arguments: Sequence[str],
    creator_version: str,
) -> None:
    shown = since_navigation(frames, seen.zero_ms)
    clock, bound = clock_error_ms(seen.questions) if seen.questions else (None, None)
    _write(folder / "responses.json", responses(seen.exchanges, seen.load_ms))
    until_ms = inf if seen.settled_ms is not None else _end_ms(seen.zero_ms, frames)
    largest = lcp(seen.entries)
    log = har(
        seen.exchanges,
        zero_ms=seen.zero_ms,
        title=seen.title,
        load_ms=seen.load_ms,
        content_loaded_ms=seen.entries.dcl_ms,
        browser_version=browser_version,
        creator_version=creator_version,
    )
    _write(folder / "page.har", log)
    _write(
        folder / "inside.json",
        {
            "settled_ms": seen.settled_ms,
            "load_ms": seen.load_ms,
            "given_up": seen.given_up,
            "browser": browser_metrics(seen.entries, finished_gets(seen.exchanges), until_ms=until_ms),
            "lcp_element": None if largest is None else largest.element,
            "workers": seen.workers,
            "frames": len(stored(frames)),
            "grabs": len(frames),
            "end_ms": _end_ms(seen.zero_ms, frames),
            "lost_frames": lost_frames(shown, frame_rate),
            "zero_error_ms": _rounded(zero_error_ms(shown, seen.zero_ms, seen.entries.paints_ms)),
            "clock_error_ms": _rounded(clock),
            "clock_bound_ms": _rounded(bound),
            "cpu_idle_share": seen.idle_share,
            "pressure": None if seen.pressure is None else seen.pressure.as_json(),
            "marks": {**marks, "navigation": seen.zero_ms},
            "browser_version": browser_version,
            "browser_arguments": list(browser_arguments),
            "page_script_digest": hashlib.sha256(script.encode()).hexdigest(),
        },
    )


def _end_ms(zero_ms: float, frames: Sequence[Frame]) -> float:
    return round(frames[-1].time_ms - zero_ms, 3)


def _rounded(ms: float | None) -> float | None:
    return None if ms is None else round(ms, 3)


def _write(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=None) + "\n")
