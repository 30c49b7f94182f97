"""A connection that the server has ended is replaced before the next request, without a question each time."""

import select

import pytest
from django.db import connection, connections
from django.db.backends.postgresql import base

pytestmark = pytest.mark.django_db(transaction=True)


def _backend_pid() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """What the server answered, each time that it was asked."""
    answers: list[bool] = []
    ask = base.DatabaseWrapper.is_usable

    def note(wrapper: base.DatabaseWrapper) -> bool:
        answers.append(ask(wrapper))
        return answers[-1]

    monkeypatch.setattr(base.DatabaseWrapper, "is_usable", note)
    return answers


def test_a_connection_that_lives_is_not_asked(asked: list[bool]) -> None:
    _backend_pid()
    assert connection.is_usable()
    assert asked == []


def test_a_connection_that_the_server_ended_is_found(asked: list[bool]) -> None:
    ended = _backend_pid()
    other = connections.create_connection("default")
    try:
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [ended])
            assert cursor.fetchone()[0]
    finally:
        other.close()
    assert not connection.is_usable()
    assert asked == [False]
    connection.close()
    assert _backend_pid() != ended


def test_a_server_that_says_something_is_asked(asked: list[bool]) -> None:
    before = _backend_pid()
    other = connections.create_connection("default")
    try:
        with connection.cursor() as cursor:
            cursor.execute("LISTEN said")
        with other.cursor() as cursor:
            cursor.execute("NOTIFY said")
    finally:
        other.close()
    # The server passes the message on by another process, some time after it has answered.
    came, _, _ = select.select([connection.connection.fileno()], [], [], 10.0)
    assert came
    assert connection.is_usable()
    assert asked == [True]
    assert _backend_pid() == before
