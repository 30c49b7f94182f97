"""Erasure of participants from exports: deletes the stored files of exports whose snapshots contained them."""

import logging
from collections.abc import Sequence
from functools import partial

from django.db import transaction
from django.db.models import QuerySet

from exports import files
from exports.models import ExportJob, ExportState, Reason
from eyelevel_store import StoreError

log = logging.getLogger(__name__)
ERASED = "A participant whose answers it contained was erased; request a new export."


def forget_exports(snapshots: Sequence[str]) -> None:
    """End all exports of these snapshots, which the caller has deleted in the same transaction.

    From then on nobody can download them, and no worker can finish one; the files are deleted after the transaction.
    """
    held = ExportJob.objects.filter(snapshot_sha256__in=snapshots)
    drop_after_commit(held)
    ended = {"reason": Reason.ERASED, "message": ERASED, "lease_id": None, "lease_until": None}
    held.filter(state=ExportState.DONE).update(state=ExportState.EXPIRED, **ended)
    held.filter(state__in=(ExportState.QUEUED, ExportState.RUNNING)).update(state=ExportState.FAILED, **ended)


def drop_after_commit(held: QuerySet[ExportJob]) -> None:
    """Delete the files of these jobs after the current transaction, in which the jobs end or are deleted."""
    digests = list(held.filter(state=ExportState.DONE).values_list("file_sha256", flat=True))
    transaction.on_commit(partial(_drop, digests))


def _drop(digests: Sequence[str]) -> None:
    try:
        files.drop_unused(digests)
    except (StoreError, OSError):
        # nobody can download them; `strays.drop_strays` retries each hour
        log.exception("Files of exports could not be deleted after an erasure", extra={"exports": list(digests)})
