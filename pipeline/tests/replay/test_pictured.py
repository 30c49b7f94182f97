"""Missing style sheets and frames count by what they change, where a picture of the page with them is known."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from eyelevel.replay.pictured import compared, pictured
from eyelevel.replay.pictures import changed, png_of
from eyelevel_core.comparability.boxes import Box
from eyelevel_core.comparability.visible import all_gates, reason
from eyelevel_core.model.device import Viewport
from eyelevel_core.model.mask import Mask
from eyelevel_core.model.replay_check import CheckedLoad, CheckedRequest, Kind, Match, ReplayCheck
from tests.capture.test_masks import mask

VIEWPORT = Viewport(1000, 1000)
SHEET, FRAME, PICTURE = "https://a.example/a.css?t=1", "https://b.example/", "https://a.example/a.png"
FRAME_BOX: Box = (100.0, 100.0, 300.0, 250.0)


def request(url: str, kind: Kind, match: Match = Match.MISSED, **changes: Any) -> CheckedRequest:
    return replace(CheckedRequest(url, "GET", kind, match, False, (), None, 404, None), **changes)


SHEET_MISSED = request(SHEET, Kind.STYLE_SHEET, needed=True)
FRAME_FAILED = request(FRAME, Kind.FRAME, Match.FAILED, boxes=(FRAME_BOX,))


def load(*requests: CheckedRequest, stack: str = "TCP+", similarity: float | None = None) -> CheckedLoad:
    needed = tuple(sorted({"https://a.example/", SHEET, FRAME} | {seen.url for seen in requests}))
    return CheckedLoad(stack, 500.0, 9, 0, 0, len(requests), 0, 4_000.0, similarity, needed, requests)


def why(*loads: CheckedLoad) -> str | None:
    return reason(ReplayCheck("ab" * 32, "https://a.example/", VIEWPORT, 7, None, None, loads))


def test_a_missing_tooltip_sheet_that_changes_no_pixel_keeps_the_site_and_a_main_sheet_excludes_it() -> None:
    lacking = load(SHEET_MISSED)
    assert why(lacking) == f"a style sheet was missed with TCP+ ({SHEET})"
    assert why(pictured(lacking, [])) is None
    assert why(pictured(lacking, [(0.0, 0.0, 1000.0, 100.0)])) is None
    assert why(pictured(lacking, [(0.0, 0.0, 1000.0, 116.0)])) == (
        "11.6% of the viewport was missed or inexact with TCP+, above 10%"
    )


def test_a_missing_frame_and_what_it_needs_count_by_what_changes_in_the_frame() -> None:
    sheet = request("https://b.example/b.css", Kind.STYLE_SHEET, boxes=(FRAME_BOX,))
    image = request(PICTURE, Kind.IMAGE, boxes=((0.0, 0.0, 10.0, 10.0),))
    found = pictured(load(FRAME_FAILED, sheet, image), [(0.0, 0.0, 200.0, 110.0)]).requests
    assert [seen.boxes for seen in found] == [((100.0, 100.0, 100.0, 10.0),)] * 2 + [((0.0, 0.0, 10.0, 10.0),)]
    inexact = request(FRAME, Kind.FRAME, Match.INEXACT, boxes=(FRAME_BOX,))
    assert pictured(load(inexact), []).requests[0].boxes == ()


@pytest.mark.parametrize("kind", [Kind.DOCUMENT, Kind.SCRIPT])
def test_a_document_and_a_blocking_script_are_needed_whatever_the_picture_shows(kind: Kind) -> None:
    assert why(pictured(load(request(PICTURE, kind, needed=True)), [])) is not None


def test_a_style_sheet_that_applies_to_nothing_stays_without_area() -> None:
    unused = request(SHEET, Kind.STYLE_SHEET)
    assert pictured(load(unused), [(0.0, 0.0, 1000.0, 1000.0)]).requests == (unused,)


class Blocking:
    """Stands for a load with places blocked; keeps what it was asked for."""

    def __init__(self, answer: Sequence[Box] | None) -> None:
        self.answer = answer
        self.asked: list[tuple[int, Collection[str]]] = []

    def __call__(self, number: int, places: Collection[str]) -> Sequence[Box] | None:
        self.asked.append((number, sorted(places)))
        return self.answer


def test_what_one_stack_lacks_and_another_has_is_compared_with_a_load_of_that_in_which_it_is_blocked() -> None:
    lacking, having = load(SHEET_MISSED, FRAME_FAILED, stack="QUIC"), load()
    blocking = Blocking([(0.0, 0.0, 100.0, 100.0)])
    found = compared([having, lacking], blocking)
    assert blocking.asked == [(0, ["//a.example/a.css", "//b.example/"])]
    assert (why(*found), found[0]) == (None, having)
    assert [seen.boxes for seen in found[1].requests] == [((0.0, 0.0, 100.0, 100.0),), ()]


def test_what_every_stack_lacks_or_whose_comparison_fails_stays_unknown_and_a_screenshot_needs_no_other_load() -> None:
    lacking = load(SHEET_MISSED)
    blocking = Blocking(None)
    assert compared([lacking, replace(lacking, stack="QUIC")], blocking)[0] == lacking
    assert blocking.asked == []
    assert compared([lacking, load(stack="QUIC")], blocking)[0] == lacking
    assert blocking.asked == [(1, ["//a.example/a.css"])]
    with_screenshot = replace(pictured(lacking, []), similarity=1.0)
    assert compared([with_screenshot, load(stack="QUIC")], blocking) == [with_screenshot, load(stack="QUIC")]
    assert len(blocking.asked) == 1
    assert all_gates(ReplayCheck("ab" * 32, None, VIEWPORT, 7, None, None, (with_screenshot,)))[0].kept


def shown(*boxes: tuple[int, int, int, int]) -> bytes:
    """A white picture of 100 x 50 pixels with these boxes in grey."""
    picture = np.full((50, 100, 3), 255, np.uint8)
    for left, top, width, height in boxes:
        picture[top : top + height, left : left + width] = 200
    return png_of(picture)


def masked(*rows: str) -> Mask:
    return replace(mask(), viewport=Viewport(100, 50), rows=rows)


def test_what_changed_is_the_tiles_in_which_a_pixel_differs_as_few_boxes() -> None:
    assert changed(shown(), shown(), None) == ()
    assert changed(shown((4, 20, 1, 1), (40, 0, 20, 40)), shown(), None) == ((0, 16, 16, 16), (32, 0, 32, 48))
    assert changed(shown((0, 0, 100, 50)), shown(), None) == ((0, 0, 100, 50),)
    assert changed(shown((0, 0, 1, 1), (0, 16, 20, 1)), shown(), None) == ((0, 0, 16, 16), (0, 16, 32, 16))
    assert changed(shown((0, 0, 1, 1)), shown(), None, pixel_ratio=2) == ((0, 0, 8, 8),)
    assert changed(shown((0, 0, 40, 1)), shown(), masked("#......", *["......."] * 3)) == ((16, 0, 32, 16),)


def test_nothing_is_known_without_a_picture_of_the_same_size() -> None:
    assert changed(shown(), None, None) is None
    assert changed(shown(), png_of(np.zeros((10, 10, 3), np.uint8)), None) is None
