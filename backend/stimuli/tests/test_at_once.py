"""Batches that share blobs arrive, and are refused, at the same moment."""

import io
from collections import Counter
from typing import Any

import pytest
from batches import Folder, folder
from videos import ffmpeg_is_here, real_video

from accounts.models import Scope
from eyelevel_core.contracts import sha256_of_bytes
from lib.problems import Problem
from stimuli import blobs, commits, uploads
from stimuli.models import Batch, Blob
from testing.store import blob_folder
from testing.threads import at_once
from testing.web import with_token

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.services,
    pytest.mark.skipif(not ffmpeg_is_here(), reason="needs ffmpeg and ffprobe"),
]


def small(campaign: str) -> Folder:
    return folder(real_video, sites=["alpha"], networks=["DSL"], campaign=campaign)


def put(upload: Folder, data: bytes) -> None:
    batch = Batch.objects.get(sha256=upload.sha256)
    uploads.take_blob(batch, sha256_of_bytes(data), stream=io.BytesIO(data), length_bytes=len(data))


def test_one_blob_sent_eight_times_at_once_is_stored_once(settings: Any) -> None:
    upload = small("one")
    uploads.announce(upload.manifest_bytes, user=None)
    data = upload.files["campaign.toml"]
    at_once(lambda _: put(upload, data), threads=8)
    assert list(Blob.objects.values_list("sha256", "bytes")) == [(sha256_of_bytes(data), len(data))]
    assert blobs.read(sha256_of_bytes(data)) == data
    assert [path.name for path in blob_folder().rglob("*") if path.is_file()] == [sha256_of_bytes(data)]


def test_one_manifest_announced_eight_times_at_once_is_one_batch() -> None:
    upload = small("one")
    at_once(lambda _: uploads.announce(upload.manifest_bytes, user=None), threads=8)
    assert Batch.objects.get().files.count() == len(upload.files)


@pytest.mark.parametrize("attempt", range(3))
def test_a_refusal_never_takes_a_blob_from_a_batch_that_is_arriving(attempt: int) -> None:
    good, bad = small("good"), small("bad")
    for upload in (good, bad):
        uploads.announce(upload.manifest_bytes, user=None)
    shared = [data for digest, data in good.blobs.items() if digest in bad.blobs]
    assert len(shared) == len(good.blobs) - 1

    def race(number: int) -> str:
        try:
            if number == 0:
                commits.begin(bad.sha256)
            else:
                for data in shared[number::4]:
                    put(good, data)
        except Problem as problem:
            return problem.code
        return "done"

    assert Counter(at_once(race, threads=5)) == {"done": 4, "blobs_missing": 1}
    for data in good.blobs.values():
        put(good, data)
    commits.begin(good.sha256)
    commits.run(good.sha256)
    assert Batch.objects.get().state == "visible"
    assert all(blobs.read(digest) == data for digest, data in good.blobs.items())


def test_a_commit_sent_eight_times_at_once_makes_its_clips_once() -> None:
    upload = small("one")
    batch = uploads.announce(upload.manifest_bytes, user=None)
    for data in upload.blobs.values():
        put(upload, data)
    states = at_once(lambda _: commits.begin(upload.sha256).state, threads=8)
    assert states == ["committing"] * 8
    at_once(lambda _: commits.run(upload.sha256), threads=8)
    batch.refresh_from_db()
    assert (batch.state, batch.clips.count()) == ("visible", 4)


@pytest.mark.parametrize("attempt", range(3))
def test_a_bad_batch_committed_eight_times_at_once_is_refused_with_one_sentence(attempt: int) -> None:
    upload = folder(
        lambda number: b"no video" if number == 2 else real_video(number), sites=["alpha"], networks=["DSL"]
    )
    pusher = with_token(Scope.BATCHES)
    uploads.announce(upload.manifest_bytes, user=None)
    for data in upload.blobs.values():
        put(upload, data)
    commits.begin(upload.sha256)
    at_once(lambda _: commits.run(upload.sha256), threads=2)
    # an error of the server is an answer here, as it is for a browser
    pusher.raise_request_exception = False

    def commit(_: int) -> tuple[int, bytes]:
        answer = pusher.post(f"/api/batches/{upload.sha256}/commit")
        return answer.status_code, answer.content

    ((status, body),) = set(at_once(commit, threads=8))
    assert (status, b'"bad_video"' in body) == (422, True)
    assert commit(0) == (status, body)


@pytest.mark.parametrize("attempt", range(3))
def test_wrong_bytes_sent_eight_times_at_once_are_refused_with_one_sentence(attempt: int) -> None:
    upload = small("one")
    pusher = with_token(Scope.BATCHES)
    pusher.raise_request_exception = False
    uploads.announce(upload.manifest_bytes, user=None)
    path = f"/api/batches/{upload.sha256}/blobs/{upload.manifest['files']['campaign.toml']['sha256']}"
    wrong = b"x" * len(upload.files["campaign.toml"])

    def send(_: int) -> tuple[int, bytes]:
        answer = pusher.put(path, wrong, content_type="application/octet-stream")
        return answer.status_code, answer.content

    ((status, body),) = set(at_once(send, threads=8))
    assert (status, b'"wrong_digest"' in body) == (422, True)
    assert (Batch.objects.count(), send(0)) == (0, (status, body))
