"""What the browser measured, from planted performance entries."""

from dataclasses import replace
from math import inf

import pytest

from eyelevel.loads.inside.measuring.browser_metrics import (
    Answer,
    Candidate,
    Entries,
    Kept,
    browser_metrics,
    cls,
    cls_sum,
    entries_of,
    lcp,
    tbt_ms,
    tti_ms,
    until,
    with_renderings,
)

ZERO_MS = 1_700_000_000_000.0
ANSWER: Answer = {
    "origin": ZERO_MS,
    "title": "garden",
    "loadEventStart": 900.0,
    "domContentLoadedEventStart": 400.0,
    "domContentLoadedEventEnd": 420.0,
    "firstPaint": 180.0,
    "firstContentfulPaint": 200.0,
    "kept": {
        "candidates": [
            {"start": 200.0, "size_px": 900, "selector": "h1", "url": None},
            {"start": 800.0, "size_px": 90_000, "selector": "img#hero.wide", "url": "https://garden.example/hero.jpg"},
        ],
        "shifts": [(300.0, 0.1)],
        "long_tasks": [(500.0, 150.0)],
        "renderings": [(540.0, 108.0), (700.0, 50.0)],
        "first_input": None,
    },
}
NOTHING: Kept = {"candidates": [], "shifts": [], "long_tasks": [], "renderings": [], "first_input": None}


def measured(answer: Answer, *, until_ms: float = inf, zero_ms: float = ZERO_MS) -> dict[str, float | None]:
    return browser_metrics(entries_of(answer, zero_ms=zero_ms), [], until_ms=until_ms)


def test_all_metrics_of_a_load() -> None:
    assert measured(ANSWER) == {
        "fcp_ms": 200.0, "lcp_ms": 800.0, "cls": 0.1, "cls_sum": 0.1, "tbt_ms": 100.0, "tti_ms": 650.0,
        "dcl_ms": 400.0, "ttfb_ms": None,
    }  # fmt: skip


def test_nothing_counts_that_the_browser_measured_after_the_end() -> None:
    """The largest picture comes then, a layout shift, and the second half of a long task."""
    entries = entries_of(ANSWER, zero_ms=ZERO_MS)
    found = until(replace(entries, shifts=[(300.0, 0.1), (620.0, 0.4)]), 600.0)
    assert (found.load_ms, found.fcp_ms, found.long_tasks) == (None, 200.0, [(500.0, 600.0)])
    assert browser_metrics(found, [], until_ms=inf) == {
        "fcp_ms": 200.0, "lcp_ms": 200.0, "cls": 0.1, "cls_sum": 0.1, "tbt_ms": 50.0, "tti_ms": 600.0,
        "dcl_ms": 400.0, "ttfb_ms": None,
    }  # fmt: skip
    assert until(entries, 900.0) == entries
    assert until(Entries(), 900.0) == Entries()


def test_a_document_that_another_one_sent_the_page_to_counts_from_the_first_ones_zero() -> None:
    entries = entries_of(ANSWER, zero_ms=ZERO_MS - 1000)
    assert browser_metrics(entries, [], until_ms=inf) == {
        "fcp_ms": 1200.0, "lcp_ms": 1800.0, "cls": 0.1, "cls_sum": 0.1, "tbt_ms": 100.0, "tti_ms": 1650.0,
        "dcl_ms": 1400.0, "ttfb_ms": None,
    }  # fmt: skip
    assert entries.load_ms == 1900.0
    # the film may show the first document
    assert entries.paints_ms == ()
    assert entries_of(ANSWER, zero_ms=ZERO_MS).paints_ms == (180.0, 200.0)


def test_a_page_without_paint_has_no_paints_and_never_becomes_interactive_but_has_no_shift() -> None:
    blank: Answer = {**ANSWER, "firstPaint": 0, "firstContentfulPaint": 0, "kept": NOTHING}
    assert measured(blank) == {
        "fcp_ms": None, "lcp_ms": None, "cls": 0.0, "cls_sum": 0.0, "tbt_ms": None, "tti_ms": None, "dcl_ms": 400.0,
        "ttfb_ms": None,
    }  # fmt: skip
    assert entries_of(blank, zero_ms=ZERO_MS).paints_ms == ()


def test_without_the_observers_answer_only_the_browsers_own_times_are_known() -> None:
    assert measured({**ANSWER, "kept": None}) == {
        "fcp_ms": 200.0, "lcp_ms": None, "cls": None, "cls_sum": None, "tbt_ms": None, "tti_ms": None,
        "dcl_ms": 400.0, "ttfb_ms": None,
    }  # fmt: skip


def test_of_a_page_that_could_not_be_asked_the_first_byte_alone_may_be_known() -> None:
    found = browser_metrics(Entries(ttfb_ms=80.0), [], until_ms=9000.0)
    assert {name for name, value in found.items() if value is not None} == {"ttfb_ms"}


def test_a_long_rendering_without_script_is_a_long_task_and_one_that_was_told_of_is_not_counted_twice() -> None:
    tasks = [(100.0, 80.0), (500.0, 150.0)]
    # within a task; overlapping a task by less than half; apart; too short
    renderings = [(540.0, 108.0), (170.0, 60.0), (900.0, 51.0), (1000.0, 50.0)]
    found = with_renderings(tasks, renderings)
    assert found == [(100.0, 80.0), (170.0, 60.0), (500.0, 150.0), (900.0, 51.0)]


