"""A batch with files that are not what they say: none becomes visible, and none is ever served as a page."""

from collections.abc import Callable

import pytest
from batches import Folder, folder
from django.test import Client
from videos import ffmpeg_is_here, real_video

from accounts.models import Role, Scope
from eyelevel_core.contracts import sha256_of_bytes
from stimuli import tasks
from stimuli.models import Batch, BatchFile
from testing import studies
from testing.web import signed_in, with_token

pytestmark = [pytest.mark.django_db, pytest.mark.services]
needs_ffmpeg = pytest.mark.skipif(not ffmpeg_is_here(), reason="needs ffmpeg")

PLAYLIST = b"#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n"
CONCAT = b"ffconcat version 1.0\nfile /etc/passwd\n"
PAGE = b"<!doctype html><script>alert(1)</script>"
IMAGE = b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'


def send(client: Client, upload: Folder) -> tuple[int, str]:
    answer = client.post("/api/batches", upload.manifest_bytes, content_type="application/json")
    if answer.status_code != 200:
        return answer.status_code, answer.json()["error"]["code"]
    sha256 = answer.json()["sha256"]
    for digest, data in upload.blobs.items():
        client.put(f"/api/batches/{sha256}/blobs/{digest}", data, content_type="application/octet-stream")
    assert client.post(f"/api/batches/{sha256}/commit").status_code == 202
    tasks.commit_batch(sha256)
    answer = client.get(f"/api/batches/{sha256}/commit")
    return answer.status_code, answer.json().get("error", {}).get("code", "")


def with_first_clip(data: bytes) -> Folder:
    upload = folder(real_video)
    path = upload.manifest["clips"][0]["path"]
    upload.put(path, data)
    upload.manifest["clips"][0]["sha256"] = sha256_of_bytes(data)
    return upload


@needs_ffmpeg
@pytest.mark.parametrize(
    "hostile",
    [
        lambda: PLAYLIST,
        lambda: CONCAT,
        lambda: PAGE,
        lambda: IMAGE,
        lambda: b"\0" * 100_000,
        lambda: real_video(0)[:400],
    ],
    ids=["playlist", "concat", "page", "image", "zeros", "cut off"],
)
def test_what_calls_itself_a_film_is_opened_as_mp4_or_not_at_all(hostile: Callable[[], bytes]) -> None:
    assert send(with_token(Scope.BATCHES), with_first_clip(hostile())) == (422, "bad_video")
    assert Batch.objects.count() == 0


@pytest.mark.parametrize("path", ["../../etc/cron.d/x", "/etc/passwd", "clips/../../x.mp4", "a\\..\\b", "a\nb"])
def test_a_path_that_leaves_the_batch_is_refused(path: str) -> None:
    upload = folder()
    upload.put(path, b"x")
    assert send(with_token(Scope.BATCHES), upload) == (422, "bad_manifest")


def test_a_page_in_a_batch_is_kept_and_never_served() -> None:
    upload = folder()
    upload.put("report/index.html", PAGE)
    studies.visible_batch(upload)
    assert BatchFile.objects.filter(path="report/index.html").exists()
    answer = signed_in("anna", Role.ADMIN).get(f"/api/batches/{upload.sha256}/clips/{sha256_of_bytes(PAGE)}")
    assert answer.status_code == 404
