"""Stored pairs are gone on with by the builds that they were measured with, and by no others."""

import json
from pathlib import Path

import pytest
from bench.kept_pairs import read, write

BUILDS = {"testbed": "ab" * 32, "recorder": "cd" * 32}
LOGS = {"TCP": [0.01, -0.02], "QUIC": [0.0]}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    write(tmp_path / "pairs.json", BUILDS, LOGS)
    return tmp_path / "pairs.json"


def test_pairs_of_the_same_builds_are_read_as_they_were_written(file: Path) -> None:
    assert read(file, BUILDS) == LOGS
    assert [path.name for path in file.parent.iterdir()] == ["pairs.json"]


@pytest.mark.parametrize("name", ["testbed", "recorder"])
def test_pairs_of_another_build_are_refused_by_its_name_and_stay(file: Path, name: str) -> None:
    before = file.read_text()
    with pytest.raises(SystemExit) as caught:
        read(file, {**BUILDS, name: "ef" * 32})
    assert str(caught.value) == (
        f"{file} holds pairs of another {name} (SHA-256 {BUILDS[name][:12]}, this one has efefefefefef); name another "
        "file, or delete this one to begin again."
    )
    assert file.read_text() == before


@pytest.mark.parametrize("content", ["{", "[]", json.dumps(LOGS), "7", json.dumps({"builds": BUILDS, "logs": []})])
def test_pairs_without_their_builds_are_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "pairs.json").write_text(content)
    with pytest.raises(SystemExit, match="does not hold pairs with the builds that they were measured with; name"):
        read(tmp_path / "pairs.json", BUILDS)
