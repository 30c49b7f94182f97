"""A full disk is recognised however it breaks the work, uses up no attempt, and leaves a campaign that can go on."""

import errno
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

from eyelevel.disk import DiskFullError, is_full, room
from eyelevel.errors import Exit, EyelevelError
from tests.capture import fake

FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def free(monkeypatch: pytest.MonkeyPatch, *bytes_: int) -> None:
    monkeypatch.setattr(shutil, "disk_usage", Mock(side_effect=[Mock(free=each) for each in bytes_]))


def test_work_does_not_start_without_the_space_that_it_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    free(monkeypatch, 99)
    with pytest.raises(DiskFullError, match="is full"), room(tmp_path, needed_bytes=100):
        pytest.fail("the work began")


@pytest.mark.parametrize("cause", [FULL, OSError(errno.EDQUOT, os.strerror(errno.EDQUOT))])
def test_a_full_disk_behind_another_error_is_recognised(tmp_path: Path, cause: OSError) -> None:
    with pytest.raises(DiskFullError) as caught, room(tmp_path):
        raise EyelevelError("broken result") from cause
    assert caught.value.exit_status == Exit.NO_ROOM
    assert is_full(caught.value)


def test_another_error_stays_as_it_is_where_there_is_space_and_is_a_full_disk_where_there_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free(monkeypatch, 200, 200, 200, 99)
    with pytest.raises(EyelevelError, match="the browser died"), room(tmp_path, needed_bytes=100):
        raise EyelevelError("the browser died")
    with pytest.raises(DiskFullError), room(tmp_path, needed_bytes=100):
        raise EyelevelError("the browser died")


CAMPAIGN = """
import sys
from pathlib import Path
from eyelevel.disk import DiskFullError, room
from tests.capture import fake

batch = Path(sys.argv[1])

def attempt(context, run, number, place, following):
    film = context.scratch / "film.mkv"
    try:
        with room(context.batch.root):
            film.parent.mkdir(parents=True, exist_ok=True)
            film.write_bytes(bytes(200_000))
            take = fake.loads(void=lambda *_: False)(context, run, number, place, following)
            film.rename(place / "film.mkv")
            return take
    finally:
        film.unlink(missing_ok=True)

try:
    with room(batch):
        fake.command(batch, attempt)
except DiskFullError as error:
    print(error, file=sys.stderr)
    sys.exit(error.exit_status)
"""
ON_A_SMALL_DISK = """
mount -t tmpfs -o size=1m tmpfs "$1" && cd "$1" && mkdir batch || exit 99
shift
"$@"; echo "status $?"
mount -o remount,size=64m "$PWD" || exit 99
"$@"; echo "status $?"
cp -r . "$KEPT"
"""


@pytest.mark.root
def test_a_campaign_on_a_disk_that_the_kernel_calls_full_uses_up_no_attempt_and_goes_on(tmp_path: Path) -> None:
    disk, kept = tmp_path / "disk", tmp_path / "kept"
    disk.mkdir()
    ended = subprocess.run(
        [
            *("unshare", "--mount", "--propagation", "private", "sh", "-c", ON_A_SMALL_DISK, "sh", str(disk)),
            *(sys.executable, "-c", CAMPAIGN, "batch"),
        ],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[1]), "KEPT": str(kept)},
    )
    assert ended.stdout.splitlines() == [f"status {Exit.NO_ROOM.value}", "status 0"], ended.stderr
    assert ended.stderr.startswith("The disk of batch is full (no space left on device); finished files are kept")
    attempts = [json.loads(line) for line in (kept / "batch" / "attempts.jsonl").read_text().splitlines()]
    assert {(line["attempt"], line["outcome"] != "void") for line in attempts} == {(1, True)}
    takes = {path.parent.relative_to(kept / "batch").as_posix() for path in kept.glob("batch/takes/*/*/*/*/take.json")}
    assert takes == {line["run"] for line in attempts} == {run.path for run in fake.runs()}
    assert {path.stat().st_size for path in kept.glob("batch/takes/*/*/*/*/film.mkv")} == {200_000}
