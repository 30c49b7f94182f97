"""Checks the results of a page load and writes responses.json, page.har, inside.json and frames.json."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from math import inf
from pathlib import Path

from eyelevel.loads.inside.browsing.exchange import finished_gets, network_changed, responses, wrong_protocols
from eyelevel.loads.inside.browsing.har import har
from eyelevel.loads.inside.filming.alignment import clock_error_ms, zero_error_ms
from eyelevel.loads.inside.filming.frames import End, Frame, losses, since_navigation, too_late
from eyelevel.loads.inside.load import Seen
from eyelevel.loads.inside.measuring.browser_metrics import browser_metrics, lcp
from eyelevel.loads.inside.observed import Observed
from eyelevel.loads.inside.request import Cause, VoidError
from eyelevel_core.contracts import check as check_contract
from eyelevel_core.model.film import FrameTimes


def check(seen: Seen, frames: Sequence[Frame], end: End, *, protocols: Sequence[str]) -> None:
    """Raises VoidError if the load cannot be used."""
    if network_changed(seen.exchanges):
        raise VoidError(Cause.NETWORK_CHANGED, "Chromium gave up a request with ERR_NETWORK_CHANGED")
    wrong = wrong_protocols(seen.exchanges, protocols)
    if wrong:
        first = wrong[0]
        wanted = " or ".join(protocols)
        detail = f"{len(wrong)} responses did not come over {wanted}, such as {first.url} over {first.protocol}"
        raise VoidError(Cause.WRONG_PROTOCOL, detail)
    if seen.committed and not any(x.status is not None for x in seen.exchanges):
        raise VoidError(Cause.NAVIGATION_FAILED, "there was no response")
    if frames[0].time_ms > seen.zero_ms:
        late_ms = frames[0].time_ms - seen.zero_ms
        raise VoidError(Cause.FRAMES_LOST, f"the film begins {late_ms:.0f} ms after navigation start")
    shown = since_navigation(frames, seen.zero_ms)
    lacking = losses(shown, end)
    if too_late(lacking):
        detail = f"{lacking.lost} lost beside {len(shown) - 1} recorded, one of which was {lacking.late_ms:.0f} ms late"
        raise VoidError(Cause.FRAMES_LOST, detail)


def write_times(folder: Path, zero_ms: float, frames: Sequence[Frame], end: End) -> None:
    """Writes the film's frames.json: the times of its frames, its end, and the recorder's counts."""
    lacking = losses(frames, end)
    film = FrameTimes(
        times_ms=tuple(round(frame.time_ms - zero_ms, 3) for frame in frames),
        end_ms=_end_ms(zero_ms, end),
        merged=end.merged,
        equal=end.equal,
        lost=lacking.lost,
        unquiet=lacking.unquiet,
        late_ms=round(lacking.late_ms, 3),
    )
    check_contract(film.as_json(), "frames.1", source="frames.json")
    _write(folder / "frames.json", film.as_json())


def write(
    folder: Path,
    seen: Seen,
    frames: Sequence[Frame],
    end: End,
    *,
    script: str,
    marks: Mapping[str, float],
    browser_version: str,
    browser_arguments: Sequence[str],
    creator_version: str,
) -> None:
    """Writes responses.json, page.har and inside.json, and page.json with a screenshot if requested."""
    shown = since_navigation(frames, seen.zero_ms)
    lacking = losses(shown, end)
    clock, bound = clock_error_ms(seen.questions) if seen.questions else (None, None)
    _write(folder / "responses.json", [response.as_json() for response in responses(seen.exchanges, seen.load_ms)])
    until_ms = inf if seen.settled_ms is not None else seen.end_ms
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
    if seen.look is not None:
        _write(folder / "page.json", seen.look.page.as_json())
        (folder / "screenshot.png").write_bytes(seen.look.screenshot)
    observed = Observed(
        settled_ms=seen.settled_ms,
        load_ms=seen.load_ms,
        given_up=seen.given_up,
        browser=browser_metrics(seen.entries, finished_gets(seen.exchanges), until_ms=until_ms),
        lcp_element=None if largest is None else largest.element,
        workers=seen.workers,
        frames=len(frames),
        end_ms=_end_ms(seen.zero_ms, end),
        lost_changes=lacking.lost,
        late_ms=round(lacking.late_ms, 3),
        unquiet_frames=lacking.unquiet,
        zero_error_ms=_rounded(zero_error_ms(shown, seen.zero_ms, seen.entries.paints_ms)),
        clock_error_ms=_rounded(clock),
        clock_bound_ms=_rounded(bound),
        cpu_idle_share=seen.idle_share,
        pressure=seen.pressure,
        marks={**marks, "navigation": seen.zero_ms},
        browser_version=browser_version,
        browser_arguments=tuple(browser_arguments),
        page_script_digest=hashlib.sha256(script.encode()).hexdigest(),
    )
    _write(folder / "inside.json", observed.as_json())


def _end_ms(zero_ms: float, end: End) -> float:
    return round(end.time_ms - zero_ms, 3)


def _rounded(ms: float | None) -> float | None:
    return None if ms is None else round(ms, 3)


def _write(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=None) + "\n")
