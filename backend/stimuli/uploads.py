"""Upload of a batch: announce the manifest, send missing blobs, commit. Any error rejects the whole batch.

A rejected batch is deleted, and the error is kept: requests that come later, or waited meanwhile, get the same one.
"""

import logging
from collections.abc import Iterable
from datetime import timedelta
from typing import NoReturn

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from eyelevel_core.batch_rules import check_takes, parse_manifest
from eyelevel_core.contracts import ContractError, sha256_of_bytes
from lib.problems import Problem, not_found
from stimuli import blobs, ffprobe, probes
from stimuli.clips import read_out
from stimuli.models import Batch, BatchFile, BatchState, Blob, Refusal
from stimuli.signals import video_stored

log = logging.getLogger(__name__)
STALE_AFTER = timedelta(hours=24)
AGAIN = "The batch is refused; put it right and send it again."


def announce(data: bytes, *, user: User | None) -> Batch:
    """Begin to receive the batch that these bytes of a manifest.json name; the same bytes again go on with it."""
    sha256 = sha256_of_bytes(data)
    try:
        described = parse_manifest(data, max_entries=settings.MAX_BATCH_FILES)
    except ContractError as error:
        raise Problem(422, "bad_manifest", str(error)) from None
    with blobs.bookkeeping(), transaction.atomic():
        batch, new = Batch.objects.get_or_create(
            sha256=sha256,
            defaults={
                "campaign": described.campaign.name,
                "manifest_text": data.decode(),
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
    """The batch with this digest; raises the Problem that it was refused with, or 404."""
    found = Batch.objects.filter(sha256=sha256).first()
    if found is not None:
        return found
    refused = Refusal.objects.filter(sha256=sha256).first()
    if refused is not None:
        raise Problem(refused.status, refused.code, refused.message, details=refused.details)
    raise not_found(f"batch {sha256}")


def missing(batch: Batch) -> list[str]:
    """Digests that the batch lists and no blob holds yet."""
    listed = set(batch.files.values_list("sha256", flat=True))
    held = Blob.objects.filter(sha256__in=listed).values_list("sha256", flat=True)
    return sorted(listed.difference(held))


def take_blob(batch: Batch, sha256: str, *, stream: blobs.Readable, length_bytes: int) -> None:
    """Store a body under the digest that the manifest lists. Wrong bytes refuse the whole batch."""
    file = batch.files.filter(sha256=sha256).first()
    if file is None:
        announced(batch.sha256)
        raise Problem(422, "not_in_manifest", f"The manifest of this batch lists no file with the digest {sha256}.")
    if length_bytes != file.bytes:
        _refuse(batch, "wrong_size", f"{file.path} has {length_bytes} bytes, but the manifest says {file.bytes}.")
    try:
        with blobs.incoming(stream, length_bytes=length_bytes) as (body, found):
            if found != sha256:
                _refuse(batch, "wrong_digest", f"{file.path} has the digest {found}, but the manifest says {sha256}.")
            with blobs.bookkeeping():
                _keep(body, batch, sha256, length_bytes=length_bytes)
    except blobs.IncompleteError as error:
        raise Problem(400, "incomplete", f"{file.path} broke off: {error}; send it again.", retry=True) from None
    if probes.is_video(file.path):
        transaction.on_commit(lambda: video_stored.send_robust(sender=Blob))


def commit(batch: Batch) -> Batch:
    """Make the batch visible, or refuse it whole with the culprit named.

    While the worker still checks its videos the batch is returned as it is, to be committed again. Committing a
    visible batch again changes nothing.
    """
    with blobs.bookkeeping():
        batch = announced(batch.sha256)
        if batch.state == BatchState.VISIBLE:
            return batch
        lacking = missing(batch)
        if not lacking and probes.videos(batch).filter(probe__isnull=True).exists():
            _check_ffprobe()
            return batch
        problem = _lacking(batch, lacking) if lacking else _fault(batch)
        if problem is None:
            with transaction.atomic():
                read_out(batch)
            return batch
        _drop(batch, problem)
    raise problem


def drop_stale() -> int:
    """Drop batches whose sender went away; returns how many."""
    with blobs.bookkeeping():
        limit = timezone.now() - STALE_AFTER
        Refusal.objects.filter(refused_at__lt=limit).delete()
        stale = Batch.objects.filter(state=BatchState.RECEIVING, created_at__lt=limit)
        count = 0
        for batch in stale:
            _drop(batch)
            count += 1
    return count


def _refuse(batch: Batch, code: str, message: str) -> NoReturn:
    with blobs.bookkeeping():
        # a visible batch is beyond harm: wrong bytes are just not taken
        if announced(batch.sha256).state == BatchState.VISIBLE:
            raise Problem(422, code, message)
        problem = Problem(422, code, f"{message} {AGAIN}")
        _drop(batch, problem)
    raise problem


def _keep(body: blobs.Incoming, batch: Batch, sha256: str, *, length_bytes: int) -> None:
    """Inside bookkeeping."""
    # it may have been refused while the bytes came
    announced(batch.sha256)
    if not Blob.objects.filter(sha256=sha256).exists():
        # the row comes last: a blob without a file must not exist, a file without a blob may
        blobs.keep(body, sha256)
        Blob.objects.create(sha256=sha256, bytes=length_bytes)


def _drop(batch: Batch, problem: Problem | None = None) -> None:
    """Inside bookkeeping: delete the batch and the blobs that only it holds; keep the problem for later requests."""
    digests = set(batch.files.values_list("sha256", flat=True))
    dropped = batch.sha256
    with transaction.atomic():
        if problem is not None:
            Refusal.objects.create(
                sha256=dropped,
                status=problem.status,
                code=problem.code,
                message=problem.message,
                details=problem.details,
            )
        batch.delete()
        shared = BatchFile.objects.filter(sha256__in=digests).values_list("sha256", flat=True)
        own = digests.difference(shared)
        Blob.objects.filter(sha256__in=own).delete()
    for sha256 in own:
        blobs.drop(sha256)
    log.info("dropped batch %s and %d blobs", dropped, len(own))


def _lacking(batch: Batch, lacking: list[str]) -> Problem:
    paths = list(batch.files.filter(sha256__in=lacking).order_by("path").values_list("path", flat=True))
    message = f"{_some(paths)} did not arrive. The batch is refused; send it again with all of its files."
    return Problem(409, "blobs_missing", message, details={"missing": lacking, "paths": paths})


def _check_ffprobe() -> None:
    """Web and worker are one installation: what is missing here is missing there, where nobody would be told."""
    try:
        ffprobe.check_installed()
    except ffprobe.ProbeMissingError as error:
        # not the batch's fault: it stays, and the commit can be sent again
        raise Problem(503, "ffprobe_missing", str(error), retry=True) from None


def _fault(batch: Batch) -> Problem | None:
    """What is wrong inside the files, whose videos have been probed; None if nothing is."""
    described = batch.manifest
    try:
        for _ in check_takes(described, lambda path: blobs.read(described.files[path].sha256)):
            pass
        names = [site.name for site in described.sites]
        names += [definition.name for definition in (*described.networks, *described.stacks)]
        found = probes.found(batch)
        for clip in described.clips:
            wrong = ffprobe.fault(found[clip.sha256], clip, names=names)
            if wrong is not None:
                return Problem(422, "bad_video", f"{clip.path} is not the declared clip: {wrong}. {AGAIN}")
    except ContractError as error:
        return Problem(422, "bad_take", str(error))
    return None


def _some(paths: Iterable[str]) -> str:
    first, *rest = paths
    return first if not rest else f"{first} and {len(rest)} more files"
