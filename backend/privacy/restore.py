"""After a restore: what the ledger knows and the database has forgotten is erased again."""

from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from privacy import erasure_ledger
from privacy.erasure import erase_again
from privacy.models import Erasure
from privacy.recruitment import forget_again
from ratings.models import Participant


@dataclass(frozen=True)
class Replayed:
    """How many participants were erased again, how many recruiter's ids went again, and how many lines were lacking."""

    participants: int
    recruiter_ids: int
    noted: int

    def __str__(self) -> str:
        if self == Replayed(0, 0, 0):
            return "Every erasure in the ledger is done."
        return (
            f"Erased again: {self.participants} participants, {self.recruiter_ids} recruiter ids; "
            f"{self.noted} erasures that the ledger lacked are noted."
        )


def replay() -> Replayed:
    """Bring database and ledger together; done twice, the second time changes nothing. Raises LedgerError.

    A participant whom this database has never had stays in the ledger, for the next restore.
    """
    path = Path(settings.ERASURE_LEDGER)
    entries = erasure_ledger.read(path)
    known = set(Erasure.objects.values_list("participant", flat=True))
    lost = {entry.participant: entry for entry in entries if entry.participant and entry.participant not in known}
    living = Participant.objects.filter(pk__in=lost)
    again = [erase_again(participant, lost[participant.pk]) for participant in living]
    forgotten = sum(forget_again(entry) for entry in entries if entry.study is not None)
    return Replayed(
        participants=len(again),
        recruiter_ids=forgotten + sum(erased.recruiter_ids for erased in again),
        noted=_note_lacking(path, entries),
    )


def _note_lacking(path: Path, entries: list[erasure_ledger.Entry]) -> int:
    """A ledger that was lost, or is older than the database, learns what the database knows."""
    noted = {entry.participant for entry in entries}
    lacking = [
        erasure_ledger.Entry(id=row.pk, erased_at=row.erased_at, participant=row.participant, by=row.by)
        for row in Erasure.objects.order_by("erased_at")
        if row.participant not in noted
    ]
    if lacking:
        erasure_ledger.append(path, lacking)
    return len(lacking)
