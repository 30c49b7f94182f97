"""A disk that fills during a backup or a restore: nothing looks whole, and nothing of the platform changes."""

import contextlib
import io
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import OperationalError

from backups import making, postgres, restoring
from backups.errors import BackupError
from backups.models import Kind
from backups.runs import last, noted
from lib import stores
from ratings.models import Vote
from stimuli import blobs
from testing.votes import Field

from .test_restore import VIDEO_SHA256, backup, field, quiet, read_all, scratch_left

__all__ = ["backup", "field"]

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services, pytest.mark.root]

# enough for what is checked before the first byte
SIZE_MB = 320


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A separate small disk."""
    place = tmp_path / "small"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE_MB}m", "tmpfs", place], check=True)
    yield place
    subprocess.run(["umount", "--lazy", place], check=True)


def filling(place: Path, *, at: str) -> Callable[[str], None]:
    """A function for progress lines that fills the disk when a line begins with `at`."""

    def tell(line: str) -> None:
        if line.startswith(at):
            with (place / "filler").open("wb", buffering=0) as file, contextlib.suppress(OSError):
                while file.write(bytes(1 << 20)):
                    pass

    return tell


def test_a_backup_that_finds_no_more_room_is_none(field: Field, small: Path) -> None:
    written = small / "platform.backup"
    with (
        pytest.raises(OSError, match="No space left"),
        written.open("wb", buffering=0) as out,
    ):
        making.make_backup(out, tell=filling(small, at="Reading the database"))
    # what came of it is refused, should anybody take it for a backup
    with pytest.raises(BackupError, match=r"cut off|damaged"):
        read_all(written.read_bytes())


def test_a_restore_that_finds_no_more_room_changes_nothing(
    field: Field, backup: bytes, small: Path, settings: Any
) -> None:
    field.rate("QUIC", 7)
    votes = {str(vote.pk) for vote in Vote.objects.all()}
    snapshots = [stored.key for stored in stores.snapshots().list()]
    blobs.drop(VIDEO_SHA256)
    settings.SCRATCH_DIR = small / "incoming"
    with pytest.raises(OSError, match="No space left"):
        restoring.restore(_Filling(backup, small), drill=False, replace=True, tell=quiet)
    assert {str(vote.pk) for vote in Vote.objects.all()} == votes
    assert [stored.key for stored in stores.snapshots().list()] == snapshots
    assert not blobs.is_stored(VIDEO_SHA256)
    assert not scratch_left()
    assert not [path for path in (small / "incoming").rglob("*") if path.is_file()]
    # and there is room again
    (small / "filler").unlink()
    restoring.restore(io.BytesIO(backup), drill=False, replace=True, tell=quiet)
    assert Vote.objects.count() == 2
    assert blobs.is_stored(VIDEO_SHA256)
    postgres.drop_database(postgres.live_database() + postgres.BEFORE)


class _Filling(io.BytesIO):
    """The bytes of a backup; the disk fills up once the first of them were read."""

    def __init__(self, data: bytes, place: Path) -> None:
        super().__init__(data)
        self._fill: Callable[[str], None] | None = filling(place, at="")
        self._read = 0

    def read(self, size: int | None = -1, /) -> bytes:
        data = super().read(size)
        self._read += len(data)
        if self._fill is not None and self._read > 20_000:
            fill, self._fill = self._fill, None
            fill("")
        return data


def test_the_command_says_that_the_disk_is_full(field: Field, backup: bytes, small: Path, settings: Any) -> None:
    settings.SCRATCH_DIR = small / "incoming"
    blobs.drop(VIDEO_SHA256)
    with (
        pytest.raises(BackupError, match="The disk is full, so the restore failed"),
        noted(Kind.RESTORE),
    ):
        restoring.restore(_Filling(backup, small), drill=False, replace=True, tell=quiet)
    run = last(Kind.RESTORE)
    assert run is not None
    assert not run.ok
    assert "disk is full" in run.sentences[0]


def test_a_full_disk_of_the_database_is_one_as_well(field: Field) -> None:
    error = OperationalError("could not extend file")
    error.__cause__ = psycopg.errors.DiskFull("could not extend file")
    with pytest.raises(BackupError, match="The disk is full, so the drill failed"), noted(Kind.DRILL):
        raise error
