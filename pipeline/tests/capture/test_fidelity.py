"""The takes of a scene, compared as they lie in a batch folder."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from eyelevel.capture.outcome.fidelity import ServedTake, compare_scenes, compare_sites, read_served
from eyelevel.capture.outcome.tell import tell_fidelity
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.contracts import ContractError
from eyelevel_core.model.run import Run
from eyelevel_core.model.scene import Scene, SettingsDifference
from tests.loads.seen import wire

PAGE = "https://garden.example/"
RESPONSE = {
    "url": PAGE, "method": "GET", "resource_type": "document", "protocol": "h2", "status": 200,
    "encoded_body_bytes": 10, "begun_ms": 1.5, "before_load": True, "from_cache": False, "failure": None,
}  # fmt: skip


def run(stack: str, number: int = 1) -> Run:
    return Run(site="garden", recording="ab" * 32, network="DSL", stack=stack, number=number, seed=5, page_seed=6)


def put(
    batch: Path,
    stack: str,
    *,
    kind: str = "exact",
    load_ms: float | None = 480.5,
    scheduler: str = "rfc9218",
    notes: list[str] | None = None,
    number: int = 1,
    definition: dict[str, Any] | None = None,
    settings: dict[str, Any] | None = None,
) -> Run:
    put_run = run(stack, number)
    folder = batch / put_run.path
    folder.mkdir(parents=True)
    before_load = None if load_ms is None else True
    response = {**RESPONSE, "before_load": before_load}
    matched = None if kind == "miss" else PAGE
    request = {"url": PAGE, "method": "GET", "matched_url": matched, "status": 200, "body_bytes": 10, "kind": kind}
    defined = {"name": stack, "digest": "cd" * 32, "definition": {"name": stack, **(definition or {})}}
    report = {
        **wire(requests=[request], origins=["garden.example:443"]),
        "stack": defined,
        "scheduler": scheduler,
        "notes": notes or [],
        "wire": {"settings": settings or {}},
    }
    (folder / "take.json").write_text(json.dumps({"metrics": {"plt_ms": load_ms}}))
    (folder / "responses.json").write_text(json.dumps([response]))
    (folder / "wire.json").write_text(json.dumps(report))
    return put_run


def served(batch: Path, *runs: Run) -> list[ServedTake]:
    """What was served in the takes of these runs."""
    takes = {run.path: json.loads((batch / run.path / "take.json").read_text()) for run in runs}
    return read_served(BatchFolder(batch), runs, {path: Mock(metrics=take["metrics"]) for path, take in takes.items()})


def compared(batch: Path, *runs: Run) -> Scene:
    (scene,) = compare_scenes(served(batch, *runs))
    return scene


def test_takes_that_were_served_the_same_have_no_differences(tmp_path: Path) -> None:
    one, other = put(tmp_path, "TCP+"), put(tmp_path, "QUIC")
    scene = compared(tmp_path, one, other)
    assert (scene.differences, scene.not_comparable, scene.settings_differ) == ((), (), ())
    assert scene.missed == {one.path: 0, other.path: 0}


def test_a_take_without_a_load_event_is_not_comparable_and_nobodys_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = put(tmp_path, "TCP+"), put(tmp_path, "QUIC", load_ms=None)
    scene = compared(tmp_path, one, other)
    assert scene.takes == tuple(sorted([one.path, other.path]))
    assert scene.not_comparable == (other.path,)
    assert scene.differences == ()
    assert scene.missed == {one.path: 0}
    tell_fidelity([scene])
    assert f"{other.path} cannot be compared with its scene" in capsys.readouterr().err


@pytest.mark.parametrize(("kind", "name"), [("inexact", "inexact"), ("miss", "missed")])
def test_arms_that_were_answered_in_other_ways_are_reported_with_their_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str, name: str
) -> None:
    one, other = put(tmp_path, "TCP+"), put(tmp_path, "QUIC", kind=kind)
    scene = compared(tmp_path, one, other)
    assert getattr(scene, name) == {one.path: 0, other.path: 1}
    tell_fidelity([replace(scene, differences=())])
    assert "differ in number (QUIC 1, TCP+ 0)" in capsys.readouterr().err


def test_a_setting_that_differs_beyond_the_definitions_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = put(tmp_path, "QUIC"), put(tmp_path, "TCP+", scheduler="round-robin")
    scene = compared(tmp_path, one, other)
    how = "scheduler is rfc9218 with QUIC and round-robin with TCP+, which their definitions do not explain"
    assert scene.settings_differ == (SettingsDifference(other.path, one.path, (how,)),)
    tell_fidelity([scene])
    warning = f"warning: {other.path} and {one.path} differ in more than their stacks' definitions: {how}."
    assert warning in capsys.readouterr().err


def test_every_take_is_held_against_every_other(tmp_path: Path) -> None:
    """The first one, QUIC, has nothing to say of TCP's buffers; the runs of TCP+ have, of each other."""
    tcp, small, large = {"transport": "tcp"}, {"kernel": {"tcp_wmem_bytes": 1}}, {"kernel": {"tcp_wmem_bytes": 2}}
    put(tmp_path, "QUIC", definition={"transport": "quic", "buffers": "auto"})
    runs = [run("QUIC")]
    for number, settings in enumerate((small, large, large), start=1):
        runs.append(put(tmp_path, "TCP+", number=number, definition={**tcp, "buffers": "bdp"}, settings=settings))
    # what another stack defines otherwise is its own
    runs.append(
        put(tmp_path, "TCP", definition={**tcp, "buffers": "stock"}, settings={"kernel": {"tcp_wmem_bytes": 3}})
    )
    first = run("TCP+").path
    how = "wire.settings.kernel.tcp_wmem_bytes is 1 with TCP+ and 2 with TCP+, which their definitions do not explain"
    assert compared(tmp_path, *runs).settings_differ == tuple(
        SettingsDifference(run("TCP+", number).path, first, (how,)) for number in (2, 3)
    )


