"""Erases a participant: rows, snapshots, stored exports, audit event and ledger entry in one transaction."""

import time
import uuid
from dataclasses import dataclass

from django.db import OperationalError, transaction
from django.utils import timezone

from analysis.snapshots.erasure import forget_sessions
from audit.log import record
from audit.models import What
from exports.erasure import forget_exports
from exports.export_log import exports_with
from privacy import erasure_ledger
from privacy.models import By, Erasure
from ratings.erasure import entomb
from ratings.models import Participant
from studies.models import Study

TRIES = 3


@dataclass(frozen=True)
class Erased:
    """The erasure, and the number of recruiter's ids deleted, which its row does not store."""

    erasure: Erasure
    recruiter_ids: int


def erase(participant: Participant, *, by: By) -> Erased:
    """Turn all rows of this participant into tombstones, delete snapshots that contain them, and request new ones.

    Stored exports of these snapshots are deleted too. Exports that were downloaded before cannot be changed, so the
    erasure lists all exports that could have been downloaded. For a participant who is already erased, returns the
    earlier erasure. Raises LedgerError, in which case nothing is erased. The caller must have the planner statistics
    refreshed, which may contain sampled values: immediately, or in a request by the signal `values_erased`.
    """
    entry = erasure_ledger.Entry(id=uuid.uuid4(), erased_at=timezone.now(), participant=participant.pk, by=by)
    return _patiently(participant, entry, write_ledger=True)


def erase_again(participant: Participant, entry: erasure_ledger.Entry) -> Erased:
    """Repeat an erasure that is in the ledger but not in this database, as after a restore."""
    return _patiently(participant, entry, write_ledger=False)


def _patiently(participant: Participant, entry: erasure_ledger.Entry, *, write_ledger: bool) -> Erased:
    for attempt in range(1, TRIES + 1):
        try:
            return _erase(participant, entry, write_ledger=write_ledger)
        except OperationalError:
            # a deadlock with votes that were being stored
            if attempt == TRIES:
                raise
            time.sleep(0.05 * attempt)
    raise AssertionError("the last attempt returns or raises")


def _erase(participant: Participant, entry: erasure_ledger.Entry, *, write_ledger: bool) -> Erased:
    with transaction.atomic():
        # two concurrent requests result in one erasure; sessions of the participant may still start meanwhile
        Participant.with_tombstones.select_for_update(no_key=True).get(pk=participant.pk)
        before = Erasure.objects.filter(participant=participant.pk).first()
        if before is not None:
            return Erased(erasure=before, recruiter_ids=0)
        done = entomb(participant, entry.erased_at)
        snapshots = forget_sessions(done.studies, done.sessions)
        # a worker locks the snapshot while it publishes an export, so the log is complete now
        exports = exports_with(done.studies, done.sessions)
        forget_exports(snapshots)
        erasure = Erasure.objects.create(
            id=entry.id,
            participant=participant.pk,
            erased_at=entry.erased_at,
            by=entry.by or By.ADMIN,
            rows=done.rows,
            votes=done.votes,
            studies=done.studies,
            snapshots=snapshots,
            exports=exports,
        )
        for study in Study.objects.filter(pk__in=done.studies):
            record(None, What.ERASE, study, {"erasure": str(entry.id), "by": erasure.by, "votes": done.votes})
        # last before the commit: an extra entry is replayed at the next start, but a missing one never
        if write_ledger:
            erasure_ledger.append([entry])
    return Erased(erasure=erasure, recruiter_ids=done.recruiter_ids)
