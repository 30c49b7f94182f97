"""A worker's tasks share a connection to PostgreSQL, and outlive its end."""

import psycopg
import pytest
from celery.fixups.django import DjangoWorkerFixup
from django.db import connection

from config.celery import app, check_connections

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


@pytest.fixture(autouse=True)
def _as_in_the_field(monkeypatch: pytest.MonkeyPatch) -> None:
    # other tests close each connection at once
    monkeypatch.setitem(connection.settings_dict, "CONN_MAX_AGE", 60)
    connection.close()


def backend_pid() -> int:
    """Of the PostgreSQL process that answers us."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


class ByWorker:
    """The sender of a task's signals, as a worker runs it."""

    class request:  # noqa: N801 - Celery's name
        is_eager = False


def between_tasks() -> None:
    fixup = DjangoWorkerFixup(app)
    fixup.on_task_postrun(ByWorker())
    fixup.on_task_prerun(ByWorker())
    check_connections()


def test_tasks_share_a_connection() -> None:
    first = backend_pid()
    between_tasks()
    assert backend_pid() == first


def test_a_task_begins_with_a_new_connection_where_the_old_one_is_dead() -> None:
    first = backend_pid()
    with psycopg.connect(connection.connection.info.dsn, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [first])
    between_tasks()
    assert backend_pid() != first
