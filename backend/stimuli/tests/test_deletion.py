"""A batch that no study uses can be deleted, with the files that no other batch lists."""

import os
import time
from typing import Any

import batches
import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Role
from audit.models import AuditEntry
from lib import retention, stores
from stimuli import blobs, strays, tasks
from stimuli.models import Batch, BatchFile, BatchState, Blob
from testing import studies
from testing.store import blob_folder
from testing.web import post

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def ada(client: Client) -> Client:
    client.force_login(studies.user("ada", Role.ADMIN))
    return client


def stored(batch: Batch) -> set[str]:
    """Put a file for each digest of the batch into the store."""
    digests = set(batch.files.values_list("sha256", flat=True))
    for sha256 in digests:
        stores.blobs().put(blobs.name_of(sha256), b"bytes")
    return digests


def files() -> set[str]:
    return {sha256 for sha256, _ in blobs.stored()}


def delete(client: Client, batch: Batch, confirm: str = "small") -> Any:
    return post(client, f"/api/batches/{batch.pk}/deletion", {"confirm": confirm})


def test_a_batch_goes_with_its_files_but_for_those_that_another_one_lists(ada: Client) -> None:
    batch = studies.visible_batch()
    other = studies.visible_batch(batches.folder(campaign="other"))
    listed = stored(other)
    assert stored(batch) & listed, "the two share files"
    assert delete(ada, batch).status_code == 204
    assert list(Batch.objects.all()) == [other]
    assert files() == listed == set(Blob.objects.values_list("sha256", flat=True))
    entry = AuditEntry.objects.get()
    assert (entry.what, entry.kind, entry.details) == ("delete", "batch", {"batch": batch.pk})


def test_a_batch_that_a_study_uses_stays(ada: Client) -> None:
    batch = studies.visible_batch()
    studies.study()
    assert ada.get(f"/api/batches/{batch.pk}").json()["studies"] == ["pilot"]
    refused = delete(ada, batch)
    assert (refused.status_code, refused.json()["error"]["message"]) == (
        409,
        "The batch small is used by studies: pilot. Delete these studies first.",
    )
    assert Batch.objects.exists()


def test_the_campaigns_name_confirms(ada: Client) -> None:
    refused = delete(ada, studies.visible_batch(), confirm="large")
    assert (refused.status_code, refused.json()["error"]["message"]) == (
        422,
        "confirm is 'large', but must be the name of the batch's campaign, small.",
    )


def test_a_batch_that_is_being_checked_stays(ada: Client) -> None:
    batch = studies.visible_batch()
    Batch.objects.update(state=BatchState.COMMITTING)
    refused = delete(ada, batch).json()["error"]
    assert (refused["code"], refused["retry"]) == ("not_allowed", True)


def test_what_a_kill_leaves_between_rows_and_files_is_removed_later(
    ada: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the batch and its blobs, and between a blob's row and its file."""
    batch = studies.visible_batch()
    digests = stored(batch)
    with monkeypatch.context() as killed:
        killed.setattr("stimuli.uploads.drop_unlisted", lambda _: 0)
        assert delete(ada, batch).status_code == 204
    assert files() == digests
    first = Blob.objects.order_by("pk")[0].pk
    Blob.objects.filter(pk=first).delete()
    tasks.drop_stale_batches()
    assert files() == {first}
    now = timezone.now()
    old = now - retention.period_of("stray_files")
    assert strays.sweep(old, delete=True) == 0, "it may be of a restore that runs"
    moment = time.time() - 2 * 24 * 3600
    os.utime(blob_folder() / blobs.name_of(first), (moment, moment))
    assert strays.sweep(old, delete=False) == 1
    assert files() == {first}
    assert strays.sweep(old, delete=True) == 1
    assert files() == set()


def test_a_file_with_a_row_is_no_stray() -> None:
    batch = studies.visible_batch()
    digests = stored(batch)
    BatchFile.objects.all().delete()
    assert strays.sweep(timezone.now(), delete=True) == 0
    assert files() == digests
