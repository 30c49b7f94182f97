"""Batches that share blobs arrive, and are refused, at the same moment."""

import io
from collections import Counter
from typing import Any

import pytest

from eyelevel_core.contracts import sha256_of_bytes
from lib.problems import Problem
from stimuli import blobs, probes, uploads
from stimuli.models import Batch, Blob
from testing.batches import Folder, folder
from testing.threads import at_once
from testing.videos import ffmpeg_is_here, real_video

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.services,
    pytest.mark.skipif(not ffmpeg_is_here(), reason="needs ffmpeg and ffprobe"),
]


def small(campaign: str) -> Folder:
    return folder(real_video, sites=["alpha"], networks=["DSL"], campaign=campaign)


def put(made: Folder, data: bytes) -> None:
    batch = Batch.objects.get(sha256=made.sha256)
    uploads.take_blob(batch, sha256_of_bytes(data), stream=io.BytesIO(data), length_bytes=len(data))


def test_one_blob_sent_eight_times_at_once_is_stored_once(settings: Any) -> None:
    made = small("one")
    uploads.announce(made.manifest_bytes, user=None)
    data = made.files["campaign.toml"]
    at_once(lambda _: put(made, data), threads=8)
    assert list(Blob.objects.values_list("sha256", "bytes")) == [(sha256_of_bytes(data), len(data))]
    assert blobs.read(sha256_of_bytes(data)) == data
    assert [path.name for path in settings.BLOB_DIR.rglob("*") if path.is_file()] == [sha256_of_bytes(data)]


def test_one_manifest_announced_eight_times_at_once_is_one_batch() -> None:
    made = small("one")
    at_once(lambda _: uploads.announce(made.manifest_bytes, user=None), threads=8)
    assert Batch.objects.get().files.count() == len(made.files)


@pytest.mark.parametrize("attempt", range(3))
def test_a_refusal_never_takes_a_blob_from_a_batch_that_is_arriving(attempt: int) -> None:
    good, bad = small("good"), small("bad")
    for made in (good, bad):
        uploads.announce(made.manifest_bytes, user=None)
    shared = [data for digest, data in good.blobs.items() if digest in bad.blobs]
    assert len(shared) == len(good.blobs) - 1

    def race(number: int) -> str:
        try:
            if number == 0:
                uploads.commit(Batch.objects.get(sha256=bad.sha256))
            else:
                for data in shared[number::4]:
                    put(good, data)
        except Problem as problem:
            return problem.code
        return "done"

    assert Counter(at_once(race, threads=5)) == {"done": 4, "blobs_missing": 1}
    for data in good.blobs.values():
        put(good, data)
    probes.probe_waiting()
    assert uploads.commit(Batch.objects.get()).state == "visible"
    assert all(blobs.read(digest) == data for digest, data in good.blobs.items())


def test_a_commit_sent_eight_times_at_once_makes_its_clips_once() -> None:
    made = small("one")
    batch = uploads.announce(made.manifest_bytes, user=None)
    for data in made.blobs.values():
        put(made, data)
    at_once(lambda _: probes.probe_waiting(), threads=2)
    states = at_once(lambda _: uploads.commit(Batch.objects.get(pk=batch.pk)).state, threads=8)
    assert states == ["visible"] * 8
    assert batch.clips.count() == 4
