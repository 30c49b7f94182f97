"""Slots of sessions that were given up go to others; what comes late still counts."""

from datetime import timedelta

import pytest
from django.utils import timezone

from ratings import sessions
from ratings.models import Session, Vote
from studies.models import Fielding, Slot
from testing import studies

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def fielding(db: None) -> Fielding:
    studies.visible_batch()
    return studies.study().fieldings.get()


def claimed() -> int:
    return Slot.objects.filter(state="claimed").count()


def end_lease(session: Session) -> None:
    Session.objects.filter(pk=session.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def test_only_unanswered_slots_of_ended_leases_open_again(fielding: Fielding) -> None:
    gone, _ = studies.start(fielding)
    there, _ = studies.start(fielding)
    studies.vote(gone.trials.get(position=1))
    end_lease(gone)
    assert sessions.release_abandoned() == 1
    assert (claimed(), Slot.objects.filter(state="filled").count()) == (6, 1)
    assert [trial.slot_id is not None for trial in gone.trials.all()] == [True] + [False] * 5
    assert all(trial.slot_id is not None for trial in there.trials.all())
    assert sessions.release_abandoned() == 0


def test_a_vote_renews_the_lease(fielding: Fielding) -> None:
    session, _ = studies.start(fielding)
    end_lease(session)
    studies.vote(session.trials.get(position=1))
    assert sessions.release_abandoned() == 0


def test_a_late_vote_still_counts(fielding: Fielding) -> None:
    session, _ = studies.start(fielding)
    end_lease(session)
    sessions.release_abandoned()
    studies.vote(session.trials.get(position=2))
    assert (Vote.objects.count(), Slot.objects.filter(state="filled").count()) == (1, 0)


def test_a_full_fielding_opens_again_when_a_session_is_given_up(fielding: Fielding) -> None:
    begun = [studies.start(fielding)[0] for _ in range(6)]
    end_lease(begun[0])
    sessions.release_abandoned()
    again, _ = studies.start(fielding)
    assert again.trials.count() == 6
    assert claimed() == 36
