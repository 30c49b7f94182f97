"""What moves outside the masks, and regions that never appear, are listed per stack and tested between stacks."""

import pytest

from eyelevel.compare.report.contents import tables

from .conftest import Compared
from .made import Plan

SITES = ("alpha", "beta")


def test_motion_outside_the_mask_that_one_stack_shows_more_often_is_reported(compared: Compared) -> None:
    moved = {f"takes/{site}/DSL/QUIC": (((3, 4), (4, 4)), ()) for site in SITES}
    found = compared(Plan(sites=SITES, runs=9, motion=moved))
    [row] = found.motion
    assert (row.network, str(row.pair), row.finding) == ("DSL", "QUIC against TCP+", "tiles moved outside the mask")
    assert (row.takes_new, row.of_new, row.takes_reference, row.of_reference) == (18, 18, 0, 18)
    assert row.p_value is not None
    assert row.p_value < 1e-9
    listed = tables(found)["motion-takes"]
    assert len(listed.rows) == 18
    assert {load.stack for load in listed.rows} == {"QUIC"}
    assert "3:4 4:4" in listed.csv()


def test_a_region_that_is_missing_now_and_then_in_both_stacks_is_no_difference(compared: Compared) -> None:
    missing = {f"takes/{site}/DSL/{stack}/run-01": ((), (1,)) for site in SITES for stack in ("QUIC", "TCP+")}
    [row] = compared(Plan(sites=SITES, runs=9, motion=missing)).motion
    assert (row.finding, row.takes_new, row.takes_reference) == ("a region never appeared", 2, 2)
    assert row.p_adjusted == pytest.approx(1)


def test_where_the_masks_hold_nothing_is_listed(compared: Compared) -> None:
    found = compared(Plan(sites=SITES, runs=3, motion={}))
    assert (found.motion, found.with_motion) == ([], [])
    assert compared(Plan(sites=SITES, runs=3)).motion == []
