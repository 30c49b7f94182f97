"""An export whose files differ from its manifest is refused with a sentence that names the file."""

import json
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest

from eyelevel.analyse.export.integrity import check_export
from eyelevel.errors import BadInputError

FILES = {"votes.csv": b"vote_id\r\n1\r\n", "study.json": b"{}", "statistics/scores.csv": b"score\r\n"}


@pytest.fixture
def export(tmp_path: Path) -> Path:
    folder = tmp_path / "export"
    (folder / "statistics").mkdir(parents=True)
    listed: dict[str, dict[str, object]] = {
        name: {"sha256": sha256(data).hexdigest(), "bytes": len(data)} for name, data in FILES.items()
    }
    listed["votes.csv"]["rows"] = 1
    manifest = {
        "contract": "eyelevel/export/1",
        "study_sha256": "1" * 64,
        "snapshot_sha256": "2" * 64,
        "method_version": 6,
        "origin": "person",
        "collecting": False,
        "files": listed,
    }
    for name, data in {**FILES, "manifest.json": json.dumps(manifest).encode()}.items():
        (folder / name).write_bytes(data)
    return folder


def packed(folder: Path, inside: str = "") -> Path:
    path = folder.with_suffix(".zip")
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            archive.write(file, inside + file.relative_to(folder).as_posix())
    return path


def test_an_export_as_it_was_made_is_accepted(export: Path) -> None:
    for path in (export, packed(export), packed(export, "study/")):
        assert check_export(path) == ()


def test_a_changed_file_is_named_with_both_digests(export: Path) -> None:
    (export / "votes.csv").write_bytes(b"vote_id\r\n2\r\n")
    found, expected = sha256(b"vote_id\r\n2\r\n").hexdigest(), sha256(FILES["votes.csv"]).hexdigest()
    sentence = f"votes.csv was changed: its SHA-256 is {found}, but manifest.json says {expected}."
    for path in (export, packed(export)):
        with pytest.raises(BadInputError, match=sentence):
            check_export(path)


def test_a_size_that_differs_is_named(export: Path) -> None:
    manifest = json.loads((export / "manifest.json").read_text())
    manifest["files"]["study.json"] |= {"bytes": 3}
    (export / "manifest.json").write_text(json.dumps(manifest))
    for path in (export, packed(export)):
        with pytest.raises(BadInputError, match=r"study\.json has 2 bytes, but manifest\.json says 3\."):
            check_export(path)


def test_files_that_the_manifest_does_not_list_are_returned(export: Path) -> None:
    (export / "notes").mkdir()
    for name in ("conformance.csv", "notes/mine.txt", ".DS_Store"):
        (export / name).write_text("x")
    for path in (export, packed(export), packed(export, "study/")):
        assert check_export(path) == ("conformance.csv", "notes/mine.txt")


def test_a_missing_file_is_named(export: Path) -> None:
    (export / "study.json").unlink()
    with pytest.raises(BadInputError, match=r"study\.json is missing, but manifest\.json lists it"):
        check_export(export)


def test_a_manifest_of_another_kind_is_refused(export: Path) -> None:
    (export / "manifest.json").write_text("{}")
    with pytest.raises(BadInputError, match=r"manifest\.json is not a valid manifest"):
        check_export(export)


def test_an_older_export_and_a_file_of_its_own_are_not_checked(export: Path) -> None:
    (export / "votes.csv").write_bytes(b"changed")
    check_export(export / "votes.csv")
    (export / "manifest.json").unlink()
    check_export(export)
