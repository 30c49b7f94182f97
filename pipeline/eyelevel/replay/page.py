"""The HTML page of a replay check: verdict, gates, pictures, and every request that was not answered exactly."""

import base64
from collections import Counter
from collections.abc import Mapping, Sequence
from xml.etree.ElementTree import Element

from eyelevel.replay.check import Checked
from eyelevel.replay.pictures import difference
from eyelevel.report.style import CSS
from eyelevel.report.table import Plain, table_element
from eyelevel.report.words import plural
from eyelevel_core.comparability.visible import LEAST_SIMILARITY, MOST_PAINTED, area_px, gates, kept_as, reason
from eyelevel_core.model.mask import Mask
from eyelevel_core.model.replay_check import CheckedLoad, CheckedRequest, Match
from eyelevel_core.model.volatile import Volatile
from eyelevel_figures.elements import html_text, tag
from eyelevel_figures.figure import Cell, FigureColumn, FigureTable

OWN_CSS = """
.shots { display: grid; gap: 16px; grid-template-columns: repeat(auto-fit, minmax(min(100%, 300px), 1fr)); }
.shots figure { margin: 0; } .shots .shot { position: relative; border: 1px solid var(--rule); }
.shots img { display: block; width: 100%; height: auto; }
.shots svg { position: absolute; inset: 0; width: 100%; height: 100%; }
.requests td:nth-child(n + 5) { overflow-wrap: anywhere; min-width: 220px; }
.requests td:nth-child(3) { white-space: nowrap; } .requests td:nth-child(4) { min-width: 130px; }
"""
UNLEARNED = (
    "Unknown: the recording has no file of volatile parameters. eyelevel capture learns them first, so its check may "
    "have another result. To learn them now, run eyelevel replay learn."
)
# colours of the boxes, by match
COLOURS: Mapping[Match, str] = {Match.MISSED: "#d02020", Match.FAILED: "#d02020", Match.INEXACT: "#c07000"}
# shown per request; a style sheet may change many
MOST_BOXES = 8
ORDER = [Match.MISSED, Match.FAILED, Match.INEXACT, Match.EQUIVALENT]


def page(name: str, checked: Checked, volatile: Volatile | None, mask: Mask | None) -> str:
    """Returns the page as HTML that includes all pictures."""
    why = reason(checked.check)
    verdict = kept_as(checked.check) if why is None else f"is excluded from comparisons for all stacks: {why}"
    body = [
        tag("header", tag("h1", f"Replay check of {name}"), tag("p", f"{name} {verdict}.", class_="lead")),
        tag(
            "main",
            tag("h2", "Gates"),
            _gates(checked),
            *(part for number in range(len(checked.check.loads)) for part in _load(checked, number, mask)),
            *_volatile(volatile),
            tag("h2", "Made by"),
            _facts(checked),
        ),
    ]
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", f"Replay check of {name}"),
        tag("style", CSS + OWN_CSS),
    )
    return html_text(tag("html", head, tag("body", body), lang="en"))


def _gates(checked: Checked) -> Element:
    viewport = checked.check.viewport
    unknown = "no screenshot" if checked.recorded is None else "another size"
    rows = [
        [
            load.stack,
            len(result.absent),
            f"{result.painted_share:.1%}",
            unknown if result.similarity is None else result.similarity,
            _passed(result.passed),
            *(getattr(load, match) for match in Match),
        ]
        for load in checked.check.loads
        for result in [gates(load, viewport)]
    ]
    heads: dict[str, int | None] = {
        "stack": None,
        "(a) needed requests without an answer": 0,
        "(b) viewport missed or inexact": 1,
        "(c) SSIM": 3,
        "passed": None,
        **{str(match): 0 for match in Match},
    }
    note = (
        "(a) The document, the synchronous scripts in its head, and the style sheets whose effect is unknown were all "
        f"answered. (b) At most {MOST_PAINTED:.0%} of the viewport shows elements of missed, failed or inexact "
        "requests, or is changed by missing style sheets. (c) The SSIM between the replay and the recorded screenshot, "
        f"outside the motion mask, is at least {LEAST_SIMILARITY}; a recording without a screenshot, or with one of "
        "another size, passes. The worst stack decides."
    )
    return _table("The three gates", heads, rows, note)


def _passed(passed: tuple[bool, bool, bool]) -> str:
    return (
        "all"
        if all(passed)
        else " ".join(f"({name})" for name, good in zip("abc", passed, strict=True) if good) or "none"
    )


def _table(
    caption: str, heads: Mapping[str, int | None], rows: Sequence[Sequence[Cell]], note: str | None = None
) -> Element:
    """A table whose `heads` have the number of digits in their column, None for text."""
    columns = [FigureColumn(head, head, digits) for head, digits in heads.items()]
    return table_element(Plain("", caption, FigureTable(columns, rows), note), linked=False)


