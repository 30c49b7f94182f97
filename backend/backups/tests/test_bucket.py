"""The platform keeps all of its files in a bucket, and none on its own disk."""

import io
from pathlib import Path
from typing import Any

import httpx
import pytest
from batches import folder
from django.test import Client
from django.utils import timezone
from s3_stores import Server
from videos import ffmpeg_is_here, real_video

from accounts.models import Role, Scope
from analysis.computing import turns
from analysis.computing.runs import run_if_due
from analysis.models import Part, Result, Snapshot
from analysis.snapshots.columns import FILES
from analysis.snapshots.erasure import drop_strays
from backups import making
from exports.models import ExportJob
from eyelevel_core.contracts import sha256_of_bytes
from lib import stores
from privacy import erasure_ledger
from privacy.erasure import erase
from privacy.models import By
from ratings.models import Participant, Trial, Vote
from stimuli import blobs, tasks
from testing import studies
from testing.bucket import bucket, s3_server
from testing.exports import ask, download, jobs_path, make
from testing.votes import Field
from testing.web import participant, with_token

from .test_restore import quiet, restored

__all__ = ["bucket", "s3_server"]

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services, pytest.mark.stores]


def keys() -> list[str]:
    """All that is in the platform's part of the bucket, in its four stores."""
    all_stores = (stores.blobs(), stores.snapshots(), stores.exports(), stores.erasures())
    return [f"{store.address}/{stored.key}" for store in all_stores for stored in store.list()]


def files_left(settings: Any, tmp_path: Path) -> list[Path]:
    return [path for path in tmp_path.rglob("*") if path.is_file()]


def researcher() -> Client:
    """The owner of the studies that follow."""
    rosa = Client()
    rosa.force_login(studies.user("rosa", Role.RESEARCHER))
    return rosa


def analysed(field: Field) -> Result:
    turns.ask(field.study.pk)
    run_if_due(field.study.pk, timezone.now)
    return Result.objects.get()


@pytest.mark.skipif(not ffmpeg_is_here(), reason="needs ffmpeg and ffprobe")
def test_a_batch_comes_into_the_bucket_and_its_clips_go_to_participants(
    bucket: str, settings: Any, tmp_path: Path
) -> None:
    upload, pusher = folder(real_video, sites=["alpha"], networks=["DSL"]), with_token(Scope.BATCHES)
    missing = pusher.post("/api/batches", upload.manifest_bytes, content_type="application/json").json()["missing"]
    for digest in missing:
        path = f"/api/batches/{upload.sha256}/blobs/{digest}"
        assert pusher.put(path, upload.blobs[digest], content_type="application/octet-stream").status_code == 204
    pusher.post(f"/api/batches/{upload.sha256}/commit")
    # it decodes every video, of which the disk has a copy meanwhile
    tasks.commit_batch(upload.sha256)
    assert pusher.get(f"/api/batches/{upload.sha256}/commit").json()["state"] == "visible"
    assert sorted(keys()) == sorted(f"{bucket}/blobs/{blobs.name_of(digest)}" for digest in upload.blobs)
    assert files_left(settings, tmp_path) == []


@pytest.fixture
def clip(bucket: str) -> tuple[Client, dict[str, Any], bytes, str]:
    """A participant, a clip of theirs, its bytes and its digest."""
    batch_folder = folder()
    studies.visible_batch(batch_folder)
    for digest, data in batch_folder.blobs.items():
        stores.blobs().put(blobs.name_of(digest), data)
    client, session = participant(studies.study().fieldings.get().slug)
    clip_info = session["trials"][0]["clip"]
    trial = Trial.objects.select_related("stimulus__clip").get(clip_token=clip_info["url"].removeprefix("/clips/"))
    digest = trial.stimulus.clip.sha256
    return client, clip_info, batch_folder.blobs[digest], digest


def test_parts_of_a_clip_come_through_us_and_no_header_names_it(
    clip: tuple[Client, dict[str, Any], bytes, str],
) -> None:
    client, clip_info, data, digest = clip
    whole = client.get(clip_info["url"])
    assert (whole.status_code, b"".join(whole.streaming_content)) == (200, data)  # type: ignore[attr-defined]
    part = client.get(clip_info["url"], headers={"Range": "bytes=2-4"})
    assert (part.status_code, b"".join(part.streaming_content)) == (206, data[2:5])  # type: ignore[attr-defined]
    for answer in (whole, part):
        # an address of the bucket would have the digest, by which two who talk could pair their clips
        assert "Location" not in answer.headers
        assert "X-Accel-Redirect" not in answer.headers
        assert not any(digest in value or "s3" in value.lower() for value in answer.headers.values())


