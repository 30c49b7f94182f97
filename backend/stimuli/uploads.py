"""Upload of a batch: receives the manifest, then missing blobs. Any error rejects the whole batch.

A rejected batch is deleted, and its error is kept: later and concurrent requests get the same error. `stimuli.commits`
commits a complete batch.
"""

import logging
from collections.abc import Collection, Iterable
from datetime import datetime
from pathlib import Path
from typing import NoReturn

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from eyelevel_core.batch_rules import parse_manifest
from eyelevel_core.contracts import ContractError, sha256_of_bytes
from lib.advisory_locks import locked
from lib.problems import Problem, not_found
from lib.retention import period_of
from lib.room import demand_reserve
from stimuli import blobs, probes
from stimuli.models import Batch, BatchFile, BatchState, Blob, Refusal
from stimuli.signals import video_stored

log = logging.getLogger(__name__)
AGAIN = "The batch was rejected. Correct it, then send it again."


def announce(data: bytes, *, user: User | None) -> Batch:
    """Begin to receive the batch with this manifest.json; the same bytes again continue the upload."""
    sha256 = sha256_of_bytes(data)
    try:
        described = parse_manifest(data, max_entries=settings.MAX_BATCH_FILES)
    except ContractError as error:
        raise Problem(422, "bad_manifest", str(error)) from None
    demand_reserve("sending a batch")
    with transaction.atomic():
        batch, new = Batch.objects.get_or_create(
            sha256=sha256,
            defaults={
                "campaign": described.campaign.name,
                "manifest_text": data.decode(),
                "takes_listed": len(described.takes),
                "received_by": user,
            },
        )
        if new:
            Refusal.objects.filter(sha256=sha256).delete()
            files = described.files.items()
            BatchFile.objects.bulk_create(
                BatchFile(batch=batch, path=path, sha256=entry.sha256, bytes=entry.bytes) for path, entry in files
            )
    return batch


def announced(sha256: str) -> Batch:
    """The batch with this digest; raises the Problem with which it was rejected, or 404."""
    batch = Batch.objects.defer("manifest_text").filter(sha256=sha256).first()
    if batch is not None:
        return batch
    refused = Refusal.objects.filter(sha256=sha256).first()
    if refused is not None:
        raise Problem(refused.status, refused.code, refused.message, details=refused.details)
    raise not_found(f"batch {sha256}")


def missing(batch: Batch) -> list[str]:
    """Digests of files in the manifest that have not arrived yet."""
    listed = set(batch.files.values_list("sha256", flat=True))
    held = Blob.objects.filter(sha256__in=listed).values_list("sha256", flat=True)
    return sorted(listed.difference(held))


def lost(batch: Batch) -> list[str]:
    """Digests of files that have arrived, but that the store no longer has."""
    listed = set(batch.files.values_list("sha256", flat=True))
    return sorted(listed.difference(sha256 for sha256, _ in blobs.stored()))


def take_blob(batch: Batch, sha256: str, *, stream: blobs.Readable, length_bytes: int) -> None:
    """Store a body under the digest that the manifest lists; wrong bytes reject the whole batch."""
    file = batch.files.filter(sha256=sha256).first()
    if file is None:
        announced(batch.sha256)
        raise Problem(422, "not_in_manifest", f"The batch's manifest has no file with the digest {sha256}.")
    if length_bytes != file.bytes:
        _refuse(batch, "wrong_size", f"{file.path} has {length_bytes} bytes, but the manifest says {file.bytes}.")
    demand_reserve("sending a batch")
    try:
        with blobs.incoming(stream, length_bytes=length_bytes) as (body, digest):
            if digest != sha256:
                _refuse(batch, "wrong_digest", f"{file.path} has the digest {digest}, but the manifest says {sha256}.")
            with locked(sha256):
                _keep(body, batch, sha256, length_bytes=length_bytes)
    except blobs.IncompleteError as error:
        message = f"The upload of {file.path} was interrupted: {error}; send the file again."
        raise Problem(400, "incomplete", message, retry=True) from None
    if probes.is_video(file.path):
        transaction.on_commit(lambda: video_stored.send_robust(sender=Blob))


