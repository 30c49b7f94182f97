"""Erasure of participants from analyses: deletes snapshots that contain their sessions, with their results."""

import logging
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from analysis.models import AnalysisState, Part, Result, Snapshot
from analysis.signals import votes_erased
from analysis.snapshots import files
from eyelevel_store import StoreError

logger = logging.getLogger(__name__)

# a younger snapshot without a row may be one that is being made
STRAY_S = 3600


def forget_sessions(studies: Sequence[str], sessions: Sequence[UUID]) -> list[str]:
    """Delete the snapshots and parts of these studies that contain one of the sessions; returns snapshots' digests.

    Parts of other days are kept for the next snapshot. Call it in the transaction that erases. From then on, no
    analysis that has read the votes before can store or publish its result. After the transaction, the files are
    deleted and a new analysis is requested.
    """
    for study in studies:
        AnalysisState.objects.get_or_create(study_id=study)
    states = AnalysisState.objects.filter(study__in=studies)
    # a worker with a lease loses it, and data that were read before this count are not stored
    states.update(erasures=F("erasures") + 1, wanted=F("wanted") + 1, lease_id=None, lease_until=None, not_before=None)
    holds = Q(session_ids__overlap=list(sessions))
    digests = list(
        Snapshot.objects.select_for_update().filter(holds, study__in=studies).values_list("sha256", flat=True)
    )
    states.filter(result__snapshot__in=digests).update(result=None)
    Result.objects.filter(snapshot__in=digests).delete()
    Snapshot.objects.filter(pk__in=digests).delete()
    parts = Part.objects.filter(holds, study__in=studies)
    named = list(parts.values_list("study", "sha256"))
    parts.delete()
    transaction.on_commit(partial(_after, list(studies), digests, named))
    return digests


def drop_strays() -> int:
    """Delete files of snapshots and parts without a row, as a crash leaves them; returns the number of files."""
    limit = timezone.now() - timedelta(seconds=STRAY_S)
    old = [(folder, name) for folder, name, stored in files.every() if stored.changed_at < limit]
    folders = {folder for folder, _ in old}
    known = set(Snapshot.objects.filter(sha256__in=folders).values_list("sha256", flat=True))
    parts = set(Part.objects.filter(study__in=folders).values_list("study", "sha256"))
    strays = [
        (folder, name)
        for folder, name in old
        if folder not in known and (folder, name.removesuffix(".parquet")) not in parts
    ]
    for folder, name in strays:
        files.drop_file(folder, name)
    return len(strays)


def _after(studies: Sequence[str], digests: Sequence[str], parts: Sequence[tuple[str, str]]) -> None:
    try:
        files.drop(digests)
        for study, sha256 in parts:
            files.drop_parts(study, [sha256])
    except (StoreError, OSError):
        # the erasure is done; `drop_strays` retries each hour
        logger.exception("Files of erased snapshots could not be deleted", extra={"snapshots": list(digests)})
    for study in studies:
        # robust, because the erasure is done even if a receiver raises
        votes_erased.send_robust(sender=Snapshot, study_sha256=study)
