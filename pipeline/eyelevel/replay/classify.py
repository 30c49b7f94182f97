"""Classifies each request of a loaded page: its kind, how it was answered, and where it paints. Pure.

`page` is what the worker observed of the page, `requests` are those of the wire report.
"""

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from statistics import median
from urllib.parse import urlsplit

from eyelevel.loads.inside.observed import Document, PageRequest, SeenPage
from eyelevel_core.comparability.addresses import address
from eyelevel_core.comparability.boxes import Box
from eyelevel_core.comparability.content import joined
from eyelevel_core.comparability.unserved import CANCELLED, NOT_ASKED
from eyelevel_core.comparability.visible import ABSENT
from eyelevel_core.model.replay_check import CheckedLoad, CheckedRequest, Kind, Match
from eyelevel_core.model.wire import ServedRequest

KINDS = {
    "stylesheet": Kind.STYLE_SHEET,
    "script": Kind.SCRIPT,
    "font": Kind.FONT,
    "image": Kind.IMAGE,
    "media": Kind.MEDIA,
    **dict.fromkeys(("xhr", "fetch", "eventsource", "websocket", "manifest", "texttrack"), Kind.DATA),
    **dict.fromkeys(("ping", "beacon", "cspviolationreport"), Kind.BEACON),
}
ANSWERED = frozenset({Match.EXACT, Match.EQUIVALENT, Match.INEXACT})
MATCHES = {"exact": Match.EXACT, "equivalent": Match.EQUIVALENT, "inexact": Match.INEXACT, "miss": Match.MISSED}
# error statuses, whose bodies do not change the page whether it accepts them or not
FIRST_ERROR = 400
# whether an image that no element shows is a picture or a beacon depends on its path: trackers are GIFs with a query,
# or have no extension
PICTURE = re.compile(r"\.(jpe?g|png|webp|avif|svg|bmp)$", re.IGNORECASE)
GIF = re.compile(r"\.gif$", re.IGNORECASE)
# an image up to this size is a beacon in the document, and not counted in the median; in square pixels
TINY_PX = 4.0
# a frame with sides up to this length is a beacon, with all its requests; in pixels
TINY_SIDE_PX = 4.0


def checked_load(
    stack: str,
    load_ms: float | None,
    page: SeenPage,
    requests: Iterable[ServedRequest],
    *,
    similarity: float | None,
) -> CheckedLoad:
    """Returns the facts of one load; answers from the browser's cache and CORS preflights are not counted.

    A request that was redirected paints nothing: its element shows the answer to the last request of the chain.
    """
    elements = _elements(page.frames)
    answers = {id(asked): answer for asked, answer in joined(page.requests, requests)}
    named = None if page.named_scripts is None else {address(url) for url in page.named_scripts}
    covered = {id(asked) for asked in page.requests if _is_covered(asked, page.frames, named)}
    checked = [
        (asked, _checked(asked, answers.get(id(asked)), page.frames, elements, covered=id(asked) in covered))
        for asked in page.requests
    ]
    known = [request for _, request in checked if request is not None]
    counts = {match: sum(request.match is match for request in known) for match in Match}
    return CheckedLoad(
        stack=stack,
        load_ms=load_ms,
        exact=counts[Match.EXACT],
        equivalent=counts[Match.EQUIVALENT],
        inexact=counts[Match.INEXACT],
        missed=counts[Match.MISSED],
        failed=counts[Match.FAILED],
        median_image_px=_median_image_px(
            page.frames, {address(request.url) for request in known if request.match in ABSENT}
        ),
        similarity=similarity,
        needed=tuple(
            sorted({request.url for asked, request in checked if request is not None and id(asked) in covered})
        ),
        requests=tuple(request for request in known if request.match is not Match.EXACT),
    )


def _checked(
    asked: PageRequest,
    answer: ServedRequest | None,
    frames: Sequence[Document],
    elements: Mapping[str, Sequence[Box | None]],
    *,
    covered: bool,
) -> CheckedRequest | None:
    frame = _frame_of(asked, frames)
    match = _match(asked, answer, frame)
    if match is None:
        return None
    shown = [box for place in _addresses(asked) for box in elements.get(place, ())]
    kind = Kind.BEACON if _is_tracking(asked, frame) else _kind(asked, shows=bool(shown))
    # a style sheet of a frame changes only that frame
    within = kind is Kind.FRAME or (kind is Kind.STYLE_SHEET and covered and asked.frame != 0)
    paints = not asked.redirected and (kind is not Kind.STYLE_SHEET or (within and match in ABSENT))
    return CheckedRequest(
        url=asked.url,
        method=asked.method,
        kind=kind,
        match=match,
        needed=covered and not within,
        boxes=_boxes(kind, shown, frame, is_out_of_view=_is_out_of_view(asked, frame)) if paints else (),
        matched_url=None if answer is None else answer.matched_url,
        status=asked.status,
        failure=asked.failure,
    )