def sweep_stale(now: datetime, delete: bool) -> int:
    """Delete abandoned uploads, and blobs that no batch lists; returns the number of batches."""
    limit = now - period_of("uploads")
    stale = Batch.objects.filter(state=BatchState.RECEIVING, created_at__lt=limit).values_list("sha256", flat=True)
    if not delete:
        return stale.count()
    count = sum(drop(sha256, state=BatchState.RECEIVING) for sha256 in list(stale))
    # unlisted blobs remain if a process was killed during `drop`, or if `drop` ran during a backup
    _drop_unlisted(Blob.objects.exclude(sha256__in=BatchFile.objects.values("sha256")))
    return count


def old_refusals(now: datetime) -> QuerySet[Refusal]:
    return Refusal.objects.filter(refused_at__lt=now - period_of("refusals"))


def drop(sha256: str, problem: Problem | None = None, *, state: BatchState) -> bool:
    """Delete the batch and its unshared blobs, if it is in this state; keep the problem for later requests.

    Returns whether it was in this state.
    """
    with transaction.atomic():
        batch = Batch.objects.defer("manifest_text").select_for_update().filter(sha256=sha256, state=state).first()
        if batch is None:
            return False
        digests = delete_rows(batch)
        if problem is not None:
            Refusal.objects.create(
                sha256=sha256,
                status=problem.status,
                code=problem.code,
                message=problem.message,
                details=problem.details,
            )
    count = drop_unlisted(digests)
    log.info("dropped batch %s and %d blobs", sha256, count)
    return True


def delete_rows(batch: Batch) -> list[str]:
    """Delete the batch and return the digests of its files, for `drop_unlisted` after the transaction."""
    digests = list(batch.files.values_list("sha256", flat=True))
    batch.delete()
    return digests


def drop_unlisted(digests: Collection[str]) -> int:
    """Delete those of these blobs that no batch lists, unless a backup runs; returns their number."""
    return _drop_unlisted(Blob.objects.filter(sha256__in=digests))


def lacking(batch: Batch, digests: list[str]) -> Problem:
    """The Problem with which a batch without these blobs is rejected."""
    paths = list(batch.files.filter(sha256__in=digests).order_by("path").values_list("path", flat=True))
    message = f"{_some(paths)} did not arrive. The batch was rejected; send it again with all of its files."
    return Problem(409, "blobs_missing", message, details={"missing": digests, "paths": paths})


def _refuse(batch: Batch, code: str, message: str) -> NoReturn:
    problem = Problem(422, code, f"{message} {AGAIN}")
    if drop(batch.sha256, problem, state=BatchState.RECEIVING):
        raise problem
    announced(batch.sha256)
    # all of its files have arrived, so wrong bytes are only rejected
    raise Problem(422, code, message)


def _keep(body: Path, batch: Batch, sha256: str, *, length_bytes: int) -> None:
    """Store a blob, whose lock is held."""
    if not Blob.objects.filter(sha256=sha256).exists():
        # the row is created last, because a file may exist without a row, but not the reverse
        blobs.keep(body, sha256)
        Blob.objects.create(sha256=sha256, bytes=length_bytes)
    elif not blobs.is_stored(sha256):
        blobs.keep(body, sha256)
    try:
        announced(batch.sha256)
    except Problem:
        # rejected while the bytes arrived, and `drop` may not have seen this blob
        _drop_if_unlisted(sha256)
        raise


def _drop_unlisted(rows: QuerySet[Blob]) -> int:
    """Delete those of these blobs that no batch lists; returns their number."""
    count = 0
    for sha256 in list(rows.values_list("sha256", flat=True)):
        with locked(sha256):
            count += _drop_if_unlisted(sha256)
    return count


def _drop_if_unlisted(sha256: str) -> bool:
    """Delete a blob, whose lock is held, unless a batch lists it or a backup runs; returns whether it was deleted."""
    with blobs.may_drop() as free:
        if not free:
            return False
        return _drop_row_and_file(sha256)


def _drop_row_and_file(sha256: str) -> bool:
    with transaction.atomic():
        # `commits` locks the rows of a batch's blobs before it is visible
        Blob.objects.select_for_update().filter(sha256=sha256).first()
        if BatchFile.objects.filter(sha256=sha256).exists():
            return False
        Blob.objects.filter(sha256=sha256).delete()
    blobs.drop(sha256)
    return True


def _some(paths: Iterable[str]) -> str:
    first, *rest = paths
    return first if not rest else f"{first} and {len(rest)} more files"
