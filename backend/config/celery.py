"""The Celery application; its settings are those named CELERY_... in config.settings."""

import os
import time
from typing import Any

import structlog
from celery import Celery
from celery.beat import PersistentScheduler
from celery.signals import before_task_publish, heartbeat_sent, setup_logging, task_postrun, task_prerun
from django.db import close_old_connections

from health import heartbeats
from health.queues import SENT_AT

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("eyelevel")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# by default Celery opens a new connection to PostgreSQL for each task, which costs more than most tasks
app.conf["CELERY_DB_REUSE_MAX"] = 1000


def check_connections(**_: Any) -> None:
    """Close unusable and old connections before a task, as Django does before a web request."""
    close_old_connections()


task_prerun.connect(check_connections)


class Scheduler(PersistentScheduler):  # type: ignore[misc]  # Celery publishes no types
    """Beat's default scheduler, which renews a heartbeat in its main loop."""

    def tick(self, *arguments: Any, **options: Any) -> Any:
        heartbeats.beat("beat")
        return super().tick(*arguments, **options)


def note_time(headers: dict[str, object] | None = None, **_: Any) -> None:
    """Add the time of sending to a message, from which the age of a queue is computed."""
    if headers is not None:
        headers[SENT_AT] = time.time()


def worker_lives(sender: Any = None, **_: Any) -> None:
    """Renew a worker's heartbeat while its main loop runs."""
    # worker@host
    heartbeats.beat(str(sender.eventer.hostname).partition("@")[0])


def keep_our_logging(**_: Any) -> None:
    """Keep Celery from replacing the logging of the settings."""


def name_task_in_logs(task_id: str = "", task: Any = None, **_: Any) -> None:
    structlog.contextvars.bind_contextvars(task=task.name, task_id=task_id)


def forget_task_in_logs(**_: Any) -> None:
    structlog.contextvars.clear_contextvars()


before_task_publish.connect(note_time)
heartbeat_sent.connect(worker_lives)
setup_logging.connect(keep_our_logging)
task_prerun.connect(name_task_in_logs)
task_postrun.connect(forget_task_in_logs)


def restore_unacknowledged() -> int:
    """Requeue the tasks that a killed worker had taken; returns how many.

    Otherwise they return only after the visibility timeout. Call it before a worker starts: a task that another worker
    is running then runs twice, which all tasks allow.
    """
    with app.connection_for_write() as connection:
        channel = connection.default_channel
        with channel.conn_or_acquire() as client:
            tags = client.zrange(channel.unacked_index_key, 0, -1)
            for tag in tags:
                channel.qos.restore_by_tag(tag.decode() if isinstance(tag, bytes) else tag, client)
    return len(tags)
