"""Videos are checked by the worker: a commit waits for it, and no web thread does."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from batches import Folder, folder
from django.db.models import F
from django.dispatch import Signal
from django.test import Client
from kombu.exceptions import OperationalError
from videos import ffmpeg_is_here, real_video

from accounts.models import Scope
from eyelevel_core.batch_folder import ffprobe
from stimuli import blobs, probes, receivers, tasks
from stimuli.models import Batch, Blob, Clip
from stimuli.signals import commit_begun, video_stored
from testing.web import with_token

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.services,
    pytest.mark.skipif(not ffmpeg_is_here(), reason="needs ffmpeg and ffprobe"),
]


@pytest.fixture
def pusher(db: None) -> Client:
    return with_token(Scope.BATCHES)


def sent(pusher: Client) -> Folder:
    """A batch of four videos, all of whose files have arrived."""
    upload = folder(real_video, sites=["alpha"], networks=["DSL"])
    pusher.post("/api/batches", upload.manifest_bytes, content_type="application/json")
    for path in upload.files:
        assert put(pusher, upload, path).status_code == 204
    return upload


def put(pusher: Client, upload: Folder, path: str) -> Any:
    target = f"/api/batches/{upload.sha256}/blobs/{upload.manifest['files'][path]['sha256']}"
    return pusher.put(target, upload.files[path], content_type="application/octet-stream")


def commit(pusher: Client, upload: Folder) -> tuple[int, str, int, int]:
    answer = pusher.post(f"/api/batches/{upload.sha256}/commit")
    body = answer.json()
    return answer.status_code, body["state"], body["checks_done"], body["checks_total"]


def test_no_request_waits_for_ffprobe(pusher: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    probed: list[Path] = []
    original = ffprobe.probe

    def probe(path: Path) -> dict[str, Any]:
        probed.append(path)
        return original(path)

    monkeypatch.setattr(ffprobe, "probe", probe)
    upload = sent(pusher)
    for _ in range(2):
        assert commit(pusher, upload) == (202, "committing", 0, 6)
    assert (probed, Clip.objects.count()) == ([], 0)
    tasks.commit_batch(upload.sha256)
    assert len(probed) == 4
    for _ in range(2):
        assert commit(pusher, upload) == (200, "visible", 6, 6)
    assert (len(probed), Clip.objects.count()) == (4, 4)


def test_a_commit_counts_the_videos_checked(pusher: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probes, "AT_MOST_S", 0.0)
    upload = sent(pusher)
    for checked in range(1, 5):
        tasks.probe_videos()
        assert commit(pusher, upload) == (202, "committing", checked, 6)
    tasks.commit_batch(upload.sha256)
    assert commit(pusher, upload) == (200, "visible", 6, 6)


def test_a_video_that_arrives_calls_the_worker(
    pusher: Client, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    called: list[bool] = []
    monkeypatch.setattr(tasks.probe_videos, "delay", lambda: called.append(True))
    with django_capture_on_commit_callbacks(execute=True):
        sent(pusher)
    assert len(called) == 4


def test_a_dead_queue_costs_no_video(
    pusher: Client,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    django_capture_on_commit_callbacks: Any,
    settings: Any,
) -> None:
    def dead() -> None:
        raise OperationalError("nobody there")

    monkeypatch.setattr(tasks.probe_videos, "delay", dead)
    with django_capture_on_commit_callbacks(execute=True):
        sent(pusher)
    assert caplog.text.count("The probe of a video could not be queued: nobody there") == 4
    # beat calls the worker in its place
    assert settings.CELERY_BEAT_SCHEDULE["probe-videos"]["task"] == tasks.probe_videos.name


def test_a_video_that_cannot_be_read_keeps_no_other_waiting(
    pusher: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    upload = sent(pusher)
    lost = upload.manifest["clips"][1]["sha256"]
    original = blobs.on_disk

    def on_disk(sha256: str) -> Any:
        if sha256 == lost:
            raise FileNotFoundError(sha256)
        return original(sha256)

    monkeypatch.setattr(blobs, "on_disk", on_disk)
    commit(pusher, upload)
    tasks.commit_batch(upload.sha256)
    assert commit(pusher, upload) == (202, "committing", 5, 6)
    assert f"The video {lost} could not be probed" in caplog.text


def test_what_ffprobe_said_of_a_dropped_video_is_not_kept_for_the_one_sent_again(
    pusher: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload = sent(pusher)

    def dropped_meanwhile(_: Path) -> dict[str, Any]:
        Blob.objects.update(stored_at=F("stored_at") + timedelta(seconds=1))
        return {"error": "ffprobe finds no MP4 video in it"}

    monkeypatch.setattr(ffprobe, "probe", dropped_meanwhile)
    tasks.probe_videos()
    assert commit(pusher, upload) == (202, "committing", 0, 6)


def test_only_videos_of_arriving_batches_are_probed(pusher: Client) -> None:
    upload = sent(pusher)
    Batch.objects.update(state="visible")
    tasks.probe_videos()
    assert not Blob.objects.filter(probe__isnull=False).exists()
    Batch.objects.update(state="committing")
    tasks.probe_videos()
    probed = Blob.objects.filter(probe__isnull=False).values_list("sha256", flat=True)
    assert set(probed) == {clip["sha256"] for clip in upload.manifest["clips"]}


def test_a_server_without_ffprobe_says_so_and_keeps_the_batch(
    pusher: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    upload = sent(pusher)
    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(tmp_path))
        with pytest.raises(ffprobe.ProbeMissingError):
            tasks.probe_videos()
        early = pusher.post(f"/api/batches/{upload.sha256}/commit")
    assert commit(pusher, upload) == (202, "committing", 0, 6)
    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(tmp_path))
        late = pusher.get(f"/api/batches/{upload.sha256}/commit")
    for answer in (early, late):
        error = answer.json()["error"]
        assert (answer.status_code, error["code"], error["retry"]) == (503, "ffprobe_missing", True)
        assert "install Debian's packages ffmpeg and util-linux" in error["message"]
    tasks.commit_batch(upload.sha256)
    assert commit(pusher, upload) == (200, "visible", 6, 6)


@pytest.mark.parametrize("signal", [video_stored, commit_begun])
def test_the_receiver_is_connected_once(signal: Signal) -> None:
    receivers.connect()
    assert sum(receiver[0][0] == "stimuli" for receiver in signal.receivers) == 1
