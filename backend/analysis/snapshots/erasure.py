"""Erasure of participants from analyses: deletes snapshots that contain their sessions, with their results."""

import shutil
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q

from analysis.models import AnalysisState, Result, Snapshot
from analysis.signals import votes_erased

# a folder without a row is one that is just being made, or one that a crash left
STRAY_S = 3600


def forget_sessions(studies: Sequence[str], sessions: Sequence[UUID]) -> list[str]:
    """Delete the snapshots of these studies that hold one of the sessions; returns their digests.

    To be called in the transaction that erases. From here on no analysis that has read the votes before can store or
    publish what it read; the files go, and a new analysis begins, once the transaction is over.
    """
    for study in studies:
        AnalysisState.objects.get_or_create(study_id=study)
    states = AnalysisState.objects.filter(study__in=studies)
    # whoever holds a lease loses it, and what was read before this count is not stored
    states.update(erasures=F("erasures") + 1, wanted=F("wanted") + 1, lease_id=None, lease_until=None, not_before=None)
    holds = Q(session_ids__overlap=list(sessions))
    digests = list(
        Snapshot.objects.select_for_update().filter(holds, study__in=studies).values_list("sha256", flat=True)
    )
    states.filter(result__snapshot__in=digests).update(result=None)
    Result.objects.filter(snapshot__in=digests).delete()
    Snapshot.objects.filter(pk__in=digests).delete()
    transaction.on_commit(partial(_after, list(studies), digests))
    return digests


def drop_strays() -> int:
    """Remove folders of snapshots that have no row, such as a crash leaves; returns how many."""
    root = Path(settings.SNAPSHOT_DIR)
    if not root.is_dir():
        return 0
    old = [path for path in root.iterdir() if path.stat().st_mtime < time.time() - STRAY_S]
    known = set(Snapshot.objects.filter(sha256__in=[path.name for path in old]).values_list("sha256", flat=True))
    strays = [path for path in old if path.name not in known]
    for path in strays:
        shutil.rmtree(path, ignore_errors=True)
    return len(strays)


def drop_folders(digests: Sequence[str]) -> None:
    """Remove the files of snapshots whose rows are gone."""
    for digest in digests:
        shutil.rmtree(Path(settings.SNAPSHOT_DIR) / digest, ignore_errors=True)


def _after(studies: Sequence[str], digests: Sequence[str]) -> None:
    drop_folders(digests)
    for study in studies:
        # robust: the erasure is done, whatever a receiver raises
        votes_erased.send_robust(sender=Snapshot, study_sha256=study)
