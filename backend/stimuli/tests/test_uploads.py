"""A batch comes whole or not at all: manifest, missing blobs, commit."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from batches import Folder, add_for_researchers, folder
from django.test import Client
from django.utils import timezone
from videos import encode, ffmpeg_is_here, real_video

from accounts.models import Scope
from eyelevel_core.contracts import sha256_of_bytes
from lib.problems import Problem
from stimuli import blobs, tasks, uploads
from stimuli.clips import read_out
from stimuli.models import Batch, BatchFile, Blob, Clip, Refusal, Take
from testing.store import blob_folder
from testing.web import with_token

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.services,
    pytest.mark.skipif(not ffmpeg_is_here(), reason="needs ffmpeg and ffprobe"),
]


def small(**options: Any) -> Folder:
    return folder(real_video, sites=["alpha"], networks=["DSL"], **options)


@pytest.fixture
def pusher(db: None) -> Client:
    return with_token(Scope.BATCHES)


def announce(pusher: Client, upload: Folder) -> Any:
    return pusher.post("/api/batches", upload.manifest_bytes, content_type="application/json")


def put(pusher: Client, upload: Folder, digest: str, data: bytes) -> Any:
    path = f"/api/batches/{upload.sha256}/blobs/{digest}"
    return pusher.put(path, data, content_type="application/octet-stream")


def commit(pusher: Client, upload: Folder) -> Any:
    return pusher.post(f"/api/batches/{upload.sha256}/commit")


def push(pusher: Client, upload: Folder) -> Any:
    for digest in announce(pusher, upload).json()["missing"]:
        assert put(pusher, upload, digest, upload.blobs[digest]).status_code == 204
    return committed(pusher, upload)


def committed(pusher: Client, upload: Folder) -> Any:
    """The answer once the worker has done its part, or the refusal of the request."""
    asked = commit(pusher, upload)
    if asked.status_code != 202:
        return asked
    assert asked.json()["state"] == "committing"
    tasks.commit_batch(upload.sha256)
    return state(pusher, upload)


def state(pusher: Client, upload: Folder) -> Any:
    return pusher.get(f"/api/batches/{upload.sha256}/commit")


def files_on_disk(settings: Any) -> list[Path]:
    return [path for path in blob_folder().rglob("*") if path.is_file()]


def nothing_is_left(settings: Any) -> bool:
    rows = [model.objects.count() for model in (Batch, BatchFile, Blob, Clip, Take)]
    return rows == [0] * 5 and files_on_disk(settings) == []


def test_a_whole_batch_becomes_visible(pusher: Client, settings: Any) -> None:
    upload = small()
    body = announce(pusher, upload).json()
    assert (body["state"], sorted(body["missing"])) == ("receiving", sorted(upload.blobs))
    assert Clip.objects.count() == 0
    response = push(pusher, upload)
    assert (response.status_code, response.json()["state"], response.json()["missing"]) == (200, "visible", [])
    assert (Take.objects.count(), Clip.objects.count()) == (2, 4)
    assert sorted(path.name for path in files_on_disk(settings)) == sorted(upload.blobs)
    for digest, data in upload.blobs.items():
        assert blobs.read(digest) == data


def test_a_clip_for_researchers_is_kept_but_is_no_stimulus(pusher: Client) -> None:
    upload = small()
    painted = add_for_researchers(upload, real_video(90), like=0)
    assert push(pusher, upload).status_code == 200
    assert blobs.read(painted) == real_video(90)
    assert Clip.objects.count() == 4
    assert not Clip.objects.filter(sha256=painted).exists()
    assert pusher.get("/api/batches").json()[0]["clips"] == 4


def test_a_clip_of_a_phone_has_the_size_of_its_page() -> None:
    upload = small()
    for site in upload.manifest["sites"]:
        site["device"] = "phone"
    for clip in upload.manifest["clips"]:
        clip["pixel_ratio"] = 1.75
    read_out(Batch.objects.create(sha256=upload.sha256, campaign="small", manifest_text=upload.manifest_bytes.decode()))
    assert {(clip.device, clip.width_px, clip.height_px) for clip in Clip.objects.all()} == {("phone", 37, 21)}


def test_a_panel_passed_off_as_a_participants_clip_refuses_the_whole_batch(pusher: Client, settings: Any) -> None:
    upload = small()
    upload.manifest["clips"][0]["height_px"] += 220
    response = push(pusher, upload)
    assert (response.status_code, response.json()["error"]["code"]) == (422, "bad_take")
    assert "participants must see only the page" in response.json()["error"]["message"]
    assert nothing_is_left(settings)


def test_unknown_metrics_stay_unknown(pusher: Client) -> None:
    push(pusher, small())
    takes = Take.objects.order_by("metrics__fvc_ms")
    assert [(take.stack, take.metrics["fvc_ms"], take.metrics["plt_ms"]) for take in takes] == [
        ("TCP+", 100.0, None),
        ("QUIC", 101.0, 351.0),
    ]


def test_pushing_it_again_changes_nothing(pusher: Client) -> None:
    upload = small()
    first = push(pusher, upload).json()
    assert announce(pusher, upload).json() == first
    assert commit(pusher, upload).json() == first
    assert (Batch.objects.count(), Clip.objects.count()) == (1, 4)


def test_a_file_that_the_store_has_lost_is_asked_for_and_taken_again(pusher: Client) -> None:
    upload = small()
    push(pusher, upload)
    digest = min(upload.blobs)
    blobs.drop(digest)
    body = announce(pusher, upload).json()
    assert (body["state"], body["missing"]) == ("visible", [digest])
    assert put(pusher, upload, digest, b"x" * len(upload.blobs[digest])).status_code == 422
    assert not blobs.is_stored(digest)
    assert put(pusher, upload, digest, upload.blobs[digest]).status_code == 204
    assert blobs.read(digest) == upload.blobs[digest]
    assert announce(pusher, upload).json()["missing"] == []


def test_a_broken_off_push_goes_on_where_it_was(pusher: Client) -> None:
    upload = small()
    digests = announce(pusher, upload).json()["missing"]
    put(pusher, upload, digests[0], upload.blobs[digests[0]])
    assert announce(pusher, upload).json()["missing"] == digests[1:]


def test_a_second_batch_sends_only_what_is_new(pusher: Client) -> None:
    push(pusher, small())
    more = folder(real_video, sites=["alpha", "beta"], networks=["DSL"], campaign="more")
    missing = announce(pusher, more).json()["missing"]
    held = set(small().blobs)
    assert sorted(missing) == sorted(set(more.blobs) - held)
    assert push(pusher, more).status_code == 200


def test_a_path_that_leaves_the_folder_is_refused(pusher: Client, settings: Any) -> None:
    upload = small()
    upload.put("../../etc/cron.d/x", b"evil")
    response = announce(pusher, upload)
    assert response.status_code == 422
    assert response.json()["error"]["code"] == "bad_manifest"
    assert "'../../etc/cron.d/x' leaves the folder" in response.json()["error"]["message"]
    assert nothing_is_left(settings)


def test_a_missing_video_refuses_the_whole_batch(pusher: Client, settings: Any) -> None:
    upload = small()
    lost = upload.manifest["clips"][1]
    for digest in announce(pusher, upload).json()["missing"]:
        if digest != lost["sha256"]:
            put(pusher, upload, digest, upload.blobs[digest])
    response = commit(pusher, upload)
    error = response.json()["error"]
    assert (response.status_code, error["code"]) == (409, "blobs_missing")
    assert error["details"] == {"missing": [lost["sha256"]], "paths": [lost["path"]]}
    assert error["message"].startswith(f"{lost['path']} did not arrive.")
    assert nothing_is_left(settings)


def test_wrong_bytes_refuse_the_whole_batch(pusher: Client, settings: Any) -> None:
    upload = small()
    digests = announce(pusher, upload).json()["missing"]
    put(pusher, upload, digests[0], upload.blobs[digests[0]])
    path = "campaign.toml"
    digest = upload.manifest["files"][path]["sha256"]
    wrong = b"x" * len(upload.files[path])
    response = put(pusher, upload, digest, wrong)
    error = response.json()["error"]
    assert (response.status_code, error["code"]) == (422, "wrong_digest")
    assert error["message"].startswith(
        f"{path} has the digest {sha256_of_bytes(wrong)}, but the manifest says {digest}"
    )
    assert nothing_is_left(settings)


def test_a_wrong_size_is_named(pusher: Client, settings: Any) -> None:
    upload = small()
    announce(pusher, upload)
    digest = upload.manifest["files"]["campaign.toml"]["sha256"]
    error = put(pusher, upload, digest, b"short").json()["error"]
    assert (error["code"], error["message"][:46]) == ("wrong_size", "campaign.toml has 5 bytes, but the manifest sa")
    assert nothing_is_left(settings)


def test_a_digest_that_the_manifest_does_not_list_is_not_taken(pusher: Client, settings: Any) -> None:
    upload = small()
    announce(pusher, upload)
    stray = b"stray"
    error = put(pusher, upload, sha256_of_bytes(stray), stray).json()["error"]
    assert error["code"] == "not_in_manifest"
    assert files_on_disk(settings) == []
    assert Batch.objects.count() == 1


def _text_named_mp4(number: int) -> bytes:
    return b"This is a text.\n" * 20 if number == 2 else real_video(number)


def _another_codec(number: int) -> bytes:
    return encode(number, "-c:v", "mpeg4") if number == 2 else real_video(number)


def _network_named_inside(number: int) -> bytes:
    handler = ("-c:v", "libx264", "-preset", "ultrafast", "-metadata:s:v:0", "handler_name=over DSL")
    return encode(number, *handler) if number == 2 else real_video(number)


@pytest.mark.parametrize(
    ("video", "why"),
    [
        (_text_named_mp4, "ffprobe finds no MP4 video in it"),
        (
            _network_named_inside,
            "its metadata has the tag 'handler_name' with the value 'over DSL', which a participant could read; "
            "encode it without metadata",
        ),
        (_another_codec, "its codec is mpeg4, but must be h264"),
    ],
)
def test_what_is_no_declared_video_refuses_the_whole_batch(
    pusher: Client, settings: Any, video: Callable[[int], bytes], why: str
) -> None:
    upload = folder(video, sites=["alpha"], networks=["DSL"])
    response = push(pusher, upload)
    error = response.json()["error"]
    assert (response.status_code, error["code"]) == (422, "bad_video")
    assert error["message"] == f"{upload.manifest['clips'][2]['path']} is not the declared clip: {why}. {uploads.AGAIN}"
    assert nothing_is_left(settings)


def test_a_refusal_whose_answer_was_lost_is_told_again_until_the_batch_is_announced_again(pusher: Client) -> None:
    upload = folder(_text_named_mp4, sites=["alpha"], networks=["DSL"])
    first = push(pusher, upload)
    assert first.status_code == 422
    for answer in (
        commit(pusher, upload),
        state(pusher, upload),
        put(pusher, upload, *next(iter(upload.blobs.items()))),
    ):
        assert (answer.status_code, answer.json()) == (422, first.json())
    assert announce(pusher, upload).json()["state"] == "receiving"
    lacking = commit(pusher, upload)
    assert lacking.json()["error"]["code"] == "blobs_missing"
    assert commit(pusher, upload).json() == lacking.json()


def test_a_refusal_is_forgotten_after_a_day(pusher: Client) -> None:
    upload = small()
    announce(pusher, upload)
    assert commit(pusher, upload).status_code == 409
    Refusal.objects.update(refused_at=timezone.now() - timedelta(hours=23))
    uploads.old_refusals(timezone.now()).delete()
    assert commit(pusher, upload).status_code == 409
    Refusal.objects.update(refused_at=timezone.now() - timedelta(hours=25))
    uploads.old_refusals(timezone.now()).delete()
    assert commit(pusher, upload).status_code == 404


def test_the_log_names_a_batch_that_is_dropped(pusher: Client, caplog: pytest.LogCaptureFixture) -> None:
    upload = small()
    announce(pusher, upload)
    caplog.set_level("INFO", logger="stimuli.uploads")
    commit(pusher, upload)
    assert f"dropped batch {upload.sha256} and " in caplog.text


def test_a_take_that_differs_from_the_manifest_refuses_the_whole_batch(pusher: Client, settings: Any) -> None:
    upload = small()
    upload.manifest["takes"][1]["metrics"] = upload.manifest["takes"][1]["metrics"] | {"si_ms": 1.0}
    response = push(pusher, upload)
    assert (response.status_code, response.json()["error"]["code"]) == (422, "bad_take")
    assert "QUIC/run-01/take.json: metrics is" in response.json()["error"]["message"]
    assert nothing_is_left(settings)


def test_a_refused_batch_leaves_the_blobs_that_others_share(pusher: Client, settings: Any) -> None:
    kept = small()
    push(pusher, kept)
    bad = folder(_text_named_mp4, sites=["alpha"], networks=["DSL"], campaign="bad")
    assert push(pusher, bad).status_code == 422
    assert sorted(path.name for path in files_on_disk(settings)) == sorted(kept.blobs)
    assert sorted(Blob.objects.values_list("sha256", flat=True)) == sorted(kept.blobs)


def test_a_body_without_a_length_is_asked_for_one(pusher: Client) -> None:
    upload = small()
    announce(pusher, upload)
    digest = next(iter(upload.blobs))
    response = pusher.generic("PUT", f"/api/batches/{upload.sha256}/blobs/{digest}", b"")
    assert (response.status_code, response.json()["error"]["code"]) == (400, "length_required")


def test_a_body_that_breaks_off_can_be_sent_again(db: None, settings: Any) -> None:
    upload = small()
    batch = uploads.announce(upload.manifest_bytes, user=None)
    data = upload.files["campaign.toml"]

    class Broken:
        def read(self, size: int, /) -> bytes:
            return b""

    with pytest.raises(Problem) as caught:
        uploads.take_blob(batch, sha256_of_bytes(data), stream=Broken(), length_bytes=len(data))
    assert (caught.value.code, caught.value.retry) == ("incomplete", True)
    assert files_on_disk(settings) == []
    assert Batch.objects.count() == 1


def test_a_sender_that_went_away_is_cleaned_up_after(pusher: Client, settings: Any) -> None:
    old, new = small(), small(campaign="new")
    for upload in (old, new):
        digest = announce(pusher, upload).json()["missing"][0]
        put(pusher, upload, digest, upload.blobs[digest])
    Batch.objects.filter(sha256=old.sha256).update(created_at=timezone.now() - timedelta(hours=25))
    assert uploads.sweep_stale(timezone.now(), delete=False) == 1
    assert uploads.sweep_stale(timezone.now(), delete=True) == 1
    assert list(Batch.objects.values_list("sha256", flat=True)) == [new.sha256]
    assert set(Blob.objects.values_list("sha256", flat=True)) <= set(new.blobs)


def test_the_admin_sees_what_is_there(pusher: Client) -> None:
    upload = small()
    push(pusher, upload)
    row = pusher.get("/api/batches").json()[0]
    assert row | {"received_at": None} == {
        "sha256": upload.sha256,
        "campaign": "small",
        "state": "visible",
        "received_at": None,
        "sites": ["alpha"],
        "networks": ["DSL"],
        "stacks": ["TCP+", "QUIC"],
        "takes": 2,
        "clips": 4,
        "bytes": sum(len(data) for data in upload.files.values()),
    }
    clips = pusher.get(f"/api/batches/{upload.sha256}").json()["clips"]
    assert sorted((clip["kind"], clip["stacks"]) for clip in clips) == [
        ("pair", ["QUIC", "TCP+"]),
        ("pair", ["TCP+", "QUIC"]),
        ("single", ["QUIC"]),
        ("single", ["TCP+"]),
    ]
    quic_first = next(clip for clip in clips if clip["stacks"] == ["QUIC", "TCP+"])
    assert [metrics["si_ms"] for metrics in quic_first["metrics"]] == [201.0, 200.0]
