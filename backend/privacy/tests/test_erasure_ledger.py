"""The ledger is only added to, survives a crash in the middle of a line, and names what it cannot read."""

import json
import stat
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from privacy.erasure_ledger import Entry, LedgerError, append, read

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def entry(number: int) -> Entry:
    return Entry(id=UUID(int=number), erased_at=NOON, participant=UUID(int=100 + number), by="participant")


def test_what_is_written_is_read_in_order(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "ledger.jsonl"
    study = Entry(id=uuid4(), erased_at=NOON, study="a" * 64)
    append(path, [entry(1)])
    append(path, [study, entry(2)])
    assert read(path) == [entry(1), study, entry(2)]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_line_holds_random_ids_and_a_time_and_nothing_else(tmp_path: Path) -> None:
    append(tmp_path / "ledger", [entry(1)])
    assert json.loads((tmp_path / "ledger").read_text()) == {
        "id": str(UUID(int=1)),
        "erased_at": "2026-01-01T12:00:00+00:00",
        "participant": str(UUID(int=101)),
        "by": "participant",
    }


def test_no_file_is_an_empty_ledger(tmp_path: Path) -> None:
    assert read(tmp_path / "none") == []


def test_a_line_that_a_crash_cut_off_is_no_erasure_and_spoils_none(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    append(path, [entry(1), entry(2)])
    path.write_bytes(path.read_bytes()[:-20])
    assert read(path) == [entry(1)]
    append(path, [entry(3)])
    assert read(path) == [entry(1), entry(3)]


@pytest.mark.parametrize("line", ["{}", "nonsense", '{"id": "x"}', "[]", '{"id": "1", "erased_at": "2026-01-01"}'])
def test_another_line_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "ledger"
    append(path, [entry(1)])
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(LedgerError, match=r"ledger, line 2: this is not a ledger entry .*restore the file"):
        read(path)


def test_a_ledger_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "ledger").mkdir()
    with pytest.raises(
        LedgerError, match=r"ledger cannot be written .*; check the folder's permissions and free space"
    ):
        append(tmp_path / "ledger", [entry(1)])