def test_an_event_that_has_not_come_is_unknown() -> None:
    early: Answer = {**ANSWER, "loadEventStart": 0, "domContentLoadedEventStart": 0, "domContentLoadedEventEnd": 0}
    assert entries_of(early, zero_ms=ZERO_MS).load_ms is None
    found = measured(early)
    assert (found["dcl_ms"], found["tti_ms"], found["tbt_ms"]) == (None, None, None)


@pytest.mark.parametrize(("input_ms", "expected_ms"), [(None, 900.0), (900.0, 900.0), (899.9, 300.0), (299.0, None)])
def test_the_last_candidate_before_an_input_is_the_largest(input_ms: float | None, expected_ms: float | None) -> None:
    candidates = [Candidate(300.0, 10, "p", None), Candidate(900.0, 20, "img", "u")]
    found = lcp(Entries(candidates=candidates, first_input_ms=input_ms))
    assert (None if found is None else found.time_ms) == expected_ms


@pytest.mark.parametrize(
    ("shifts", "expected"),
    [
        ([], 0.0),
        ([(100.0, 0.1), (1100.0, 0.2)], 0.3),  # a gap of 1 s is within a session
        ([(100.0, 0.1), (1100.1, 0.2)], 0.2),
        # six shifts 0.9 s apart: the sixth comes 4.5 s after the first, the seventh 5.4 s
        ([(900.0 * place, 0.1) for place in range(7)], 0.6),
        ([(900.0 * place, 0.1) for place in range(6)] + [(9000.0, 0.7)], 0.7),
    ],
)
def test_layout_shift_is_the_largest_session_window(shifts: list[tuple[float, float]], expected: float) -> None:
    assert cls(shifts) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("shifts", "expected"), [([], 0.0), ([(100.0, 0.1), (1100.1, 0.2)], 0.3), ([(0.0, 0.1), (60_000.0, 0.7)], 0.8)]
)
def test_layout_shift_of_version_6_is_the_sum_of_all_shifts(shifts: list[tuple[float, float]], expected: float) -> None:
    assert cls_sum(shifts) == pytest.approx(expected)


def test_blocking_time_is_what_long_tasks_take_over_50_ms_between_first_paint_and_interactive() -> None:
    assert tbt_ms([(300.0, 400.0), (500.0, 750.0)], 200.0, 2000.0) == 250.0
    # cut to the time after the first paint, and before the page is interactive
    assert tbt_ms([(0.0, 300.0)], 200.0, 2000.0) == 50.0
    assert tbt_ms([(0.0, 240.0)], 200.0, 2000.0) == 0.0
    assert tbt_ms([(1900.0, 2400.0)], 200.0, 2000.0) == 50.0
    assert tbt_ms([(3000.0, 3400.0)], 200.0, 2000.0) == 0.0


def test_interactive_is_the_end_of_the_last_long_task_before_five_quiet_seconds() -> None:
    tasks = [(100.0, 300.0), (1000.0, 1100.0), (6099.0, 6200.0)]
    assert tti_ms(200.0, 400.0, tasks, [], until_ms=20_000.0) == 6200.0
    # exactly five seconds are enough
    assert tti_ms(200.0, 400.0, [*tasks[:2], (6100.0, 6200.0)], [], until_ms=20_000.0) == 1100.0


def test_interactive_is_not_before_the_first_paint_nor_before_dom_content_loaded() -> None:
    assert tti_ms(2000.0, 400.0, [(100.0, 300.0)], [], until_ms=9000.0) == 2000.0
    assert tti_ms(200.0, 2400.0, [(100.0, 300.0)], [], until_ms=9000.0) == 2400.0


def test_three_requests_in_flight_are_not_quiet_and_two_are() -> None:
    tasks = [(100.0, 300.0), (4000.0, 4100.0)]
    busy = [(0.0, 9000.0), (0.0, 9000.0), (0.0, 4500.0)]
    # quiet from 4.5 s on: the last long task before that ends at 4.1 s
    assert tti_ms(200.0, 400.0, tasks, busy, until_ms=20_000.0) == 4100.0
    assert tti_ms(200.0, 400.0, tasks[:1], busy[:2], until_ms=20_000.0) == 400.0


def test_a_page_that_never_becomes_interactive_is_unknown_and_has_no_blocking_time() -> None:
    tasks = [(1000.0 * place, 1000.0 * place + 60) for place in range(60)]
    assert tti_ms(200.0, 400.0, tasks, [], until_ms=60_000.0) is None
    polling = [(0.0, 60_000.0)] * 3
    assert tti_ms(200.0, 400.0, [], polling, until_ms=60_000.0) is None
    found = browser_metrics(Entries(fcp_ms=200.0, dcl_end_ms=400.0, long_tasks=tasks), [], until_ms=60_000.0)
    assert (found["tti_ms"], found["tbt_ms"]) == (None, None)


def test_a_page_that_settled_stays_quiet_and_one_that_was_cut_off_is_not_known_to() -> None:
    tasks = [(100.0, 300.0)]
    assert tti_ms(200.0, 400.0, tasks, [], until_ms=inf) == 400.0
    assert tti_ms(200.0, 400.0, tasks, [], until_ms=5200.0) is None
    assert tti_ms(200.0, 400.0, tasks, [], until_ms=5300.0) == 400.0
