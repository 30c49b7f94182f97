"""A program of ours is found where it was named, built or installed; else a sentence says how to get it."""

from pathlib import Path

import pytest

from eyelevel import built
from eyelevel.built import RECORDER, TESTBED, Program
from eyelevel.errors import ToolMissingError


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


@pytest.fixture(params=[TESTBED, RECORDER], ids=lambda each: each.target)
def ours(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    """One of our programs, in a repository in which nothing is built."""
    found: Program = request.param
    monkeypatch.setattr(built, "PIPELINE", tmp_path / "pipeline")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv(found.variable, raising=False)
    return found


def test_the_named_one_comes_before_the_built_one(
    ours: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = program(tmp_path / "pipeline" / ours.folder / "target" / "release" / ours.name)
    assert ours.find() == made
    named = program(tmp_path / "named")
    monkeypatch.setenv(ours.variable, str(named))
    assert ours.find() == named


def test_one_on_path_is_the_last_resort(ours: Program, tmp_path: Path) -> None:
    on_path = program(tmp_path / "bin" / ours.name)
    assert ours.find() == on_path


def test_a_missing_program_comes_with_its_cure(ours: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ToolMissingError, match=f"run make {ours.target}"):
        ours.find()
    monkeypatch.setenv(ours.variable, "/nowhere/program")
    with pytest.raises(ToolMissingError, match=f"{ours.variable} names /nowhere/program"):
        ours.find()
