"""Erasure takes all that one participant left, and nothing of another's."""

import io

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, transaction

from ratings.erase import erase
from ratings.models import Exclusion, Participant, PersonAnswers, Play, Recruitment, Session, Trial, Vote
from studies.models import Slot
from testing import studies

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def leaver(db: None) -> Session:
    """A session with everything a session can have, beside another one with a vote."""
    studies.visible_batch()
    fielding = studies.study().fieldings.get()
    session, _ = studies.start(fielding)
    trial = session.trials.get(position=1)
    studies.vote(trial)
    Play.objects.create(id=session.id, trial=trial, started_at=studies.NOON, replay=False, events=[])
    PersonAnswers.objects.create(session=session, answers={"age": "old"})
    Exclusion.objects.create(session=session, rule="too-fast")
    Recruitment.objects.create(participant=session.participant, recruiter="panel", recruiter_id="w-17")
    other, _ = studies.start(fielding)
    studies.vote(other.trials.get(position=1))
    return session


def test_nothing_of_them_is_left_and_all_of_the_other(leaver: Session) -> None:
    assert erase(leaver.participant) == 1
    models = (Participant, Session, Vote, Play, PersonAnswers, Exclusion, Recruitment)
    assert [model.objects.count() for model in models] == [1, 1, 1, 0, 0, 0, 0]
    assert Trial.objects.count() == 6
    assert (Slot.objects.filter(state="filled").count(), Slot.objects.filter(state="claimed").count()) == (1, 5)


def test_afterwards_votes_are_append_only_again(leaver: Session) -> None:
    erase(leaver.participant)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        Vote.objects.all().delete()


def test_the_command_finds_them_by_their_session(leaver: Session) -> None:
    told = io.StringIO()
    call_command("erase_participant", session=str(leaver.id), stdout=told)
    assert told.getvalue() == "The participant is erased, with 1 votes.\n"
    with pytest.raises(CommandError, match="There is no session ABC; check the letters"):
        call_command("erase_participant", code="ABC")
