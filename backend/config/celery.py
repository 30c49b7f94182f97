"""The Celery application; its settings are those named CELERY_... in config.settings."""

import os
from typing import Any

from celery import Celery
from celery.signals import task_prerun
from django.db import close_old_connections

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("eyelevel")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# Celery's own default is a new connection to PostgreSQL for each task, which costs more than most tasks do
app.conf["CELERY_DB_REUSE_MAX"] = 1000


def check_connections(**_: Any) -> None:
    """Treat connections as a web request does: a task begins with one that still answers and is not too old."""
    close_old_connections()


task_prerun.connect(check_connections)


def restore_unacknowledged() -> int:
    """Requeue the tasks that a killed worker had taken; returns how many.

    Without this they return only after the visibility timeout. Call it before a worker starts: a task that another
    worker is running would run twice, which our tasks allow.
    """
    with app.connection_for_write() as connection:
        channel = connection.default_channel
        with channel.conn_or_acquire() as client:
            tags = client.zrange(channel.unacked_index_key, 0, -1)
            for tag in tags:
                channel.qos.restore_by_tag(tag.decode() if isinstance(tag, bytes) else tag, client)
    return len(tags)
