"""Repeats, after a database restore, the erasures that the ledger lists and the database lacks."""

from dataclasses import dataclass

from lib.counted import counted
from privacy import erasure_ledger, planner_statistics
from privacy.erasure import erase_again
from privacy.models import Erasure
from privacy.recruiter_ids import forget_again
from privacy.study_deletion import delete_again, deletions_on_record
from ratings.models import Participant


@dataclass(frozen=True)
class Replayed:
    """Numbers of participants erased again, recruiter's ids and studies deleted again, and ledger lines added."""

    participants: int
    recruiter_ids: int
    noted: int
    studies: int = 0

    def __str__(self) -> str:
        if self == Replayed(0, 0, 0):
            return "The database already has all erasures of the ledger."
        return (
            f"Erased again: {counted(self.participants, 'participant')}, "
            f"{counted(self.recruiter_ids, 'recruiter id')}, {counted(self.studies, 'study', 'studies')}; "
            f"{counted(self.noted, 'erasure was', 'erasures were')} added to the ledger."
        )


def replay() -> Replayed:
    """Reconcile database and ledger; idempotent. Raises LedgerError.

    The entry of a participant whom this database has never had is kept in the ledger, for the next restore.
    """
    entries = erasure_ledger.read()
    known = set(Erasure.objects.values_list("participant", flat=True))
    lost = {entry.participant: entry for entry in entries if entry.participant and entry.participant not in known}
    living = Participant.objects.filter(pk__in=lost)
    again = [erase_again(participant, lost[participant.pk]) for participant in living]
    deleted = sum(delete_again(entry) for entry in entries if entry.deleted)
    forgotten = sum(forget_again(entry) for entry in entries if entry.study is not None and not entry.deleted)
    if again or forgotten or deleted:
        planner_statistics.refresh()
    return Replayed(
        participants=len(again),
        recruiter_ids=forgotten + sum(erased.recruiter_ids for erased in again),
        noted=_note_lacking(entries),
        studies=deleted,
    )


def _note_lacking(entries: list[erasure_ledger.Entry]) -> int:
    """Add erasures that are missing in a lost or outdated ledger; returns their number."""
    noted = {entry.participant for entry in entries}
    ids = {entry.id for entry in entries}
    missing = [
        erasure_ledger.Entry(id=row.pk, erased_at=row.erased_at, participant=row.participant, by=row.by)
        for row in Erasure.objects.order_by("erased_at")
        if row.participant not in noted
    ] + [entry for entry in deletions_on_record() if entry.id not in ids]
    if missing:
        erasure_ledger.append(missing)
    return len(missing)
