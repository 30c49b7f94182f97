"""What became of a campaign, counted by stack and site from what the batch folder holds."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from eyelevel.capture.outcome.rates import report
from eyelevel.capture.outcome.tell import tell_report
from eyelevel.capture.resuming.resume import lines, taken
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.contracts import check
from eyelevel_core.model.capture_report import CaptureReport
from eyelevel_core.model.replay_check import ReplayCheck
from eyelevel_core.model.run import Run
from eyelevel_core.model.scene import Scene
from tests.capture import fake
from tests.core import made


def reported(
    batch: Path, scenes: Sequence[Scene] = (), checks: Mapping[str, ReplayCheck] | None = None, **changes: Any
) -> CaptureReport:
    planned, campaign, folder = fake.runs(**changes), fake.campaign(**changes), BatchFolder(batch)
    value = report(
        campaign,
        planned,
        taken(folder, planned, campaign),
        lines(folder),
        scenes=scenes,
        differing={("garden", "cold"): ["takes/x"]},
        checks=checks or {},
        beyond={("garden", "cold"): {"takes/x": ["https://garden.example/head.js"]}},
    )
    check(value.as_json(), "capture-report.1", source="report.json")
    return value


def lame(run: Run, number: int) -> bool:
    """QUIC fails at every first attempt on MSS, and always at run 3."""
    return run.stack == "QUIC" and run.network == "MSS" and (number == 1 or run.number == 3)


def test_attempts_takes_and_causes_are_counted_per_stack_and_network(tmp_path: Path) -> None:
    fake.command(tmp_path, fake.loads(void=lame), max_attempts=2)
    written = reported(tmp_path, max_attempts=2)
    value = written.as_json()
    quic = next(row for row in value["stacks"] if row["stack"] == "QUIC")
    assert (quic["runs"], quic["attempts"], quic["void"], quic["without_take"]) == (12, 12 + 6, 8, 2)
    assert quic["void_causes"] == {"frames lost": 8}
    assert quic["void_rate"] == round(8 / 18, 6)
    assert quic["valid"] + quic["censored"] == 10
    on_mss = {row["stack"]: row["void"] for row in value["networks"] if row["network"] == "MSS"}
    assert on_mss == {"TCP": 0, "TCP+": 0, "QUIC": 8}
    assert [entry["cause"] for entry in value["without_take"]] == ["frames lost"] * 2
    assert value["differences"]["void"]["p"] < 0.01
    assert quic["changed_after_next_began"] == len({(run.site, run.network) for run in fake.runs()})


def test_the_report_has_the_median_pressure_of_each_stacks_takes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fake.command(tmp_path, fake.loads(void=lambda run, _: run.stack == "TCP"), max_attempts=1)
    written = reported(tmp_path, max_attempts=1)
    value = written.as_json()
    pressure = {row["stack"]: row["pressure"] for row in value["stacks"]}
    assert (pressure["QUIC"]["outside_share"], pressure["QUIC"]["waiting_some_share"]) == (0.02, 0.3)
    assert (pressure["TCP+"]["waiting_some_share"], pressure["TCP+"]["waiting_full_share"]) == (0.2, None)
    assert set(pressure["TCP"].values()) == {None}
    assert [row["pressure"] for row in value["networks"]] == [pressure[row["stack"]] for row in value["networks"]]
    tell_report(written)
    stderr = capsys.readouterr().err
    assert (
        "others used 2.0% of the processors while pages loaded over QUIC, and its runs waited 30.0% of the time for"
        in stderr
    )


def test_takes_whose_pressure_is_unknown_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fake.command(tmp_path, fake.loads(void=lambda *_: False))
    assert {row["without_pressure"] for row in reported(tmp_path).as_json()["stacks"]} == {0}
    for path in (tmp_path / "takes").glob("*/*/QUIC/run-01/take.json"):
        take = json.loads(path.read_text())
        del take["pressure"]
        path.write_text(json.dumps(take))
    written = reported(tmp_path)
    value = written.as_json()
    assert {row["stack"]: row["without_pressure"] for row in value["stacks"]} == {"TCP": 0, "TCP+": 0, "QUIC": 4}
    tell_report(written)
    stderr = capsys.readouterr().err
    assert "4 of 12 takes over QUIC do not record the processor use of others." in stderr
    assert "takes over TCP" not in stderr


def test_what_fell_with_its_block_is_no_stack_s_own_void(tmp_path: Path) -> None:
    fake.command(tmp_path, fake.loads(void=lambda run, number: lame(run, number) and run.number != 3), paired=True)
    rows = {row["stack"]: row for row in reported(tmp_path, paired=True).as_json()["stacks"]}
    assert (rows["QUIC"]["void"], rows["QUIC"]["void_with_block"]) == (4, 0)
    assert (rows["TCP"]["void"], rows["TCP+"]["void"]) == (0, 0)
    assert rows["TCP"]["void_with_block"] + rows["TCP+"]["void_with_block"] > 0


def test_a_site_that_fails_a_gate_is_excluded_for_all_stacks_and_the_report_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fake.command(tmp_path, fake.loads(void=lambda *_: False))
    site_report = reported(tmp_path).as_json()["sites"][0]
    assert site_report["takes_that_differ"] == ["takes/x"]
    assert (site_report["site"], site_report["exact_share"], site_report["in_comparison"], site_report["reason"]) == (
        "garden",
        0.9,
        True,
        None,
    )
    checks = {"garden": made.replay_check(lacks_style_sheet=True), "teashop": made.replay_check()}
    written = reported(tmp_path, checks=checks)
    value = written.as_json()
    assert [site["in_comparison"] for site in value["sites"]] == [False, True]
    assert value["sites"][0]["gates"] == [
        {"stack": "TCP+", "absent": [], "painted_share": 0.0, "similarity": None, "passed": [True, True, True]},
        {
            "stack": "QUIC",
            "absent": [made.SHEET],
            "painted_share": 0.0,
            "similarity": None,
            "passed": [False, True, True],
        },
    ]
    assert value["sites"][0]["reason"] == f"a style sheet was missed with QUIC ({made.SHEET})"
    assert value["sites"][0]["missed_beyond_check"] == {"takes/x": ["https://garden.example/head.js"]}
    tell_report(written)
    stderr = capsys.readouterr().err
    assert "garden is excluded from the comparison for all stacks: a style sheet was missed with QUIC" in stderr
    assert "takes/x missed 1 requests that its page needs, such as https://garden.example/head.js" in stderr


def test_a_site_whose_page_could_not_be_judged_is_out_without_a_take(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = reported(tmp_path, checks={"garden": replace(made.replay_check(), loads=(), failure="it reloads")})
    value = written.as_json()
    assert [(site["in_comparison"], site["reason"]) for site in value["sites"]] == [(False, "it reloads"), (None, None)]
    tell_report(written)
    assert "garden is excluded from the comparison for all stacks: it reloads." in capsys.readouterr().err


def test_a_site_that_was_not_taken_is_neither_in_nor_out(tmp_path: Path) -> None:
    written = reported(tmp_path)
    value = written.as_json()
    assert [site["in_comparison"] for site in value["sites"]] == [None, None]
    assert value["differences"] == {"void": None, "censored": None}
    assert len(value["without_take"]) == value["runs"]


def test_the_table_names_each_stack_with_its_causes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fake.command(tmp_path, fake.loads(void=lame), max_attempts=2)
    tell_report(reported(tmp_path, max_attempts=2))
    stderr = capsys.readouterr().err
    assert "note: servers of garden, teashop: one address per host." in stderr
    assert "34 of 36 runs have their takes" in stderr
    assert "frames lost 8" in stderr
    assert "void rates of the stacks differ" in stderr