def _match(asked: PageRequest, answer: ServedRequest | None, frame: Document | None) -> Match | None:
    """How it was answered; None for a preflight, and for a request that was never sent.

    An answer that the browser received and refused (CORS, ORB, nosniff, integrity, a broken encoding) counts as failed,
    however it matched.
    """
    failure = asked.failure or ""
    failed = failure.startswith("net::") and not asked.from_cache
    if answer is None:
        return Match.FAILED if failed and not failure.startswith(NOT_ASKED) else None
    match = MATCHES.get(answer.kind)
    refused = (failed and failure != CANCELLED) or (frame is not None and _is_in(asked, frame.refused))
    arrived = answer.status is not None and answer.status < FIRST_ERROR
    return Match.FAILED if refused and match in ANSWERED and arrived else match


def _kind(asked: PageRequest, *, shows: bool) -> Kind:
    if asked.resource_type == "document":
        return Kind.DOCUMENT if asked.frame == 0 else Kind.FRAME
    kind = KINDS.get(asked.resource_type, Kind.OTHER)
    if kind is Kind.IMAGE and not shows and not _is_picture(asked.first_url):
        return Kind.BEACON
    return kind


def _is_tracking(asked: PageRequest, frame: Document | None) -> bool:
    """Whether it is in a frame too small to see; a frame outside the viewport may be large, and does not count."""
    return asked.frame != 0 and frame is not None and 0 < max(frame.box[2:]) <= TINY_SIDE_PX


def _is_out_of_view(asked: PageRequest, frame: Document | None) -> bool:
    return asked.frame != 0 and frame is not None and _area(frame.box) == 0


def _is_picture(url: str) -> bool:
    parts = urlsplit(url)
    return bool(PICTURE.search(parts.path) or (GIF.search(parts.path) and not parts.query))


def _is_covered(asked: PageRequest, frames: Sequence[Document], named: Set[str] | None) -> bool:
    """Whether the page needs the request: the page, its visible frames, their style sheets, blocking head scripts.

    A style sheet that the page does not use, such as one for print or an alternate one, is not needed. `named` has the
    addresses of scripts in the markup (None: unknown). Another script inserted a head script that is not among them; it
    is needed only if the browser reports that it blocked rendering, as a script of document.write does.
    """
    frame = _frame_of(asked, frames)
    kind = Kind.BEACON if _is_tracking(asked, frame) else _kind(asked, shows=False)
    if kind is Kind.DOCUMENT:
        return True
    page_itself = asked.frame == 0
    visible = page_itself or (frame is not None and _area(frame.box) > 0)
    if kind is Kind.STYLE_SHEET and frame is not None and _is_in(asked, frame.unused):
        return False
    if kind in (Kind.FRAME, Kind.STYLE_SHEET):
        return visible
    if kind is not Kind.SCRIPT or not page_itself or frame is None:
        return False
    in_markup = named is None or not named.isdisjoint(_addresses(asked))
    return _is_in(asked, frame.blocking_scripts) or (in_markup and _is_in(asked, frame.head_scripts))


def _frame_of(asked: PageRequest, frames: Sequence[Document]) -> Document | None:
    return None if asked.frame is None else frames[asked.frame]


def _is_in(asked: PageRequest, urls: Iterable[str]) -> bool:
    return not _addresses(asked).isdisjoint(map(address, urls))


def _addresses(asked: PageRequest) -> set[str]:
    """The addresses of the request, and of the request that was redirected to it."""
    return {address(asked.url), address(asked.first_url)}


def _boxes(
    kind: Kind, shown: Sequence[Box | None], frame: Document | None, *, is_out_of_view: bool
) -> tuple[Box, ...] | None:
    """Where it paints in the viewport; None if that is unknown: no element shows the image, or one has collapsed.

    A frame without an area in the viewport (below it, or not displayed) shows no image there.
    """
    if kind in (Kind.FRAME, Kind.STYLE_SHEET):
        return () if frame is None else _with_area([frame.box])
    if kind is Kind.IMAGE and not shown:
        return () if is_out_of_view else None
    if kind in (Kind.IMAGE, Kind.MEDIA):
        known = [box for box in shown if box is not None]
        return _with_area(known) if len(known) == len(shown) else None
    return ()


def _with_area(boxes: Iterable[Box]) -> tuple[Box, ...]:
    return tuple(sorted(box for box in boxes if _area(box) > 0))


def _area(box: Sequence[float]) -> float:
    return box[2] * box[3]


def _elements(frames: Iterable[Document]) -> Mapping[str, list[Box | None]]:
    """The boxes of the elements that show each URL."""
    boxes: dict[str, list[Box | None]] = {}
    for frame in frames:
        for element in frame.elements:
            boxes.setdefault(address(element.url), []).append(element.box)
    return boxes


def _median_image_px(frames: Iterable[Document], absent: Set[str]) -> float | None:
    """The median over all elements with an image, also as a background, whose image was answered."""
    shown = [element for frame in frames for element in frame.elements if element.kind == "image"]
    areas = [element.whole_px for element in shown if address(element.url) not in absent]
    pictures = [area for area in areas if area > TINY_PX]
    return round(median(pictures), 2) if pictures else None
