"""Older data are brought to this version after a restore point, newer ones are refused, and nothing is done twice."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from backups import postgres, upgrade
from backups.header import TableFacts, table_facts
from backups.models import DataVersion
from lib.data_version import DATA_VERSION
from ratings.models import Vote
from testing.votes import Field

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


def quiet(_: str) -> None:
    pass


def before() -> str:
    return postgres.live_database() + postgres.BEFORE


@pytest.fixture(autouse=True)
def _no_restore_point(db: None) -> Iterator[None]:
    postgres.drop_database(before())
    yield
    postgres.drop_database(before())


@pytest.fixture
def older() -> dict[str, TableFacts]:
    """A database with a vote that lacks the last migration of privacy."""
    Field().rate("QUIC", 6)
    call_command("migrate", "privacy", "zero", verbosity=0)
    DataVersion.objects.all().delete()
    return table_facts()


def facts_of(database: str) -> dict[str, TableFacts]:
    with postgres.connected_to(database):
        return table_facts()


def test_data_of_this_version_are_left_alone() -> None:
    upgrade.upgrade(quiet)
    upgrade.upgrade(quiet)
    row = DataVersion.objects.get()
    assert (row.number, row.ended_at is not None) == (DATA_VERSION, True)
    assert before() not in postgres.databases()


def test_older_data_are_upgraded_after_a_copy_was_made(older: dict[str, TableFacts]) -> None:
    said: list[str] = []
    upgrade.upgrade(said.append)
    assert said == ["Copying the database as a restore point", f"Upgrading the data from version 0 to {DATA_VERSION}"]
    assert facts_of(before()) == older
    assert "privacy_erasure" in table_facts()
    assert Vote.objects.count() == 1


def test_newer_data_are_refused_in_one_sentence() -> None:
    DataVersion.objects.update_or_create(number=DATA_VERSION + 1)
    with pytest.raises(CommandError) as caught:
        call_command("prepare")
    assert str(caught.value) == (
        f"The data have version {DATA_VERSION + 1}, but this Eyelevel reads version {DATA_VERSION}, because a newer "
        "Eyelevel has used them. Install the newer one again, or restore a backup from before."
    )


def test_an_interrupted_upgrade_keeps_its_first_restore_point(
    older: dict[str, TableFacts], monkeypatch: pytest.MonkeyPatch
) -> None:
    DataVersion.objects.create(number=DATA_VERSION - 1, ended_at="2026-01-01T00:00:00Z")
    promised = table_facts()
    migrate = call_command

    def killed(*_: Any, **__: Any) -> None:
        with connection.cursor() as cursor:
            cursor.execute("CREATE TABLE half_of_it (id int)")
        raise KeyboardInterrupt

    monkeypatch.setattr(upgrade, "call_command", killed)
    with pytest.raises(KeyboardInterrupt):
        upgrade.upgrade(quiet)
    monkeypatch.setattr(upgrade, "call_command", migrate)
    said: list[str] = []
    upgrade.upgrade(said.append)
    assert said == [f"Upgrading the data from version {DATA_VERSION - 1} to {DATA_VERSION}"]
    assert facts_of(before()) == promised
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE half_of_it")


def test_a_copy_that_differs_stops_the_upgrade(older: dict[str, TableFacts], monkeypatch: pytest.MonkeyPatch) -> None:
    load = postgres.load

    def spoilt(*arguments: Any) -> None:
        load(*arguments)
        with postgres.connected_to(arguments[1]), connection.cursor() as cursor:
            cursor.execute("DELETE FROM django_migrations")

    monkeypatch.setattr(postgres, "load", spoilt)
    with pytest.raises(CommandError, match="differs from the original, so nothing was upgraded"):
        call_command("prepare")
    assert "privacy_erasure" not in table_facts()
    monkeypatch.setattr(postgres, "load", load)
    upgrade.upgrade(quiet)
