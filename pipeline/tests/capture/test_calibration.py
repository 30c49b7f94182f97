"""What a campaign makes of the testbed's calibration: kept, used again for the same networks, or the end of it."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from eyelevel.capture.planning.networks import Network
from eyelevel.capture.preparing.calibration import calibrate
from eyelevel.errors import EyelevelError, NotPermittedError
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.contracts import ContractError, sha256_of_file

NETWORKS = {"DSL": Network("DSL", "ab" * 32, None), "lab": Network("lab", "cd" * 32, Path("/lab.json"))}
FIGURES = ("rate_mbps", "delivered_mbps", "rtt_ms", "one_way_ms", "queue_ms", "jitter_ms", "loss", "lateness_p99_ms")
WAY = {**dict.fromkeys(FIGURES), "loss_packets": 20000, "drops_emulation": 0}
FOUND: dict[str, Any] = {
    "contract": "eyelevel/calibration/1",
    "ok": True,
    "testbed_version": "9.8.7",
    "seed": 3,
    "networks": {
        name: {
            "digest": network.digest, "definition": {}, "ok": True, "problems": [], "tries": 1, "real_time": True,
            "down": WAY, "up": WAY,
        }
        for name, network in NETWORKS.items()
    },
}  # fmt: skip


def program(folder: Path, *, status: int = 0, said: str = "calibrating", found: Mapping[str, Any] = FOUND) -> Path:
    """A program that tells its version, notes how it was called, and answers with what it found."""
    path = folder / "testbed"
    path.write_text(
        f"#!/bin/sh\n[ $1 = --version ] && echo eyelevel-testbed 9.8.7 && exit\necho $@ >> {folder}/called\n"
        f"echo '{said}' >&2\necho '{json.dumps(found)}'\nexit {status}\n"
    )
    path.chmod(0o755)
    return path


def called(folder: Path) -> list[str]:
    return (folder / "called").read_text().splitlines()


def test_the_result_is_kept_and_holds_for_the_same_networks(tmp_path: Path) -> None:
    testbed = program(tmp_path)
    digest = calibrate(BatchFolder(tmp_path), testbed, NETWORKS, seed=5)
    assert digest == sha256_of_file(tmp_path / "calibration.json")
    assert called(tmp_path) == ["calibrate --json --seed 5 --network DSL --network-file /lab.json"]
    assert calibrate(BatchFolder(tmp_path), testbed, NETWORKS, seed=5) == digest
    assert calibrate(BatchFolder(tmp_path), testbed, {"DSL": NETWORKS["DSL"]}, seed=5) == digest
    assert len(called(tmp_path)) == 1


def test_other_networks_and_a_torn_file_are_measured_again(tmp_path: Path) -> None:
    testbed = program(tmp_path)
    calibrate(BatchFolder(tmp_path), testbed, NETWORKS, seed=5)
    calibrate(BatchFolder(tmp_path), testbed, {"DSL": Network("DSL", "ef" * 32, None)}, seed=5)
    (tmp_path / "calibration.json").write_text('{"ok"')
    calibrate(BatchFolder(tmp_path), testbed, NETWORKS, seed=5)
    assert len(called(tmp_path)) == 3


def test_what_earlier_takes_name_is_kept_beside_what_is_measured_anew(tmp_path: Path) -> None:
    earlier = calibrate(BatchFolder(tmp_path), program(tmp_path), {"DSL": NETWORKS["DSL"]}, seed=5)
    was = (tmp_path / "calibration.json").read_bytes()
    added = {**NETWORKS, "moon": Network("moon", "ef" * 32, None)}
    found = {**FOUND, "networks": {**FOUND["networks"], "moon": {**FOUND["networks"]["DSL"], "digest": "ef" * 32}}}
    later = calibrate(BatchFolder(tmp_path), program(tmp_path, found=found), added, seed=5)
    assert later == sha256_of_file(tmp_path / "calibration.json") != earlier
    assert (tmp_path / f"calibration-{earlier}.json").read_bytes() == was
    assert len(list(tmp_path.glob("calibration*"))) == 2


def test_another_build_of_the_testbed_measures_again_also_under_the_same_version(tmp_path: Path) -> None:
    testbed = program(tmp_path)
    calibrate(BatchFolder(tmp_path), testbed, NETWORKS, seed=5)
    testbed.write_text(testbed.read_text() + "\n")
    calibrate(BatchFolder(tmp_path), testbed, NETWORKS, seed=5)
    assert len(called(tmp_path)) == 2


def test_a_network_that_is_not_what_it_says_ends_the_campaign_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    testbed = program(
        tmp_path, status=1, said="  DSL: loss\neyelevel testbed: calibration failed: DSL is out of tolerance"
    )
    message = r"^calibration failed: DSL is out of tolerance\. \(--no-calibrate films"
    with pytest.raises(EyelevelError, match=message):
        calibrate(BatchFolder(tmp_path), testbed, NETWORKS, seed=5)
    assert capsys.readouterr().err == "  DSL: loss\n"
    assert not (tmp_path / "calibration.json").exists()


def test_a_missing_right_is_reported_as_such(tmp_path: Path) -> None:
    with pytest.raises(NotPermittedError, match="needs root"):
        calibrate(
            BatchFolder(tmp_path), program(tmp_path, status=3, said="eyelevel testbed: needs root"), NETWORKS, seed=5
        )


def test_an_invalid_calibration_is_not_kept(tmp_path: Path) -> None:
    program(tmp_path)
    (tmp_path / "testbed").write_text("#!/bin/sh\necho '{\"ok\": true}'\n")
    with pytest.raises(ContractError, match=r"calibration\.json: \w+ is missing"):
        calibrate(BatchFolder(tmp_path), tmp_path / "testbed", NETWORKS, seed=5)
    assert not (tmp_path / "calibration.json").exists()