def test_a_clip_is_asked_for_again_while_the_store_is_away(
    clip: tuple[Client, dict[str, Any], bytes, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    client, clip_info, data, _ = clip
    stores.close()
    with monkeypatch.context() as away:
        away.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
        answer = client.get(clip_info["url"])
        assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    stores.close()
    assert b"".join(client.get(clip_info["url"]).streaming_content) == data  # type: ignore[attr-defined]


def test_results_exports_and_erasures_need_no_folder(bucket: str, settings: Any, tmp_path: Path) -> None:
    rosa, field = researcher(), Field()
    field.rate("QUIC", 6)
    field.rate("TCP+", 4)
    result = analysed(field)
    named = {f"{bucket}/snapshots/{result.snapshot_id}/{name}" for name in (*FILES, "snapshot.json")} | {
        f"{bucket}/snapshots/{part.study_id}/{part.sha256}.parquet" for part in Part.objects.all()
    }
    assert set(keys()) == named
    assert download(rosa, field.study.pk, origin="all")[:2] == b"PK"
    job = ExportJob.objects.get()
    assert set(keys()) == named | {f"{bucket}/exports/{job.file_sha256}.zip"}
    leaver = Participant.objects.order_by("pk").first()
    assert leaver is not None
    erase(leaver, by=By.PARTICIPANT)
    (entry,) = erasure_ledger.read()
    assert entry.participant == leaver.pk
    assert keys() == [f"{bucket}/erasures/{entry.key}"]
    assert not Snapshot.objects.exists()
    assert drop_strays() == 0
    assert files_left(settings, tmp_path) == []


def test_a_damaged_snapshot_is_noticed(bucket: str) -> None:
    rosa, field = researcher(), Field()
    field.rate("QUIC", 6)
    analysed(field)
    (part,) = Part.objects.filter(kind="votes")
    key = f"{field.study.pk}/{part.sha256}.parquet"
    stores.snapshots().put(key, b"damaged")
    job = ask(rosa, field.study.pk, origin="all").json()["id"]
    assert not make(job)
    body = rosa.get(f"{jobs_path(field.study.pk)}/{job}").json()
    assert (body["state"], body["reason"]) == ("failed", "damaged")
    assert f"{bucket}/snapshots/{key} is missing" in body["message"]


def test_a_backup_is_made_of_the_bucket_and_restored_into_it(bucket: str, settings: Any) -> None:
    from django.conf import global_settings
    from django.core.management import call_command

    call_command("prepare", stdout=io.StringIO())
    settings.PASSWORD_HASHERS = global_settings.PASSWORD_HASHERS
    studies.user("rosa", Role.RESEARCHER)
    field, video = Field(), b"a video" * 1000
    field.rate("QUIC", 6)
    field.rate("TCP+", 4)
    field.study.batch.files.create(path="clips/a.mp4", sha256=sha256_of_bytes(video), bytes=len(video))
    type(field.study.batch).objects.update(state="visible")
    stores.blobs().put(blobs.name_of(sha256_of_bytes(video)), video)
    analysed(field)
    out = io.BytesIO()
    making.make_backup(out, tell=quiet)
    before = sorted(keys())
    for store in (stores.blobs(), stores.snapshots()):
        for stored in list(store.list()):
            store.delete(stored.key)
    field.rate("QUIC", 1)
    report = restored(out.getvalue())
    assert [finding.text for finding in report.findings if not finding.holds] == []
    assert Vote.objects.count() == 2
    assert sorted(keys()) == before
    assert blobs.read(sha256_of_bytes(video)) == video


def test_the_bucket_is_closed_to_others(clip: tuple[Client, dict[str, Any], bytes, str], s3_server: Server) -> None:
    _, _, _, digest = clip
    address = s3_server.variables["AWS_ENDPOINT_URL"]
    assert httpx.get(f"{address}/eyelevel/{blobs.name_of(digest)}").status_code in (401, 403, 404)
