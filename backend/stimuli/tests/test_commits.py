"""The commit of a batch is a job: it shows its progress, ends in time, and survives its worker."""

import io
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Event
from typing import Any

import pytest
from batches import Folder, folder
from django.db import connection
from django.utils import timezone
from kombu.exceptions import OperationalError
from videos import ffmpeg_is_here, real_video

from eyelevel_core.contracts import sha256_of_bytes
from lib.advisory_locks import locked
from lib.problems import Problem
from stimuli import blobs, commits, tasks, uploads
from stimuli.models import Batch, BatchState, Blob, Clip, Refusal, Take
from testing.workers import start

pytestmark = [
    pytest.mark.services,
    pytest.mark.skipif(not ffmpeg_is_here(), reason="needs ffmpeg and ffprobe"),
]
several = pytest.mark.django_db(transaction=True)
alone = pytest.mark.django_db

# the worker stops in the middle of `place`, and says so
STUCK = """
import sys, time
import django
django.setup()
from django.conf import settings
from stimuli import commits, uploads
{patch}
commits.run(sys.argv[1])
"""
IN_THE_SECOND_TAKE = """
from stimuli import blobs
commits.SAVE_EVERY, read, seen = 1, blobs.read, []
def stuck(sha256):
    seen.append(sha256)
    if len(seen) == 2:
        print("stuck", flush=True)
        time.sleep(600)
    return read(sha256)
blobs.read = stuck
"""
WITH_ITS_ROWS_WRITTEN = """
read_out = commits.read_out
def stuck(batch):
    read_out(batch)
    print("stuck", flush=True)
    time.sleep(600)
commits.read_out = stuck
"""
WITH_THE_BATCH_DROPPED = """
def stuck(found):
    print("stuck", flush=True)
    time.sleep(600)
uploads._drop_unlisted = stuck
"""


def sent(upload: Folder) -> Folder:
    uploads.announce(upload.manifest_bytes, user=None)
    for data in upload.blobs.values():
        put(upload, data)
    return upload


def put(upload: Folder, data: bytes) -> None:
    batch = Batch.objects.get(sha256=upload.sha256)
    uploads.take_blob(batch, sha256_of_bytes(data), stream=io.BytesIO(data), length_bytes=len(data))


def small(campaign: str = "one") -> Folder:
    return folder(real_video, sites=["alpha"], networks=["DSL"], campaign=campaign)


def bad() -> Folder:
    upload = small("bad")
    upload.manifest["takes"][1]["metrics"] = upload.manifest["takes"][1]["metrics"] | {"si_ms": 1.0}
    return upload


def state_of(upload: Folder) -> tuple[str, int, int, int]:
    batch = Batch.objects.get(sha256=upload.sha256)
    return batch.state, batch.takes_checked, Take.objects.count(), Clip.objects.count()


@pytest.fixture
def killed(settings: Any) -> Iterator[Callable[[Folder, str], None]]:
    """Kill a worker in the middle of a commit."""
    started: list[subprocess.Popen[str]] = []

    def kill(upload: Folder, patch: str) -> None:
        where = f"settings.BLOB_STORE = {settings.BLOB_STORE!r}"
        worker = start(STUCK.format(patch=f"{where}\n{patch}"), upload.sha256)
        started.append(worker)
        assert worker.stdout is not None
        assert worker.stdout.readline() == "stuck\n"
        assert not commits.run(upload.sha256)
        worker.kill()
        worker.wait()
        _wait_until_unlocked(upload)

    yield kill
    for worker in started:
        worker.kill()
        worker.communicate()


def _wait_until_unlocked(upload: Folder) -> None:
    for _ in range(200):
        with locked(f"commit {upload.sha256}", wait=False) as free:
            if free:
                return
        time.sleep(0.05)
    raise AssertionError("the killed worker's lock is still held")


