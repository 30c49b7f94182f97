"""The migration that renames a session's number keeps the trigger that protects erased sessions, in both directions."""

from collections.abc import Iterator

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]

TRIGGER = "SELECT tgargs FROM pg_trigger WHERE tgrelid = 'ratings_session'::regclass AND tgname = 'tombstone'"


def migrate(name: str) -> None:
    MigrationExecutor(connection).migrate([("ratings", name)])


def kept() -> list[str]:
    """The columns that the trigger keeps."""
    with connection.cursor() as cursor:
        cursor.execute(TRIGGER)
        [(arguments,)] = cursor.fetchall()
    return bytes(arguments).decode().split("\0")[:-1]


@pytest.fixture
def _forth_again(transactional_db: None) -> Iterator[None]:
    yield
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


@pytest.mark.usefixtures("_forth_again")
def test_the_trigger_names_the_column_by_its_name_of_then() -> None:
    assert "number" in kept()
    migrate("0009_play_without_events")
    assert "claim" in kept()
    migrate("0010_session_number")
    assert kept() == ["id", "participant_id", "fielding_id", "number", "state", "origin"]
