"""A clip goes to the session it was planned for, in parts if wanted, under a name that says nothing."""

from datetime import datetime
from typing import Any

import pytest
from batches import folder
from django.test import Client
from django.utils import timezone

from ratings.models import Trial
from studies.models import Fielding
from testing import studies
from testing.store import blob_folder
from testing.web import participant, stranger

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def fielding(db: None, settings: Any) -> Fielding:
    batch_folder = folder()
    studies.visible_batch(batch_folder)
    for digest, data in batch_folder.blobs.items():
        place = blob_folder() / digest[:2]
        place.mkdir(parents=True, exist_ok=True)
        (place / digest).write_bytes(data)
    return studies.study().fieldings.get()


def first_clip(fielding: Fielding) -> tuple[Client, dict[str, Any], bytes]:
    client, session = participant(fielding.slug)
    clip = session["trials"][0]["clip"]
    return client, clip, folder().blobs[shown(clip).stimulus.clip.sha256]


def shown(clip: dict[str, Any]) -> Trial:
    return Trial.objects.select_related("stimulus__clip").get(clip_token=clip["url"].removeprefix("/clips/"))


def body(response: Any) -> bytes:
    return b"".join(response.streaming_content)


def test_the_whole_clip(fielding: Fielding) -> None:
    client, clip, data = first_clip(fielding)
    response = client.get(clip["url"])
    assert (response.status_code, body(response)) == (200, data)
    assert response["Content-Type"] == "video/mp4"
    assert response["Content-Length"] == str(clip["bytes"])
    assert response["Accept-Ranges"] == "bytes"
    assert response["Cache-Control"].startswith("private")
    assert response["ETag"] == f'"{clip["digest"]}"'


def test_a_part_of_it(fielding: Fielding) -> None:
    client, clip, data = first_clip(fielding)
    response = client.get(clip["url"], headers={"Range": "bytes=2-4"})
    assert (response.status_code, body(response)) == (206, data[2:5])
    assert response["Content-Range"] == f"bytes 2-4/{len(data)}"
    assert response["Content-Length"] == "3"


def test_a_part_of_something_else_is_answered_with_the_whole(fielding: Fielding) -> None:
    client, clip, data = first_clip(fielding)
    response = client.get(clip["url"], headers={"Range": "bytes=2-4", "If-Range": '"other"'})
    assert (response.status_code, body(response)) == (200, data)


@pytest.mark.parametrize(
    "wanted", ["bytes=1000-", f"bytes={'9' * 5000}-", f"bytes=0-{'9' * 5000}", f"bytes=-{'9' * 5000}"]
)
def test_a_part_behind_the_end_or_with_more_digits_than_a_file_has(fielding: Fielding, wanted: str) -> None:
    client, clip, data = first_clip(fielding)
    response = client.get(clip["url"], headers={"Range": wanted})
    assert (response.status_code, response["Content-Range"]) == (416, f"bytes */{len(data)}")


def test_what_the_browser_has_is_not_sent_again(fielding: Fielding) -> None:
    client, clip, _ = first_clip(fielding)
    assert client.get(clip["url"], headers={"If-None-Match": f'"{clip["digest"]}"'}).status_code == 304


def test_head_returns_only_the_length(fielding: Fielding) -> None:
    client, clip, data = first_clip(fielding)
    response = client.head(clip["url"])
    assert (response.status_code, response["Content-Length"], response.content) == (200, str(len(data)), b"")


def test_nobody_else_gets_it(fielding: Fielding) -> None:
    _, clip, _ = first_clip(fielding)
    other, _ = participant(fielding.slug)
    assert [client.get(clip["url"]).status_code for client in (other, stranger())] == [404, 404]


def test_the_proxy_sends_it_where_there_is_one(fielding: Fielding, settings: Any) -> None:
    settings.X_ACCEL = True
    client, clip, _ = first_clip(fielding)
    response = client.get(clip["url"])
    sha256 = shown(clip).stimulus.clip.sha256
    assert response["X-Accel-Redirect"] == f"/blobs/{sha256[:2]}/{sha256}"
    assert (response["Content-Type"], response.content) == ("video/mp4", b"")


def sent_at(clip: dict[str, Any]) -> datetime | None:
    return shown(clip).clip_sent_at


@pytest.mark.parametrize("headers", [{}, {"Range": "bytes=2-4"}], ids=["whole", "part"])
@pytest.mark.parametrize("by_proxy", [False, True])
def test_the_first_byte_sent_is_timed_once(
    fielding: Fielding, settings: Any, headers: dict[str, str], *, by_proxy: bool
) -> None:
    settings.X_ACCEL = by_proxy
    client, clip, _ = first_clip(fielding)
    before = timezone.now()
    client.get(clip["url"], headers=headers).getvalue()
    first = sent_at(clip)
    assert first is not None
    assert before <= first <= timezone.now()
    client.get(clip["url"]).getvalue()
    assert sent_at(clip) == first
    assert Trial.objects.filter(clip_sent_at__isnull=False).count() == 1


def test_what_sends_no_byte_of_the_clip_is_not_timed(fielding: Fielding) -> None:
    client, clip, _ = first_clip(fielding)
    client.head(clip["url"])
    client.get(clip["url"], headers={"Range": "bytes=1000-"})
    client.get(clip["url"], headers={"If-None-Match": f'"{clip["digest"]}"'})
    other, _ = participant(fielding.slug)
    other.get(clip["url"])
    assert sent_at(clip) is None
