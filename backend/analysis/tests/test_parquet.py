"""Reading Parquet: the same rows in any pieces, and other threads go on meanwhile."""

import threading
import time
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from analysis.snapshots import parquet
from eyelevel_core.tables import Column

COLUMNS = [Column(f"c{n}", "datetime", None, "") for n in range(5)]


def values(rows: int) -> list[datetime]:
    return [datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=row) for row in range(rows)]


def written(folder: Path, rows: int) -> Path:
    path = folder / "x.parquet"
    path.write_bytes(parquet.parquet_bytes(COLUMNS, [[value] * len(COLUMNS) for value in values(rows)]))
    return path


@pytest.mark.parametrize("piece", [1, 3, 7, 8])
def test_pieces_come_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, piece: int) -> None:
    monkeypatch.setattr(parquet, "PIECE_ROWS", piece)
    found = parquet.read_columns(written(tmp_path, 7))
    assert found == {column.name: values(7) for column in COLUMNS}


def test_a_file_without_rows_has_its_columns(tmp_path: Path) -> None:
    assert parquet.read_columns(written(tmp_path, 0)) == {column.name: [] for column in COLUMNS}


@pytest.mark.realtime
def test_other_threads_go_on_while_rows_are_read(tmp_path: Path) -> None:
    path, over = written(tmp_path, 100_000), threading.Event()
    woken = [time.monotonic()]

    def watch() -> None:
        while not over.wait(0.001):
            woken.append(time.monotonic())

    watcher = threading.Thread(target=watch)
    watcher.start()
    begun = time.monotonic()
    parquet.read_columns(path)
    took = time.monotonic() - begun
    over.set()
    watcher.join()
    woken.append(time.monotonic())
    assert max(after - before for before, after in pairwise(woken)) < took / 4
