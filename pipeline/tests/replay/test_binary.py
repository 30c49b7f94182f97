"""The testbed is found where it was named, built or installed; else a sentence tells how to get it."""

from pathlib import Path

import pytest

from eyelevel.errors import ToolMissingError
from eyelevel.replay import binary


def program(path: Path) -> Path:
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def test_the_named_one_comes_before_the_built_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built, named = program(tmp_path / "built"), program(tmp_path / "named")
    monkeypatch.setattr(binary, "BUILT", built)
    monkeypatch.delenv(binary.VARIABLE, raising=False)
    assert binary.find_testbed() == built
    monkeypatch.setenv(binary.VARIABLE, str(named))
    assert binary.find_testbed() == named


def test_one_on_path_is_the_last_resort(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    on_path = program(tmp_path / binary.NAME)
    monkeypatch.setattr(binary, "BUILT", tmp_path / "nothing")
    monkeypatch.delenv(binary.VARIABLE, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert binary.find_testbed() == on_path


def test_a_missing_testbed_comes_with_its_cure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binary, "BUILT", tmp_path / "nothing")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv(binary.VARIABLE, raising=False)
    with pytest.raises(ToolMissingError, match="run make testbed"):
        binary.find_testbed()
    monkeypatch.setenv(binary.VARIABLE, "/nowhere/testbed")
    with pytest.raises(ToolMissingError, match="EYELEVEL_TESTBED names /nowhere/testbed"):
        binary.find_testbed()
