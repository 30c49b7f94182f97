"""The migration that gives whoever took part in several studies a participant for each."""

import uuid
from collections.abc import Iterator

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from ratings.models import Participant, Recruitment, Session
from testing import studies

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]

INSERT = "INSERT INTO ratings_recruitment (participant_id, recruiter, recruiter_id) VALUES (%s, 'panel', 'w-17')"
BEFORE, AFTER = "0007_tombstones", "0008_participants_of_one_study"


def migrate(name: str) -> None:
    executor = MigrationExecutor(connection)
    executor.migrate([("ratings", name)])


@pytest.fixture
def _forth_again(transactional_db: None) -> Iterator[None]:
    yield
    executor = MigrationExecutor(connection)
    # to the newest of every app: going back took along what depends on it
    executor.migrate(executor.loader.graph.leaf_nodes())


@pytest.mark.usefixtures("_forth_again")
def test_each_study_gets_a_participant_of_its_own_and_the_same_each_time() -> None:
    studies.visible_batch()
    names = ("first", "second")
    first, second = (studies.start(studies.study(name=name).fieldings.get())[0] for name in names)
    person, spare, study = first.participant_id, second.participant_id, second.fielding.study_id
    alone, _ = studies.start(second.fielding)
    with connection.cursor() as cursor:
        for _ in range(2):
            # as it was before, and is again where an older dump is put back
            cursor.execute("DELETE FROM ratings_recruitment")
            migrate(BEFORE)
            cursor.execute("UPDATE ratings_session SET participant_id = %s WHERE id = %s", [person, second.pk])
            cursor.execute(INSERT, [person])
            cursor.execute("DELETE FROM ratings_participant WHERE id NOT IN (%s, %s)", [person, alone.participant_id])
            migrate(AFTER)
            parted = uuid.uuid5(person, study)
            of = dict(Session.objects.values_list("pk", "participant"))
            assert of == {first.pk: person, second.pk: parted, alone.pk: alone.participant_id}
            known = Recruitment.objects.values_list("participant", "study", "recruiter", "recruiter_id")
            assert set(known) == {
                (person, first.fielding.study_id, "panel", "w-17"),
                (parted, study, "panel", "w-17"),
            }
    assert not Participant.objects.filter(pk=spare).exists()
