"""The three gates of visible fidelity (M7), with values at and beside their bounds."""

from dataclasses import replace
from typing import Any

import pytest

from eyelevel_core.comparability.visible import (
    IMAGE_OF_UNKNOWN_SIZE_PX,
    against,
    all_gates,
    area_px,
    gates,
    kept_as,
    missed_beyond,
    reason,
)
from eyelevel_core.contracts import check as keep
from eyelevel_core.model.device import Viewport
from eyelevel_core.model.replay_check import CheckedLoad, CheckedRequest, Kind, Match, ReplayCheck

VIEWPORT = Viewport(1000, 1000)
SHEET = "https://a.example/a.css"


def request(kind: Kind = Kind.IMAGE, match: Match = Match.MISSED, **changes: Any) -> CheckedRequest:
    value = CheckedRequest("https://a.example/x", "GET", kind, match, False, (), None, 404, None)
    return replace(value, **changes)


def load(*requests: CheckedRequest, **changes: Any) -> CheckedLoad:
    value = CheckedLoad("TCP+", 500.0, 9, 0, 0, len(requests), 0, 4_000.0, None, (), requests)
    return replace(value, **changes)


def check(*loads: CheckedLoad, failure: str | None = None) -> ReplayCheck:
    return ReplayCheck("ab" * 32, "https://a.example/", VIEWPORT, 7, None, None, loads, failure)


def test_a_page_of_which_nothing_visible_is_missing_passes_all_gates() -> None:
    found = gates(load(request(Kind.SCRIPT), request(Kind.FONT), request(Kind.DATA)), VIEWPORT)
    assert (found.passed, found.painted_share, found.similarity) == ((True, True, True), 0.0, None)
    keep(check(load(request(boxes=((1.0, 2.0, 3.0, 4.0),)))).as_json(), "replay-check.1", source="check.json")


def test_a_page_whose_load_event_never_fired_is_excluded() -> None:
    checked = check(load(), load(stack="QUIC", load_ms=None))
    assert reason(checked) == "its load event did not fire with QUIC"


def test_a_page_that_could_not_be_judged_is_excluded_for_that_reason_and_lists_nothing() -> None:
    checked = check(failure="load 1 of the probe of a was void 4 times")
    assert reason(checked) == "load 1 of the probe of a was void 4 times"
    assert (all_gates(checked), against(checked), missed_beyond(checked, [("stylesheet", SHEET)])) == ([], [], [])
    keep(checked.as_json(), "replay-check.1", source="check.json")
    assert ReplayCheck.of(checked.as_json()) == checked


@pytest.mark.parametrize("match", [Match.MISSED, Match.FAILED])
@pytest.mark.parametrize("kind", [Kind.DOCUMENT, Kind.FRAME, Kind.STYLE_SHEET, Kind.SCRIPT])
def test_a_needed_request_without_an_answer_fails_gate_a(kind: Kind, match: Match) -> None:
    checked = check(load(request(kind, match, needed=True, url=SHEET)))
    assert all_gates(checked)[0].passed == (False, True, True)
    assert reason(checked) == f"a {kind} was {match} with TCP+ ({SHEET})"


@pytest.mark.parametrize("match", [Match.INEXACT, Match.EQUIVALENT])
def test_a_needed_request_with_an_inexact_or_equivalent_answer_passes_gate_a(match: Match) -> None:
    assert reason(check(load(request(Kind.STYLE_SHEET, match, needed=True)))) is None


def test_a_tenth_of_the_viewport_still_passes_gate_b() -> None:
    boxes = ((0.0, 0.0, 500.0, 100.0), (500.0, 0.0, 500.0, 60.0))
    other = request(match=Match.INEXACT, boxes=((0.0, 100.0, 100.0, 200.0),), url="https://a.example/y")
    at = load(request(boxes=boxes), other)
    assert (gates(at, VIEWPORT).painted_share, reason(check(at))) == (0.1, None)
    above = load(*at.requests, request(boxes=((999.0, 999.0, 1.0, 1.0),), url="https://a.example/z"))
    assert reason(check(above)) == "10.0001% of the viewport was missed or inexact with TCP+, above 10%"


def test_a_missing_style_sheet_counts_with_what_it_changes_and_one_of_which_that_is_unknown_is_needed() -> None:
    tooltip = request(Kind.STYLE_SHEET, boxes=((0.0, 0.0, 1000.0, 100.0),), url=SHEET)
    frame = request(Kind.FRAME, boxes=((0.0, 90.0, 100.0, 10.0),), url="https://b.example/")
    assert reason(check(load(tooltip, frame))) is None
    main = replace(tooltip, boxes=((0.0, 0.0, 1000.0, 500.0),))
    assert reason(check(load(main, frame))) == "50.0% of the viewport was missed or inexact with TCP+, above 10%"
    assert against(check(load(main))) == [f"missed style sheet, 50.0% of the viewport: {SHEET}"]
    unknown = replace(tooltip, needed=True, boxes=())
    assert against(check(load(unknown))) == [f"missed style sheet, which the page needs: {SHEET}"]


def test_an_image_that_is_requested_twice_counts_once() -> None:
    image = request(boxes=((0.0, 0.0, 100.0, 200.0),))
    assert gates(load(image, image), VIEWPORT).painted_share == 0.02
    unknown = [request(boxes=None, url=url) for url in ("http://a.example/x", "https://a.example/x")]
    assert gates(load(*unknown), VIEWPORT).painted_share == 0.004


