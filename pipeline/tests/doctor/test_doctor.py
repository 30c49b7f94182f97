"""The doctor tells what is missing for which stage, and how to get it; it works for anybody."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from eyelevel.doctor.command import doctor
from eyelevel.doctor.look import look
from eyelevel.doctor.needs import STAGES, Kind, Need


def test_every_stage_of_a_capture_machine_is_in_the_table() -> None:
    stages = ["record", "replay", "capture", "measure", "batch", "upload", "study", "rate", "analyse"]
    assert list(STAGES) == stages
    assert all(need.cure for needs in STAGES.values() for need in needs)


def test_an_empty_path_lacks_every_program_and_names_the_cure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    told = CliRunner().invoke(doctor, ["--json"])
    assert told.exit_code == 1
    value = json.loads(told.stdout)
    assert value["ok"] is False
    missing = {need["name"]: need["cure"] for need in value["stages"]["capture"]["needs"] if need["found"] is None}
    assert missing["Xvfb"] == "apt-get install xvfb"
    assert missing["ffmpeg"] == "apt-get install ffmpeg"
    assert "playwright" not in missing


def test_the_table_is_for_people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    told = CliRunner().invoke(doctor, [])
    assert told.exit_code == 1
    assert "missing" in told.stdout
    assert "Something is missing" in told.stdout


def test_a_program_is_found_with_its_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "screen"
    program.write_text("#!/bin/sh\necho screen version 2.7.1 of today\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    need = Need(Kind.PROGRAM, "screen", "apt-get install screen", ("screen", "--version"))
    assert look(need, finders={}).found == "2.7.1"


def test_a_package_that_nobody_has_is_missing() -> None:
    assert look(Need(Kind.PACKAGE, "no-such-package-here", "pip install it"), finders={}).found is None
