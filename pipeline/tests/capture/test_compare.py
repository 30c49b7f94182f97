"""The takes of a scene, compared as they lie in a batch folder."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from eyelevel.capture.compare import compare_scenes, compare_sites
from eyelevel.capture.plan import Run
from eyelevel.capture.tell import tell_fidelity

PAGE = "https://garden.example/"


def run(stack: str) -> Run:
    return Run(site="garden", recording="ab" * 32, network="DSL", stack=stack, number=1, seed=5, page_seed=6)


def put(
    batch: Path,
    stack: str,
    *,
    kind: str = "exact",
    load_ms: float | None = 480.5,
    scheduler: str = "rfc9218",
    notes: list[str] | None = None,
) -> Run:
    folder = batch / run(stack).path
    folder.mkdir(parents=True)
    before_load = None if load_ms is None else True
    response = {"url": PAGE, "method": "GET", "before_load": before_load, "from_cache": False}
    matched = None if kind == "miss" else PAGE
    request = {"url": PAGE, "method": "GET", "matched_url": matched, "status": 200, "body_bytes": 10, "kind": kind}
    defined = {"name": stack, "definition": {"name": stack}}
    wire = {"stack": defined, "scheduler": scheduler, "server": {"requests": [request]}, "notes": notes or []}
    (folder / "take.json").write_text(json.dumps({"metrics": {"plt_ms": load_ms}}))
    (folder / "responses.json").write_text(json.dumps([response]))
    (folder / "wire.json").write_text(json.dumps(wire))
    return run(stack)


def compared(batch: Path, *runs: Run) -> dict[str, Any]:
    (scene,) = compare_scenes(batch, runs)
    assert json.loads((batch / "fidelity.json").read_text()) == [scene]
    return scene


def test_takes_that_were_served_the_same_have_no_differences(tmp_path: Path) -> None:
    one, other = put(tmp_path, "TCP+"), put(tmp_path, "QUIC")
    scene = compared(tmp_path, one, other)
    assert (scene["differences"], scene["not_comparable"], scene["settings_differ"]) == ([], [], [])
    assert scene["missed"] == {one.path: 0, other.path: 0}


def test_a_take_without_a_load_event_is_not_comparable_and_nobodys_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = put(tmp_path, "TCP+"), put(tmp_path, "QUIC", load_ms=None)
    scene = compared(tmp_path, one, other)
    assert scene["takes"] == sorted([one.path, other.path])
    assert scene["not_comparable"] == [other.path]
    assert scene["differences"] == []
    assert scene["missed"] == {one.path: 0}
    tell_fidelity([scene])
    assert f"{other.path} is not comparable" in capsys.readouterr().err


@pytest.mark.parametrize(("kind", "name"), [("inexact", "inexact"), ("miss", "missed")])
def test_arms_that_were_answered_in_other_ways_are_told_with_their_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str, name: str
) -> None:
    one, other = put(tmp_path, "TCP+"), put(tmp_path, "QUIC", kind=kind)
    scene = compared(tmp_path, one, other)
    assert scene[name] == {one.path: 0, other.path: 1}
    tell_fidelity([{**scene, "differences": []}])
    assert "differ in number (QUIC 1, TCP+ 0)" in capsys.readouterr().err


def test_a_setting_that_differs_beyond_the_definitions_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = put(tmp_path, "QUIC"), put(tmp_path, "TCP+", scheduler="round-robin")
    scene = compared(tmp_path, one, other)
    how = "scheduler is rfc9218 with QUIC and round-robin with TCP+, which their definitions do not say"
    assert scene["settings_differ"] == [{"take": other.path, "than": one.path, "how": [how]}]
    tell_fidelity([scene])
    told = f"warning: {other.path} and {one.path} differ in more than their stacks' definitions: {how}."
    assert told in capsys.readouterr().err


def test_what_the_testbed_notes_of_a_run_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = "stack QUIC+ALTSVC comes to speak h3, but all 7 request(s) came over h2"
    one, other = put(tmp_path, "QUIC+ALTSVC", notes=[words]), put(tmp_path, "TCP+")
    scene = compared(tmp_path, one, other)
    assert scene["notes"] == {one.path: [words]}
    tell_fidelity([scene])
    assert f"note: {one.path}: {words}." in capsys.readouterr().err


def test_a_site_is_compared_over_all_its_networks(tmp_path: Path) -> None:
    one, other = put(tmp_path, "TCP+"), put(tmp_path, "QUIC")
    assert compare_sites(tmp_path, [one, other]) == {"garden": []}
    slow = replace(one, network="MSS")
    shutil.copytree(tmp_path / one.path, tmp_path / slow.path)
    wire = json.loads((tmp_path / slow.path / "wire.json").read_text())
    wire["server"]["requests"][0]["body_bytes"] = 9
    (tmp_path / slow.path / "wire.json").write_text(json.dumps(wire))
    assert compare_sites(tmp_path, [one, other, slow]) == {"garden": [slow.path]}
