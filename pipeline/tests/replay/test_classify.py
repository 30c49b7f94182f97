"""What each request of a checked page is for, how it was answered, and where it paints."""

from typing import Any

import pytest

from eyelevel.loads.inside.observed import SeenPage
from eyelevel.replay.classify import checked_load
from eyelevel_core.comparability.visible import gates
from eyelevel_core.model.device import Viewport
from eyelevel_core.model.replay_check import CheckedLoad, CheckedRequest, Kind, Match
from eyelevel_core.model.wire import ServedRequest

PAGE = "https://a.example/"
NOWHERE = [0.0, 0.0, 0.0, 0.0]


def asked(url: str, resource_type: str = "image", **changes: Any) -> dict[str, Any]:
    return {
        "url": url, "method": "GET", "resource_type": resource_type, "status": 404, "failure": None,
        "from_cache": False, "first_url": url, "redirected": False, "frame": 0, "navigation": False,
        **changes,
    }  # fmt: skip


def element(url: str, box: list[float] | None, *, whole_px: float = 0.0) -> dict[str, Any]:
    return {"url": url, "kind": "image", "box": box, "whole_px": whole_px}


def frame(
    *elements: dict[str, Any],
    box: list[float] = NOWHERE,
    scripts: tuple[str, ...] = (),
    blocking: tuple[str, ...] = (),
    refused: tuple[str, ...] = (),
) -> dict[str, Any]:
    return {
        "url": PAGE, "box": box, "head_scripts": list(scripts), "blocking_scripts": list(blocking), "unused": [],
        "refused": list(refused), "elements": list(elements),
    }  # fmt: skip


def answered(request: dict[str, Any], kind: str = "miss") -> dict[str, Any]:
    return {
        "url": request["url"], "method": request["method"], "kind": kind, "status": 404, "body_bytes": 0,
        "matched_url": None if kind == "miss" else f"{request['url']}#recorded",
    }  # fmt: skip


def load(
    *requests: dict[str, Any],
    frames: list[dict[str, Any]] | None = None,
    kind: str = "miss",
    named: list[str] | None = None,
) -> CheckedLoad:
    wire = [answered(request, kind) for request in requests if request["status"] is not None]
    page = {"frames": frames or [frame()], "requests": list(requests), "named_scripts": named}
    return judged(page, *wire)


def judged(page: dict[str, Any], *wire: dict[str, Any]) -> CheckedLoad:
    requests = [ServedRequest.of(request) for request in wire]
    return checked_load("TCP+", 300.0, SeenPage.of(page), requests, similarity=None)


def only(*requests: dict[str, Any], frames: list[dict[str, Any]] | None = None) -> CheckedRequest:
    (found,) = load(*requests, frames=frames).requests
    return found


@pytest.mark.parametrize(
    ("resource_type", "kind"),
    [("document", Kind.DOCUMENT), ("stylesheet", Kind.STYLE_SHEET), ("script", Kind.SCRIPT), ("font", Kind.FONT),
     ("media", Kind.MEDIA), ("xhr", Kind.DATA), ("fetch", Kind.DATA), ("ping", Kind.BEACON), ("other", Kind.OTHER)],
)  # fmt: skip
def test_a_request_is_named_by_what_it_is_for(resource_type: str, kind: Kind) -> None:
    assert only(asked(PAGE, resource_type)).kind is kind


@pytest.mark.parametrize(
    ("url", "kind"),
    [("https://a.example/x.jpg?w=200", Kind.IMAGE), ("https://a.example/x.gif", Kind.IMAGE),
     ("https://a.example/x.gif?t=1", Kind.BEACON), ("https://a.example/count", Kind.BEACON)],
)  # fmt: skip
def test_an_image_that_no_element_shows_is_a_picture_or_a_beacon_by_its_path(url: str, kind: Kind) -> None:
    found = only(asked(url))
    assert (found.kind, found.boxes) == (kind, None if kind is Kind.IMAGE else ())


def test_an_image_that_an_element_shows_has_its_boxes_in_the_viewport_in_whichever_frame() -> None:
    url = "https://a.example/count?t=1"
    frames = [
        frame(element(f"{url}#icon", [5.0, 6.0, 7.0, 8.0]), element(url, NOWHERE)),
        frame(element(url, [1.0, 2.0, 3.0, 4.0])),
    ]
    found = only(asked(url), frames=frames)
    assert (found.kind, found.boxes) == (Kind.IMAGE, ((1.0, 2.0, 3.0, 4.0), (5.0, 6.0, 7.0, 8.0)))


def test_the_element_asked_for_the_url_before_its_redirects() -> None:
    frames = [frame(element("https://a.example/first", [0.0, 0.0, 9.0, 9.0]))]
    assert only(asked("https://b.example/last", first_url="https://a.example/first"), frames=frames).boxes == (
        (0.0, 0.0, 9.0, 9.0),
    )