def test_what_the_testbed_notes_of_a_run_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = "stack QUIC+ALTSVC changes to h3, but all 7 request(s) came over h2"
    one, other = put(tmp_path, "QUIC+ALTSVC", notes=[words]), put(tmp_path, "TCP+")
    scene = compared(tmp_path, one, other)
    assert scene.notes == {one.path: (words,)}
    tell_fidelity([scene])
    assert f"note: {one.path}: {words}." in capsys.readouterr().err


def test_requests_that_the_network_failed_are_told_and_make_no_other_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = [put(tmp_path, stack) for stack in ("TCP", "TCP+", "QUIC")]
    lost = tmp_path / runs[2].path
    silent = {**RESPONSE, "protocol": None, "status": None, "failure": "net::ERR_TIMED_OUT"}
    (lost / "responses.json").write_text(json.dumps([silent]))
    report = json.loads((lost / "wire.json").read_text())
    report["server"]["requests"] = []
    (lost / "wire.json").write_text(json.dumps(report))
    scene = compared(tmp_path, *runs)
    assert (scene.differences, scene.network_failed) == ((), {runs[2].path: (PAGE,)})
    tell_fidelity([scene])
    note = f"{runs[2].path}: 1 of its requests before load got no answer (such as {PAGE})"
    assert note in capsys.readouterr().err


def test_a_site_is_compared_over_all_its_networks(tmp_path: Path) -> None:
    one, other = put(tmp_path, "TCP+"), put(tmp_path, "QUIC")
    assert compare_sites(served(tmp_path, one, other)) == {("garden", "cold"): []}
    slow = replace(one, network="MSS")
    shutil.copytree(tmp_path / one.path, tmp_path / slow.path)
    report = json.loads((tmp_path / slow.path / "wire.json").read_text())
    report["server"]["requests"][0]["body_bytes"] = 9
    (tmp_path / slow.path / "wire.json").write_text(json.dumps(report))
    assert compare_sites(served(tmp_path, one, other, slow)) == {("garden", "cold"): [slow.path]}


def test_responses_that_break_their_contract_are_reported(tmp_path: Path) -> None:
    alone = put(tmp_path, "TCP+")
    path = tmp_path / alone.path / "responses.json"
    path.write_text(json.dumps([RESPONSE, {**RESPONSE, "before_load": "yes"}]))
    with pytest.raises(ContractError, match=r"responses\.json: \[1\]\.before_load is .yes., but must be true or false"):
        served(tmp_path, alone)