def _load(checked: Checked, number: int, mask: Mask | None) -> list[Element]:
    load, screenshot, recorded = checked.check.loads[number], checked.screenshots[number], checked.recorded
    differs = None if recorded is None else difference(screenshot, recorded, mask)
    pictures = [
        _picture(
            screenshot,
            f"Replay over {load.stack}. Red boxes: missed or failed; brown ones: inexact.",
            _boxes(load, checked),
        ),
        *([] if recorded is None else [_picture(recorded, "As recorded.")]),
        *([] if differs is None else [_picture(differs, "Difference: red pixels differ, grey ones are masked.")]),
    ]
    without = "The recording has no screenshot to compare with." if recorded is None else None
    return [
        tag("h2", f"Replay over {load.stack}"),
        tag("div", pictures, class_="shots"),
        *(tag("p", words, class_="note") for words in (without, checked.warning) if words is not None),
        _requests(load, checked),
    ]


def _picture(png: bytes, caption: str, over: Element | None = None) -> Element:
    source = f"data:image/png;base64,{base64.b64encode(png).decode()}"
    return tag(
        "figure", tag("div", tag("img", src=source, alt=caption), over, class_="shot"), tag("figcaption", caption)
    )


def _boxes(load: CheckedLoad, checked: Checked) -> Element:
    size = checked.check.viewport
    rects = [
        tag("rect", tag("title", request.url), x=x, y=y, width=width, height=height, fill=COLOURS[request.match],
            fill_opacity=0.25, stroke=COLOURS[request.match], stroke_width=3)
        for request in load.requests
        if request.match in COLOURS
        for x, y, width, height in request.boxes or ()
    ]  # fmt: skip
    return tag("svg", rects, viewBox=f"0 0 {size.width_px} {size.height_px}", aria_hidden="true")


def _requests(load: CheckedLoad, checked: Checked) -> Element:
    total = checked.check.viewport.width_px * checked.check.viewport.height_px
    times = Counter((request.url, request.method, request.match) for request in load.requests)
    once = {(request.url, request.method, request.match): request for request in load.requests}.values()
    if not once:
        return tag("p", "Every request was answered exactly as recorded.")
    ordered = sorted(
        once,
        key=lambda request: (
            not request.needed,
            -area_px(request, load.median_image_px),
            ORDER.index(request.match),
            request.url,
        ),
    )
    rows = [
        [
            request.match,
            _share(request, load, total),
            f"{request.kind}, needed" if request.needed else request.kind,
            _box(request),
            _asked(request, times[request.url, request.method, request.match]),
            request.matched_url or request.failure or f"status {request.status or '–'}",
        ]
        for request in ordered
    ]
    heads = {"answer": None, "of viewport": 2, "kind": None, "box": None, "URL": None, "answered by": None}
    table = _table(f"{plural(len(load.requests), 'request')} not answered exactly", heads, rows)
    return tag("div", table, class_="requests")


def _asked(request: CheckedRequest, times: int) -> str:
    url = request.url if request.method == "GET" else f"{request.method} {request.url}"
    return url if times == 1 else f"{url} ({times} times)"


def _share(request: CheckedRequest, load: CheckedLoad, total: int) -> str:
    share = area_px(request, load.median_image_px) / total
    return "0" if share == 0 else f"{share:.2%}"


def _box(request: CheckedRequest) -> str:
    if request.boxes is None:
        return "unknown: counts as the median image"
    shown = [f"{width:.0f} x {height:.0f} at {x:.0f}, {y:.0f}" for x, y, width, height in request.boxes[:MOST_BOXES]]
    more = len(request.boxes) - len(shown)
    return "; ".join([*shown, *([f"{more} more"] if more else [])]) or "–"


def _volatile(volatile: Volatile | None) -> list[Element]:
    if volatile is None:
        return [tag("h2", "Volatile parameters"), tag("p", UNLEARNED)]
    callbacks = {(callback.host, callback.path, callback.parameter) for callback in volatile.callbacks}
    rows = [
        [*named, "yes" if named in callbacks else "no", parameter.why or "–"]
        for parameter in volatile.parameters
        for named in [(parameter.host, parameter.path, parameter.parameter)]
    ]
    heads = dict.fromkeys(("host", "path", "parameter", "callback", "why"))
    caption = f"{len(volatile.parameters)} parameters that matching ignores"
    return [tag("h2", "Volatile parameters"), _table(caption, heads, rows)]


def _facts(checked: Checked) -> Element:
    check = checked.check
    facts = {
        "recording": check.recording,
        "page": check.start_url or "unknown",
        "viewport": f"{check.viewport.width_px} x {check.viewport.height_px}",
        "device": check.device,
        "seed of the page": str(check.page_seed),
        "volatile parameters": check.volatile_sha256 or "none",
        "motion mask": check.mask_digest or "none",
        "median image": "; ".join(f"{load.stack} {load.median_image_px or 'none'} px²" for load in check.loads),
    }
    return tag(
        "dl",
        [part for name, value in facts.items() for part in (tag("dt", name), tag("dd", tag("code", value)))],
        class_="facts",
    )
