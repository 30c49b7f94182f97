"""What the films of one stack lack more than those of another is found, in the report's words and its table."""

import pytest

from eyelevel.compare.report.contents import tables
from eyelevel.compare.write import report_files

from .conftest import Compared
from .made import Plan

SITES = ("alpha", "beta")
GOOD = {"lost_changes": 0, "unquiet_frames": 0, "late_ms": 3.0}
QUIET = "No difference between stacks was found in these figures."


def said(found: object) -> str:
    return " ".join(report_files(found)["report.html"].split())  # type: ignore[arg-type]


def test_changes_that_one_stack_loses_more_often_are_found(compared: Compared) -> None:
    worse = [{"lost_changes": n, "unquiet_frames": 0, "late_ms": 3.0} for n in (0, 2, 5)]
    found = compared(Plan(sites=SITES, runs=18, films={"QUIC": worse, "TCP+": [GOOD]}))
    lost, late = found.films
    assert (lost.network, str(lost.pair), lost.figure) == ("DSL", "QUIC against TCP+", "changes lost")
    assert (lost.takes_new, lost.takes_reference) == (24, 0)
    assert (lost.estimate.n_new, lost.estimate.n_reference) == (36, 36)
    assert lost.estimate.superiority == pytest.approx(5 / 6)
    assert lost.p_adjusted is not None
    assert lost.p_adjusted < 1e-6
    assert (late.figure, late.estimate.superiority, late.estimate.p_value) == ("latest fetch, ms", 0.5, None)
    words = said(found)
    assert "Of 72 films 24 lost a change of the screen and 0 may have a torn frame" in words
    assert "The stacks differ in changes lost (QUIC against TCP+, DSL)" in words
    assert "changes lost" in tables(found)["films"].csv()


def test_one_stack_whose_pictures_are_fetched_late_is_found_though_no_run_is_void(compared: Compared) -> None:
    late = [{**GOOD, "late_ms": ms} for ms in (4.0, 140.0, 3.5)]
    found = compared(Plan(sites=SITES, runs=9, films={"QUIC": late, "TCP+": [GOOD]}))
    (row,) = found.films
    assert row.figure == "latest fetch, ms"
    assert (row.mean_new, row.mean_reference) == pytest.approx((147.5 / 3, 3.0))
    assert row.p_adjusted is not None
    assert row.p_adjusted < 1e-6
    assert "was 140 ms after its change" in said(found)
    columns, first = (line.split(",") for line in tables(found)["takes"].csv().splitlines()[:2])
    assert first[columns.index("late_ms")] == "140.0"


def test_films_that_lack_the_same_are_no_difference(compared: Compared) -> None:
    alike = [{"lost_changes": n, "unquiet_frames": 2 - n, "late_ms": 3.0 + n} for n in range(3)]
    found = compared(Plan(sites=SITES, runs=9, films={"QUIC": alike, "TCP+": alike}))
    assert [(row.figure, row.estimate.superiority, row.p_adjusted) for row in found.films] == [
        (figure, 0.5, 1) for figure in ("changes lost", "frames that may be torn", "latest fetch, ms")
    ]
    assert QUIET in said(found)


def test_films_of_which_that_is_unknown_are_not_counted_as_whole(compared: Compared) -> None:
    unknown = [dict.fromkeys(GOOD)]
    found = compared(Plan(sites=SITES, runs=3, films={"QUIC": unknown, "TCP+": unknown}))
    assert found.films == []
    assert "No take records defects of its film." in said(found)
    comparison = compared(Plan(sites=SITES, runs=3, films={"QUIC": unknown}))
    assert comparison.films == []
    assert "Of 6 films 0 lost a change" in said(comparison)


def test_takes_without_pressure_are_counted(compared: Compared) -> None:
    shares = {"QUIC": 0.3, "TCP+": 0.2}
    assert "lack these figures" not in said(compared(Plan(sites=SITES, runs=3, waiting_share=shares)))
    some = compared(Plan(sites=SITES, runs=3, waiting_share={"QUIC": 0.3}))
    assert "6 of 12 takes lack these figures" in said(some)
    none = compared(Plan(sites=SITES, runs=3))
    assert "No take records the use of the processors" in said(none)