def test_a_frame_within_a_frame_and_images_upon_each_other_count_once() -> None:
    outer = request(Kind.FRAME, boxes=((0.0, 0.0, 300.0, 250.0),))
    inner = request(Kind.FRAME, Match.INEXACT, boxes=((10.0, 10.0, 280.0, 230.0),), url="https://b.example/")
    image = request(boxes=((200.0, 0.0, 200.0, 250.0),), url="https://c.example/x.jpg")
    assert gates(load(outer, inner, image), VIEWPORT).painted_share == 0.1


def test_no_more_than_the_whole_viewport_is_missing() -> None:
    unknown = [request(boxes=None, url=f"https://a.example/{number}.jpg") for number in range(300)]
    assert gates(load(*unknown), VIEWPORT).painted_share == 1.0


def test_what_speaks_against_a_site_is_listed_once_per_url_the_needed_first() -> None:
    small = request(match=Match.INEXACT, boxes=((0.0, 0.0, 100.0, 100.0),), url="https://a.example/y")
    large = request(boxes=((0.0, 0.0, 400.0, 300.0),))
    sheet = request(Kind.STYLE_SHEET, needed=True, url=SHEET)
    unseen = request(Kind.BEACON, boxes=None, url="https://a.example/b")
    assert against(check(load(small, large, large, unseen, sheet))) == [
        f"missed style sheet, which the page needs: {SHEET}",
        "missed image, 12.0% of the viewport: https://a.example/x",
        "inexact image, 1.0% of the viewport: https://a.example/y",
    ]


def test_an_image_without_a_box_counts_as_the_median_image_of_the_page() -> None:
    assert area_px(request(boxes=None), 4_000.0) == 4_000.0
    assert area_px(request(boxes=None), None) == IMAGE_OF_UNKNOWN_SIZE_PX
    assert area_px(request(boxes=()), 4_000.0) == 0.0


def test_what_paints_nothing_and_what_is_equivalent_has_no_area() -> None:
    box = ((0.0, 0.0, 1_000.0, 1_000.0),)
    painting = (Kind.IMAGE, Kind.MEDIA, Kind.FRAME, Kind.STYLE_SHEET)
    unseen = [request(kind, boxes=None) for kind in Kind if kind not in painting]
    assert sum(area_px(entry, 4_000.0) for entry in [*unseen, request(match=Match.EQUIVALENT, boxes=box)]) == 0.0


def test_fifty_missing_beacons_exclude_nothing() -> None:
    assert reason(check(load(*[request(Kind.BEACON, boxes=None)] * 50))) is None


def test_a_page_at_the_bound_of_similarity_passes_gate_c_and_one_below_fails() -> None:
    assert reason(check(load(similarity=0.95))) is None
    assert reason(check(load(similarity=0.9499))) == (
        "the page differs from the recorded screenshot with TCP+ (SSIM 0.9499, below 0.95)"
    )


def test_a_site_that_is_kept_is_said_to_miss_nothing_only_where_its_picture_was_compared() -> None:
    lost = [request(kind, url=f"https://a.example/{kind}") for kind in (Kind.DATA, Kind.SCRIPT, Kind.FONT, Kind.BEACON)]
    inexact = request(Kind.DATA, Match.INEXACT)
    seen = check(load(*lost, similarity=0.99), load(similarity=0.98))
    assert kept_as(seen) == "passes all gates: in the replay, a viewer misses nothing that matters"
    unseen = "passes gates (a) and (b); its picture was not compared with the recorded page, so look at it"
    assert kept_as(check(load(inexact))) == unseen
    many = check(load(lost[0], lost[0]), load(*lost, lost[0], stack="QUIC"))
    assert kept_as(many) == f"{unseen} (3 requests for data, scripts or fonts got no answer)"
    assert kept_as(check(load(lost[0]))) == f"{unseen} (1 request for data, a script or a font got no answer)"


def test_the_worst_stack_decides_for_each_gate() -> None:
    lost = request(Kind.STYLE_SHEET, needed=True, url=SHEET)
    checked = check(load(similarity=0.9), load(lost, lost, stack="QUIC"))
    assert [found.kept for found in all_gates(checked)] == [False, False]
    assert reason(checked) == (
        f"a style sheet was missed with QUIC ({SHEET}) and 1 more that the page needs; "
        "the page differs from the recorded screenshot with TCP+ (SSIM 0.900, below 0.95)"
    )


def test_a_take_that_missed_what_gate_a_covers_and_the_check_had_is_named() -> None:
    script, frame = "https://a.example/head.js", "https://a.example/frame?r=1"
    known = request(Kind.FRAME, url=frame, needed=True)
    checked = check(load(known, needed=(script, frame)))
    missed = [
        ("script", f"{script}?t=2"),
        ("document", "https://a.example/frame?r=2"),
        ("script", "https://a.example/late.js"),
        ("image", "https://a.example/b.png"),
        ("stylesheet", "https://b.example/late.css"),
    ]
    assert missed_beyond(checked, [("script", "http://www.a.example/head.js")]) == ["http://www.a.example/head.js"]
    assert missed_beyond(checked, missed) == [f"{script}?t=2", "https://b.example/late.css"]