@several
def test_a_worker_killed_in_the_middle_of_the_takes_is_replaced_where_it_was(
    killed: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload = sent(small())
    commits.begin(upload.sha256)
    killed(upload, IN_THE_SECOND_TAKE)
    assert state_of(upload) == ("committing", 1, 0, 0)
    read: list[str] = []
    original = blobs.read

    def counted(sha256: str) -> bytes:
        read.append(sha256)
        return original(sha256)

    monkeypatch.setattr(blobs, "read", counted)
    assert commits.pending() == [upload.sha256]
    tasks.commit_batch(upload.sha256)
    assert state_of(upload) == ("visible", 2, 2, 4)
    assert read == [upload.manifest["files"][upload.manifest["takes"][1]["path"]]["sha256"]]
    assert commits.pending() == []


@several
def test_a_worker_killed_while_the_batch_becomes_visible_leaves_none_of_its_rows(killed: Any) -> None:
    upload = sent(small())
    commits.begin(upload.sha256)
    killed(upload, WITH_ITS_ROWS_WRITTEN)
    assert state_of(upload) == ("committing", 2, 0, 0)
    tasks.commit_batch(upload.sha256)
    assert state_of(upload) == ("visible", 2, 2, 4)


@several
def test_blobs_left_by_a_worker_killed_during_a_refusal_are_dropped_later(killed: Any) -> None:
    kept, refused = sent(small()), sent(bad())
    commits.begin(refused.sha256)
    killed(refused, WITH_THE_BATCH_DROPPED)
    assert Refusal.objects.get().code == "bad_take"
    assert set(Blob.objects.values_list("sha256", flat=True)) == set(kept.blobs) | set(refused.blobs)
    tasks.drop_stale_batches()
    assert set(Blob.objects.values_list("sha256", flat=True)) == set(kept.blobs)


@several
def test_a_commit_holds_up_neither_another_commit_nor_a_blob(monkeypatch: pytest.MonkeyPatch) -> None:
    slow, quick, third = sent(small("slow")), sent(small("quick")), small("third")
    uploads.announce(third.manifest_bytes, user=None)
    for upload in (slow, quick):
        commits.begin(upload.sha256)
    entered, go_on, original = Event(), Event(), commits._video_problem

    def held_up(batch: Batch, described: Any) -> Problem | None:
        if batch.sha256 == slow.sha256:
            entered.set()
            assert go_on.wait(60)
        return original(batch, described)

    def run_slow() -> None:
        try:
            commits.run(slow.sha256)
        finally:
            connection.close()

    monkeypatch.setattr(commits, "_video_problem", held_up)
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(run_slow)
        assert entered.wait(60)
        try:
            commits.run(quick.sha256)
            put(third, third.files["campaign.toml"])
            assert commits.begin(slow.sha256).state == "committing"
            assert state_of(quick)[0] == "visible"
        finally:
            go_on.set()
        running.result()
    assert state_of(slow)[0] == "visible"


@alone
def test_a_long_check_goes_on_in_further_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    upload = sent(small())
    commits.begin(upload.sha256)
    again: list[str] = []
    monkeypatch.setattr(tasks.commit_batch, "delay", again.append)
    monkeypatch.setattr(commits, "AT_MOST_S", 0.0)
    done = []
    for _ in range(2):
        tasks.commit_batch(upload.sha256)
        done.append(commits.counts(Batch.objects.get()))
    monkeypatch.setattr(commits, "AT_MOST_S", 60.0)
    tasks.commit_batch(upload.sha256)
    assert (done, again) == ([(1, 6), (3, 6)], [upload.sha256] * 2)
    assert state_of(upload) == ("visible", 2, 2, 4)


@alone
def test_a_blob_that_has_gone_refuses_the_batch_and_shows_none_of_it() -> None:
    upload = sent(small())
    commits.begin(upload.sha256)
    lost = upload.manifest["files"]["campaign.toml"]["sha256"]
    Blob.objects.filter(sha256=lost).delete()
    assert not commits.run(upload.sha256)
    with pytest.raises(Problem) as caught:
        commits.watched(upload.sha256)
    assert (caught.value.code, caught.value.details["missing"]) == ("blobs_missing", [lost])
    assert (Batch.objects.count(), Take.objects.count(), Blob.objects.count()) == (0, 0, 0)


@alone
def test_wrong_bytes_are_not_taken_once_all_have_arrived() -> None:
    upload = sent(small())
    commits.begin(upload.sha256)
    right = upload.files["campaign.toml"]
    wrong = io.BytesIO(b"x" * len(right))
    with pytest.raises(Problem) as caught:
        uploads.take_blob(Batch.objects.get(), sha256_of_bytes(right), stream=wrong, length_bytes=len(right))
    assert (caught.value.code, uploads.AGAIN in caught.value.message) == ("wrong_digest", False)
    commits.run(upload.sha256)
    assert state_of(upload)[0] == "visible"


@alone
def test_a_blob_whose_batch_is_refused_while_it_comes_is_dropped() -> None:
    upload = small()
    batch = uploads.announce(upload.manifest_bytes, user=None)
    data = upload.files["campaign.toml"]

    class Refusing(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            uploads.drop(upload.sha256, Problem(422, "bad_take", "wrong"), state=BatchState.RECEIVING)
            return super().read(size)

    with pytest.raises(Problem, match="wrong"):
        uploads.take_blob(batch, sha256_of_bytes(data), stream=Refusing(data), length_bytes=len(data))
    assert (Batch.objects.count(), Blob.objects.count()) == (0, 0)


@alone
def test_a_batch_whose_commit_waits_for_a_worker_is_never_stale() -> None:
    upload = sent(small())
    commits.begin(upload.sha256)
    Batch.objects.update(created_at=timezone.now() - timedelta(days=3))
    tasks.drop_stale_batches()
    assert state_of(upload)[0] == "committing"


@alone
def test_a_commit_calls_the_worker_once(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    called: list[str] = []
    monkeypatch.setattr(tasks.commit_batch, "delay", called.append)
    upload = sent(small())
    with django_capture_on_commit_callbacks(execute=True):
        commits.begin(upload.sha256)
        commits.begin(upload.sha256)
    assert called == [upload.sha256]


@alone
def test_a_dead_queue_costs_no_commit(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    django_capture_on_commit_callbacks: Any,
    settings: Any,
) -> None:
    def dead(_: str) -> None:
        raise OperationalError("nobody there")

    monkeypatch.setattr(tasks.commit_batch, "delay", dead)
    upload = sent(small())
    with django_capture_on_commit_callbacks(execute=True):
        commits.begin(upload.sha256)
    assert f"The commit of the batch {upload.sha256} could not be queued: nobody there" in caplog.text
    # beat calls the worker in its place
    assert settings.CELERY_BEAT_SCHEDULE["resume-commits"]["task"] == tasks.resume_commits.name
    called: list[str] = []
    monkeypatch.setattr(tasks.commit_batch, "delay", called.append)
    tasks.resume_commits()
    assert called == [upload.sha256]
