"""Several machines film a campaign: what of the spread is theirs is told, and one that differs too much is left out."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from eyelevel.compare.comparison import Comparison
from eyelevel.compare.reading import read_batch
from eyelevel.compare.write import report_files

from . import made
from .conftest import Compared
from .made import Plan

# each of the four films three blocks of each of three sites
ALIKE = Plan(runs=12, run_sd=0.05, machines=(0.0, 0.01, -0.01, 0.0))
ONE_SLOW = replace(ALIKE, machines=(0.0, 0.01, -0.01, 0.5))
SLOW = f"{3:016x}"


def said(found: Comparison) -> str:
    return " ".join(report_files(found)["report.html"].split())


def test_machines_of_one_kind_are_all_kept_and_their_share_is_reported(compared: Compared) -> None:
    found = compared(ALIKE)
    assert found.machines.excluded == frozenset()
    assert [(row.metric, row.of, row.machines, row.takes) for row in found.machines.shares] == [
        ("si", "all", 4, 72),
        ("plt", "all", 4, 72),
    ]
    assert all(row.low < 0.1 for row in found.machines.shares)
    assert {row.kept for row in found.machines.rows} == {"yes"}
    assert len(found.loads) == 72
    assert "Several machines filmed this campaign." in said(found)


def test_a_machine_that_differs_too_much_is_left_out_of_all_comparisons(compared: Compared) -> None:
    found = compared(ONE_SLOW)
    assert found.machines.excluded == {SLOW}
    assert len(found.loads) == 54
    assert all(load.machine is not None and load.machine.fingerprint != SLOW for load in found.loads)
    shares = {(row.metric, row.of): row for row in found.machines.shares}
    assert shares["si", "all"].low > 0.1 > shares["si", "kept"].low
    (row,) = [row for row in found.machines.rows if row.machine == SLOW]
    assert (row.kept, row.takes) == ("no", 18)
    # e^0.5 times as slow, within what chance makes of 18 takes
    assert row.si == pytest.approx(0.65, abs=0.1)
    assert f"Takes of 1 of 4 machines are excluded ({SLOW})" in said(found)


def test_the_campaigns_own_limit_decides(compared: Compared) -> None:
    assert compared(replace(ONE_SLOW, toml="max_machine_share = 1")).machines.excluded == frozenset()


def test_a_campaign_of_one_machine_says_nothing(compared: Compared) -> None:
    for plan in (Plan(), Plan(machines=(0.0,))):
        found = compared(plan)
        assert found.machines.shares == []
        assert "Several machines" not in said(found)


def test_takes_of_the_sentinel_tell_of_machines_and_are_compared_with_nothing(tmp_path: Path) -> None:
    batch = made.write(ALIKE, tmp_path / "batch")
    for machine, slower in enumerate(ONE_SLOW.machines):
        plan = Plan(sites=("alpha",), stacks=("TCP+",), runs=8, run_sd=0.05, machines=(slower,), seed=machine)
        for path, value in made.takes(plan).items():
            value["provenance"]["machine"]["fingerprint"] = f"{machine:016x}"
            value["files"] = {}
            folder = batch / "sentinels" / f"{machine:016x}-20261130" / path
            folder.mkdir(parents=True)
            (folder / "take.json").write_text(json.dumps(value))

    read = read_batch(batch)
    assert (len(read.loads), len(read.sentinels)) == (72, 32)