def test_only_the_last_request_of_a_chain_of_redirects_paints() -> None:
    box = [0.0, 0.0, 900.0, 500.0]
    first, last = "https://a.example/first.jpg", "https://b.example/last.jpg"
    hop, end = asked(first, redirected=True), asked(last, first_url=first)
    found = load(hop, end, frames=[frame(element(first, box))], kind="inexact")
    assert [request.boxes for request in found.requests] == [(), (tuple(box),)]
    assert gates(found, Viewport(1000, 1000)).painted_share == 0.45
    hop, end = (asked(url, "document", frame=1, redirected=url == first) for url in (first, last))
    found = load(hop, end, frames=[frame(), frame(box=box)], kind="inexact")
    assert [request.boxes for request in found.requests] == [(), (tuple(box),)]


def test_the_box_of_a_collapsed_image_is_unknown() -> None:
    url = "https://a.example/x.jpg"
    assert only(asked(url), frames=[frame(element(url, None), element(url, [0.0, 0.0, 9.0, 9.0]))]).boxes is None


def test_frames_and_their_style_sheets_count_with_the_box_of_the_frame_and_the_pages_own_sheet_is_needed() -> None:
    shown, hidden = frame(box=[10.0, 10.0, 300.0, 250.0]), frame()
    box = (10.0, 10.0, 300.0, 250.0)
    frames = [frame(), shown, hidden]
    kinds = [asked("https://b.example/", "document", frame=number) for number in (1, 2, None)]
    found = [only(kind, frames=frames) for kind in kinds]
    assert [(request.kind, request.needed, request.boxes) for request in found] == [
        (Kind.FRAME, False, (box,)), (Kind.FRAME, False, ()), (Kind.FRAME, False, ()),
    ]  # fmt: skip
    sheets = [asked("https://b.example/a.css", "stylesheet", frame=n) for n in (0, 1, 2, None)]
    found = [only(sheet, frames=frames) for sheet in sheets]
    assert [(request.needed, request.boxes) for request in found] == [
        (True, ()),
        (False, (box,)),
        (False, ()),
        (False, ()),
    ]
    assert [request.boxes for request in load(sheets[1], frames=frames, kind="inexact").requests] == [()]
    both = load(kinds[0], kinds[1], *sheets[:3], frames=frames)
    assert both.needed == ("https://b.example/", "https://b.example/a.css")
    assert (gates(both, Viewport(1000, 1000)).absent, len(both.needed)) == ((both.requests[2],), 2)


@pytest.mark.parametrize(
    ("box", "kinds", "needed"),
    [([9.0, 9.0, 1.0, 1.0], [Kind.BEACON] * 3, 0), ([9.0, 9.0, 4.0, 4.0], [Kind.BEACON] * 3, 0),
     ([9.0, 9.0, 4.0, 5.0], [Kind.FRAME, Kind.STYLE_SHEET, Kind.IMAGE], 2)],
)  # fmt: skip
def test_a_frame_too_small_to_see_is_a_beacon_with_all_that_it_requests(
    box: list[float], kinds: list[Kind], needed: int
) -> None:
    requests = [
        asked(f"https://b.example/x.{ending}", resource_type, frame=1)
        for ending, resource_type in (("html", "document"), ("css", "stylesheet"), ("jpg", "image"))
    ]
    found = load(*requests, frames=[frame(), frame(box=box)])
    assert [request.kind for request in found.requests] == kinds
    assert len(found.needed) == needed


def test_a_script_is_needed_where_it_blocks_the_page_itself() -> None:
    url = "https://a.example/head.js"
    frames = [frame(scripts=(url,)), frame(box=[0.0, 0.0, 9.0, 9.0], scripts=(url,))]
    assert only(asked(url, "script"), frames=frames).needed
    assert only(asked("https://b.example/x.js", "script", first_url=url), frames=frames).needed
    assert not only(asked("https://a.example/late.js", "script"), frames=frames).needed
    assert not only(asked(url, "script", frame=1), frames=frames).needed


def test_a_script_that_another_script_inserts_is_needed_where_it_held_up_rendering() -> None:
    urls = [f"https://a.example/{name}.js" for name in ("named", "written", "inserted")]
    frames = [frame(scripts=tuple(urls), blocking=(urls[1],))]
    found = load(*(asked(url, "script") for url in urls), frames=frames, named=[urls[0]])
    assert [request.needed for request in found.requests] == [True, True, False]


def test_a_script_is_needed_under_the_address_that_the_browser_upgraded_or_was_led_to() -> None:
    named = "http://a.example/head.js"
    frames = [frame(scripts=(named,))]
    for url in ("https://a.example/head.js", "https://www.a.example/head.js"):
        assert load(asked(url, "script"), frames=frames, named=[named]).requests[0].needed, url
    assert not load(asked("https://b.example/head.js", "script"), frames=frames, named=[named]).requests[0].needed


