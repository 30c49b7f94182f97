"""Health says what is there and what is not; a dead queue slows nobody down."""

import signal
import subprocess
import sys
import time
from typing import Any

import pytest
from kombu.exceptions import OperationalError

from analysis.tasks import votes_arrived
from config import environment
from config.celery import app, restore_unacknowledged
from testing.web import stranger

pytestmark = [pytest.mark.django_db, pytest.mark.services]

# without our setting a dead queue is tried again and again, for longer than a browser waits
GIVEN_UP_S = 10


def test_without_a_worker_it_is_503_and_says_so() -> None:
    response = stranger().get("/api/health")
    assert (response.status_code, response.json()) == (
        503,
        {"web": True, "database": True, "redis": True, "worker": False, "in_depth": False},
    )


def test_without_redis_it_says_so(settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert stranger().get("/api/health").json()["redis"] is False


def test_a_dead_queue_is_given_up_soon() -> None:
    begun = time.monotonic()
    with pytest.raises(OperationalError), app.connection("redis://127.0.0.1:1/0") as dead:
        votes_arrived.apply_async(("0" * 64,), connection=dead)
    assert time.monotonic() - begun < GIVEN_UP_S


# takes a message and is killed before it could acknowledge it
KILLED_CONSUMER = """
import os, signal, sys
from kombu import Connection
Connection(sys.argv[1]).SimpleQueue("restore-test").get(timeout=10)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_task_that_a_killed_worker_had_taken_comes_back_once(services: dict[str, str]) -> None:
    with app.connection_for_write() as connection, connection.SimpleQueue("restore-test") as queue:
        queue.put({"job": 1})
    broker = environment.celery_broker(services["redis"])
    done = subprocess.run([sys.executable, "-c", KILLED_CONSUMER, broker], check=False, timeout=60)
    assert done.returncode == -signal.SIGKILL
    assert restore_unacknowledged() == 1
    assert restore_unacknowledged() == 0
    with app.connection_for_write() as connection, connection.SimpleQueue("restore-test") as queue:
        message = queue.get(timeout=5)
        assert message.payload == {"job": 1}
        message.ack()
