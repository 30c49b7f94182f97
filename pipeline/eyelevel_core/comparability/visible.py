"""Visible fidelity: three gates on a replay check, all of which a site must pass over every stack. Pure.

Rule M7 (issue 15), fixed before it was tried on further pages. Invisible requests, such as beacons, exclude nothing.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from eyelevel_core.comparability.addresses import address, place
from eyelevel_core.comparability.boxes import Box, union_px
from eyelevel_core.model.device import Viewport
from eyelevel_core.model.replay_check import CheckedLoad, CheckedRequest, Kind, Match, ReplayCheck

# gate (b): the largest share of the viewport that elements of missed, failed and inexact requests may cover (M7)
MOST_PAINTED = 0.10
# gate (c): the least SSIM outside the motion mask (M7)
LEAST_SIMILARITY = 0.95
# the size that HTML gives a replaced element of unknown size, for a page that shows no image to take a median of
# (HTML Standard, 15.4.3, and CSS 2.2, 10.3.2: 300 x 150)
IMAGE_OF_UNKNOWN_SIZE_PX = 300.0 * 150.0
# the kinds that have an area; that of a style sheet is what it changes, where a picture shows it
PAINTING = frozenset({Kind.IMAGE, Kind.MEDIA, Kind.FRAME, Kind.STYLE_SHEET})
ABSENT = frozenset({Match.MISSED, Match.FAILED})
OTHERWISE = ABSENT | {Match.INEXACT}


@dataclass(frozen=True)
class Gates:
    """The gates of one load. `painted_share` is a share of the viewport, 0 to 1.

    `similarity` is None where the recording holds no screenshot; gate (c) then passes.
    """

    stack: str
    absent: tuple[CheckedRequest, ...]
    painted_share: float
    similarity: float | None

    @property
    def passed(self) -> tuple[bool, bool, bool]:
        """Gates (a), (b) and (c)."""
        similar = self.similarity is None or self.similarity >= LEAST_SIMILARITY
        return not self.absent, self.painted_share <= MOST_PAINTED, similar

    @property
    def kept(self) -> bool:
        return all(self.passed)


def gates(load: CheckedLoad, viewport: Viewport) -> Gates:
    absent = tuple(request for request in load.requests if request.needed and request.match in ABSENT)
    share = _painted_px(load) / (viewport.width_px * viewport.height_px)
    return Gates(load.stack, absent, min(1.0, share), load.similarity)


def area_px(request: CheckedRequest, median_image_px: float | None) -> float:
    """Returns the area in the viewport, in square pixels, that this request's answer changed or left empty.

    A request of a painting kind that no element is known to show counts as the page's median image.
    """
    if not _paints_otherwise(request):
        return 0.0
    return _unknown_px(median_image_px) if request.boxes is None else union_px(request.boxes)


def _paints_otherwise(request: CheckedRequest) -> bool:
    return request.kind in PAINTING and request.match in OTHERWISE


def _unknown_px(median_image_px: float | None) -> float:
    return IMAGE_OF_UNKNOWN_SIZE_PX if median_image_px is None else median_image_px


def all_gates(check: ReplayCheck) -> list[Gates]:
    """Returns the gates of each load of a check, in its order."""
    return [gates(load, check.viewport) for load in check.loads]


def reason(check: ReplayCheck) -> str | None:
    """Returns why the site is excluded for all stacks, as the end of a sentence; None if it passes over every stack.

    Other reasons than the gates: the page could not be checked, or its load event never fired, so that no take settles.
    """
    if check.failure is not None:
        return check.failure
    gates = all_gates(check)
    words = [*_unloaded(check), *_absent(gates), *_painted(gates), *_dissimilar(gates)]
    return "; ".join(words) if words else None


def kept_as(check: ReplayCheck) -> str:
    """Returns the result of a check that keeps its site, as the rest of a sentence.

    If no picture was compared, it has the number of unanswered requests for data, scripts and fonts, which the gates do
    not cover.
    """
    if all(load.similarity is not None for load in check.loads):
        return "passes all gates: in the replay, a viewer misses nothing that matters"
    lost = max(len({request.url for request in load.requests if _may_matter(request)}) for load in check.loads)
    words = f"{lost} requests for data, scripts or fonts" if lost != 1 else "1 request for data, a script or a font"
    return (
        "passes gates (a) and (b); its picture was not compared with the recorded page, so look at it"
        f"{f' ({words} got no answer)' if lost else ''}"
    )


def _may_matter(request: CheckedRequest) -> bool:
    return request.match in ABSENT and request.kind in (Kind.DATA, Kind.SCRIPT, Kind.FONT)


def against(check: ReplayCheck) -> list[str]:
    """Lists the URLs that count against the site, over the stack with most: needed ones first, then by area.

    An area that several URLs cover counts for each of them.
    """
    if not check.loads:
        return []
    load = max(
        check.loads, key=lambda candidate: (len(gates(candidate, check.viewport).absent), _painted_px(candidate))
    )
    total = check.viewport.width_px * check.viewport.height_px
    by_url: dict[str, tuple[bool, float, str]] = {}
    for request in load.requests:
        absent, px = request.needed and request.match in ABSENT, area_px(request, load.median_image_px)
        if absent or px > 0:
            part = "which the page needs" if absent else f"{px / total:.1%} of the viewport"
            by_url[request.url] = (not absent, -px, f"{request.match} {request.kind}, {part}: {request.url}")
    return [line for *_, line in sorted(by_url.values())]


def _painted_px(load: CheckedLoad) -> float:
    """The area of the union of all boxes, plus the median image for each request without a box."""
    boxes: set[Box] = set()
    unknown: set[str] = set()
    for request in filter(_paints_otherwise, load.requests):
        if request.boxes is None:
            unknown.add(address(request.url))
        else:
            boxes.update(request.boxes)
    return union_px(sorted(boxes)) + len(unknown) * _unknown_px(load.median_image_px)


def missed_beyond(check: ReplayCheck, missed: Iterable[tuple[str, str]]) -> list[str]:
    """Returns the URLs, sorted, that the page needs and that this take missed, but no load of the check.

    `missed` has the resource type, as the browser names it, and the URL of the take's missed requests. URLs are
    compared without their queries, which may contain a time or a random number, and without scheme and `www.`. A check
    without loads had nothing.
    """
    if not check.loads:
        return []
    known = {place(request.url) for load in check.loads for request in load.requests if request.match in ABSENT}
    needed = {place(url) for load in check.loads for url in load.needed}
    covered = {url for kind, url in missed if kind == "stylesheet" or place(url) in needed}
    return sorted(url for url in covered if place(url) not in known)


def _unloaded(check: ReplayCheck) -> Iterable[str]:
    stack = next((load.stack for load in check.loads if load.load_ms is None), None)
    if stack is not None:
        yield f"its load event did not fire with {stack}"


def _absent(gates: Sequence[Gates]) -> Iterable[str]:
    worst = max(gates, key=lambda of_stack: len(of_stack.absent))
    if worst.absent:
        first = worst.absent[0]
        more = f" and {len(worst.absent) - 1} more that the page needs" if len(worst.absent) > 1 else ""
        yield f"a {first.kind} was {first.match} with {worst.stack} ({first.url}){more}"


def _painted(gates: Sequence[Gates]) -> Iterable[str]:
    worst = max(gates, key=lambda of_stack: of_stack.painted_share)
    if worst.painted_share > MOST_PAINTED:
        share = _above(worst.painted_share, MOST_PAINTED)
        yield f"{share} of the viewport was missed or inexact with {worst.stack}, above {MOST_PAINTED:.0%}"


def _dissimilar(gates: Sequence[Gates]) -> Iterable[str]:
    known = {of_stack.stack: of_stack.similarity for of_stack in gates if of_stack.similarity is not None}
    worst = min(known, key=lambda stack: known[stack], default=None)
    if worst is not None and known[worst] < LEAST_SIMILARITY:
        yield (
            f"the page differs from the recorded screenshot with {worst} (SSIM "
            f"{_below(known[worst], LEAST_SIMILARITY)}, below {LEAST_SIMILARITY})"
        )


def _above(share: float, bound: float) -> str:
    """The share with enough digits to differ from the bound: one at least, nine at most."""
    digits = next((n for n in range(1, 9) if f"{share:.{n}%}" != f"{bound:.{n}%}"), 9)
    return f"{share:.{digits}%}"


def _below(value: float, bound: float) -> str:
    """The value with enough digits to differ from the bound: three at least, nine at most."""
    digits = next((n for n in range(3, 9) if f"{value:.{n}f}" != f"{bound:.{n}f}"), 9)
    return f"{value:.{digits}f}"
