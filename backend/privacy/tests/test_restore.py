"""What the ledger knows and the database does not is erased again; done twice, nothing changes."""

import io
import shutil
from datetime import timedelta
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from lib import stores
from privacy import erasure_ledger
from privacy.erasure import erase
from privacy.models import By, Erasure
from privacy.recruiter_ids import forget_recruiter_ids
from privacy.restore import Replayed, replay
from ratings.models import Recruitment, Session, Vote
from testing import studies, withdrawing
from testing.store import ledger_folder

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def leaver(db: None) -> Session:
    return withdrawing.leaver(withdrawing.fielding())


def back(session: Session) -> erasure_ledger.Entry:
    """As after a restore: the ledger knows the session's participant, the database has them back."""
    entry = erasure_ledger.Entry(
        id=uuid4(), erased_at=timezone.now() - timedelta(days=3), participant=session.participant_id, by="participant"
    )
    erasure_ledger.append([entry])
    return entry


def ledger_bytes() -> dict[str, bytes]:
    return {stored.key: stores.erasures().read(stored.key) for stored in stores.erasures().list()}


def test_one_who_is_back_is_erased_as_of_then(leaver: Session) -> None:
    entry = back(leaver)
    assert replay() == Replayed(participants=1, recruiter_ids=1, noted=0)
    row = Erasure.objects.get()
    assert (row.pk, row.erased_at, row.by, row.votes) == (entry.id, entry.erased_at, "participant", 1)
    assert Session.with_tombstones.get().erased_at == entry.erased_at
    assert (Vote.objects.count(), Recruitment.objects.count()) == (0, 0)


def test_the_second_time_nothing_changes(leaver: Session) -> None:
    back(leaver)
    replay()
    before = ledger_bytes()
    assert replay() == Replayed(0, 0, 0)
    assert (ledger_bytes(), Erasure.objects.count()) == (before, 1)


def test_one_whom_the_database_never_had_waits_for_another_restore(leaver: Session) -> None:
    erasure_ledger.append([erasure_ledger.Entry(id=uuid4(), erased_at=timezone.now(), participant=uuid4(), by="admin")])
    assert replay() == Replayed(0, 0, 0)
    assert (Erasure.objects.count(), Vote.objects.count(), len(erasure_ledger.read())) == (0, 1, 1)


def test_a_lost_ledger_learns_what_the_database_knows(leaver: Session) -> None:
    erase(leaver.participant, by=By.PARTICIPANT)
    before = erasure_ledger.read()
    shutil.rmtree(ledger_folder())
    assert replay() == Replayed(0, 0, 1)
    assert erasure_ledger.read() == before


def test_forgotten_recruiter_ids_are_forgotten_again_and_newer_ones_kept(leaver: Session) -> None:
    study = leaver.fielding.study
    Session.objects.filter(pk=leaver.pk).update(started_at=timezone.now())
    assert forget_recruiter_ids(study) == 1
    Recruitment.objects.create(
        participant=leaver.participant, study=leaver.fielding.study, recruiter="panel", recruiter_id="w-17"
    )
    newer, _ = studies.start(leaver.fielding)
    Recruitment.objects.create(
        participant=newer.participant, study=newer.fielding.study, recruiter="panel", recruiter_id="w-18"
    )
    assert replay() == Replayed(participants=0, recruiter_ids=1, noted=0)
    assert Recruitment.objects.get().recruiter_id == "w-18"


def test_the_command_says_what_it_did(leaver: Session) -> None:
    back(leaver)
    output = io.StringIO()
    call_command("replay_erasures", stdout=output)
    call_command("replay_erasures", stdout=output)
    assert output.getvalue().splitlines() == [
        "Erased again: 1 participant, 1 recruiter id, 0 studies; 0 erasures were added to the ledger.",
        "The database already has all erasures of the ledger.",
    ]


def test_a_ledger_that_cannot_be_read_lets_nothing_start(leaver: Session) -> None:
    stores.erasures().put("ledger.jsonl", b"torn\n")
    with pytest.raises(CommandError, match="line 1 is not a ledger entry"):
        call_command("replay_erasures")
