"""Settings are parsed strictly, and one address serves every library."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import environment


def test_a_database_url_through_a_socket() -> None:
    entry = environment.database({"EYELEVEL_DATABASE_URL": "postgresql://eyelevel@/study?host=%2Frun%2Fpg"})
    assert (entry["NAME"], entry["USER"], entry["HOST"], entry["PORT"]) == ("study", "eyelevel", "/run/pg", "")


def test_a_database_url_over_tcp() -> None:
    entry = environment.database({"EYELEVEL_DATABASE_URL": "postgresql://me:p%40ss@db:5433/study?sslmode=require"})
    assert (entry["HOST"], entry["PORT"], entry["PASSWORD"]) == ("db", "5433", "p@ss")
    assert entry["OPTIONS"]["sslmode"] == "require"


def test_parts_as_libpq_names_them() -> None:
    entry = environment.database({"PGHOST": "db", "PGUSER": "me", "PGDATABASE": "study"})
    assert (entry["HOST"], entry["USER"], entry["NAME"]) == ("db", "me", "study")


@pytest.mark.parametrize("env", [{}, {"EYELEVEL_DATABASE_URL": "postgresql://db/study"}])
def test_a_commit_answers_only_once_it_is_on_disk(env: dict[str, str]) -> None:
    assert environment.database(env)["OPTIONS"]["options"] == "-c synchronous_commit=on"


@pytest.mark.parametrize("value", ["0", "-1", "many", "1e9", "10000000000"])
def test_a_number_that_is_none_is_refused(value: str) -> None:
    assert environment.count({"SIZE": "12"}, "SIZE", default=3) == 12
    assert environment.count({"SIZE": ""}, "SIZE", default=3) == 3
    with pytest.raises(ImproperlyConfigured, match=f"SIZE is '{value}', but must be a whole number above 0"):
        environment.count({"SIZE": value}, "SIZE", default=3)


def test_another_database_than_postgresql_is_refused() -> None:
    with pytest.raises(ImproperlyConfigured, match="starts with 'sqlite', but the platform needs PostgreSQL"):
        environment.database({"EYELEVEL_DATABASE_URL": "sqlite:///file"})


@pytest.mark.parametrize(
    ("url", "broker"),
    [
        ("redis://redis:6379/1", "redis://redis:6379/1"),
        ("unix:///run/vk/valkey.sock?db=2", "redis+socket:///run/vk/valkey.sock?virtual_host=2"),
        ("unix:///run/vk/valkey.sock", "redis+socket:///run/vk/valkey.sock?virtual_host=0"),
    ],
)
def test_one_redis_address_in_the_spelling_of_the_broker(url: str, broker: str) -> None:
    assert environment.celery_broker(url) == broker


def test_a_flag_that_is_neither_is_named() -> None:
    assert environment.flag({"X": "yes"}, "X", default=False) is True
    assert environment.flag({}, "X", default=True) is True
    with pytest.raises(ImproperlyConfigured, match="X is 'maybe', but must be 1 or 0"):
        environment.flag({"X": "maybe"}, "X", default=False)


def test_loopback_is_told_from_the_world() -> None:
    assert environment.is_loopback(["localhost", "127.0.0.1"])
    assert not environment.is_loopback(["localhost", "study.example.org"])


@pytest.mark.parametrize(
    ("hosts", "bind", "exposed"),
    [
        (["localhost"], "", False),
        (["localhost"], "127.0.0.1:8000", False),
        (["localhost"], "[::1]:8000", False),
        (["localhost"], "0.0.0.0:8000", True),
        (["localhost"], "[::]:8000", True),
        (["study.example.org"], "127.0.0.1:8000", True),
    ],
)
def test_others_reach_us_by_name_or_by_address(hosts: list[str], bind: str, exposed: bool) -> None:
    assert environment.is_exposed(hosts, bind) is exposed


def test_a_password_beside_the_database_url() -> None:
    url = "postgresql://eyelevel{}@postgres:5432/eyelevel"
    with_password = {"EYELEVEL_DATABASE_PASSWORD": "p@ss"}
    assert environment.database(with_password | {"EYELEVEL_DATABASE_URL": url.format("")})["PASSWORD"] == "p@ss"
    assert environment.database(with_password | {"PGPASSWORD": "p@ss"})["PASSWORD"] == "p@ss"
    with pytest.raises(ImproperlyConfigured, match="The database has two passwords"):
        environment.database(with_password | {"EYELEVEL_DATABASE_URL": url.format(":other")})