def test_an_image_that_the_browser_upgraded_to_https_has_the_box_of_its_element() -> None:
    frames = [frame(element("http://a.example/x.jpg", [1.0, 2.0, 3.0, 4.0]))]
    assert only(asked("https://a.example/x.jpg"), frames=frames).boxes == ((1.0, 2.0, 3.0, 4.0),)


def test_an_image_of_a_frame_that_does_not_show_is_not_in_the_viewport() -> None:
    url = "https://b.example/x.jpg"
    frames = [frame(), frame(), frame(box=[0.0, 0.0, 9.0, 9.0])]
    found = [only(asked(url, frame=number), frames=frames).boxes for number in (0, 1, 2, None)]
    assert found == [None, (), None, None]


def test_a_style_sheet_is_needed_unless_only_other_media_use_it() -> None:
    url = "https://a.example/print.css"
    frames = [{**frame(), "unused": [url]}]
    assert not only(asked(url, "stylesheet"), frames=frames).needed
    assert not only(asked("https://b.example/x.css", "stylesheet", first_url=url), frames=frames).needed
    assert only(asked("https://a.example/screen.css", "stylesheet"), frames=frames).needed


def test_answers_are_counted_by_how_they_matched_and_exact_ones_are_not_listed() -> None:
    kinds = {"exact": (1, 0, 0, 0), "equivalent": (0, 1, 0, 0), "inexact": (0, 0, 1, 0), "miss": (0, 0, 0, 1)}
    for kind, counts in kinds.items():
        found = load(asked(PAGE, "document"), kind=kind)
        assert (found.exact, found.equivalent, found.inexact, found.missed) == counts
        assert (len(found.requests), found.needed) == (0 if kind == "exact" else 1, (PAGE,))
    assert load(asked(PAGE, "fetch"), kind="preflight").requests == ()


@pytest.mark.parametrize(
    ("failure", "failed"),
    [("net::ERR_NAME_NOT_RESOLVED", 1), ("net::ERR_ADDRESS_UNREACHABLE", 1), ("net::ERR_ABORTED", 0),
     ("net::ERR_BLOCKED_BY_ORB", 0), (None, 0)],
)  # fmt: skip
def test_a_request_without_an_answer_failed_unless_the_browser_refused_it(failure: str | None, failed: int) -> None:
    found = load(asked("https://c.example/x.jpg", status=None, failure=failure))
    assert (found.failed, [request.match for request in found.requests]) == (failed, [Match.FAILED] * failed)


def refused(
    kind: str, failure: str | None, *, status: int | None = None, recorded: int = 200, by_element: bool = False
) -> CheckedLoad:
    """A head script that a server answered, and that the browser or its element then says has failed."""
    script = asked("https://a.example/head.js", "script", status=status, failure=failure)
    urls = (script["url"],)
    frames = [frame(scripts=urls, refused=urls if by_element else ())]
    page = {"frames": frames, "requests": [script], "named_scripts": None}
    return judged(page, {**answered(script, kind), "status": recorded})


@pytest.mark.parametrize("kind", ["exact", "equivalent", "inexact"])
@pytest.mark.parametrize(
    ("failure", "status"),
    [("net::ERR_FAILED", None), ("net::ERR_BLOCKED_BY_ORB", None), ("net::ERR_CONTENT_DECODING_FAILED", 200),
     (None, 200), ("net::ERR_ABORTED", None)],
)  # fmt: skip
def test_an_answer_that_the_browser_refused_has_failed_however_it_matched(
    kind: str, failure: str | None, status: int | None
) -> None:
    found = refused(kind, failure, status=status, by_element=failure in (None, "net::ERR_ABORTED"))
    assert (found.failed, found.exact + found.equivalent + found.inexact) == (1, 0)
    assert [(request.match, request.needed, request.failure) for request in found.requests] == [
        (Match.FAILED, True, failure)
    ]
    assert not gates(found, Viewport(1000, 1000)).kept


def test_an_answer_that_the_page_cancelled_and_a_recorded_error_are_as_they_were() -> None:
    assert refused("exact", "net::ERR_ABORTED").exact == 1
    assert refused("exact", "net::ERR_BLOCKED_BY_ORB", recorded=404, by_element=True).exact == 1
    missed = refused("miss", "net::ERR_BLOCKED_BY_ORB", recorded=404, by_element=True)
    assert (missed.missed, missed.failed) == (1, 0)


def test_the_median_image_is_that_of_all_answered_images_larger_than_a_beacon() -> None:
    shown = [element(PAGE, NOWHERE, whole_px=px) for px in (1.0, 100.0, 300.0, 200.0)]
    missed = asked("https://a.example/x.jpg")
    frames = [frame(*shown[:2], element(f"{missed['url']}#a", NOWHERE, whole_px=9e9)), frame(*shown[2:])]
    assert load(missed, frames=frames).median_image_px == 200.0
    assert load(missed).median_image_px is None
