"""The ledger is only added to, by any number of hosts, and names what it cannot read."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from eyelevel_store import Store, open_store
from privacy.erasure_ledger import Entry, LedgerError, append, read

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.fixture
def ledger(tmp_path: Path) -> Store:
    return open_store(tmp_path / "ledger")


def entry(number: int) -> Entry:
    at = NOON + timedelta(seconds=number)
    return Entry(id=UUID(int=number), erased_at=at, participant=UUID(int=100 + number), by="participant")


def test_what_is_written_is_read_in_order(ledger: Store) -> None:
    study = Entry(id=uuid4(), erased_at=NOON, study="a" * 64)
    append([entry(2)], ledger)
    append([study, entry(1)], ledger)
    append([entry(1)], ledger)
    assert read(ledger) == [study, entry(1), entry(2)]


def test_hosts_that_write_at_once_lose_no_entry(ledger: Store) -> None:
    with ThreadPoolExecutor(8) as hosts:
        list(hosts.map(lambda number: append([entry(number)], ledger), range(40)))
    assert read(ledger) == [entry(number) for number in range(40)]


def test_an_entry_holds_random_ids_and_a_time_and_nothing_else(ledger: Store) -> None:
    append([entry(1)], ledger)
    (stored,) = ledger.list()
    assert stored.key == f"20260101T120001000000-{UUID(int=1)}.json"
    assert json.loads(ledger.read(stored.key)) == {
        "id": str(UUID(int=1)),
        "erased_at": "2026-01-01T12:00:01+00:00",
        "participant": str(UUID(int=101)),
        "by": "participant",
    }


def test_no_object_is_an_empty_ledger(ledger: Store) -> None:
    assert read(ledger) == []


def test_the_ledger_of_a_backup_is_one_of_many_lines(ledger: Store) -> None:
    ledger.put("ledger.jsonl", entry(2).line() + entry(1).line())
    append([entry(3), entry(2)], ledger)
    assert read(ledger) == [entry(1), entry(2), entry(3)]


@pytest.mark.parametrize(
    "line", ["{}", "nonsense", '{"id": "x"}', "[]", '{"id": "1", "erased_at": "2026-01-01"}', '{"id": "cut']
)
def test_another_line_is_named(ledger: Store, line: str) -> None:
    ledger.put("ledger.jsonl", entry(1).line() + line.encode())
    with pytest.raises(LedgerError, match=r"ledger\.jsonl, line 2 is not a ledger entry .*restore the file"):
        read(ledger)


def test_a_ledger_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "ledger").write_text("no folder")
    with pytest.raises(
        LedgerError, match=r"ledger cannot be written .*; check the folder's permissions and the free space"
    ):
        append([entry(1)], open_store(tmp_path / "ledger"))
