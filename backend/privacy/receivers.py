"""Requests a refresh of PostgreSQL's planner statistics after an erasure."""

import logging
from typing import Any

from kombu.exceptions import OperationalError

from privacy.signals import values_erased
from privacy.tasks import refresh_statistics

log = logging.getLogger(__name__)


def connect() -> None:
    values_erased.connect(call_for_statistics, dispatch_uid="privacy")


def call_for_statistics(**_: Any) -> None:
    """Send a message to the worker; if the queue is down, the next run of retention refreshes them."""
    try:
        refresh_statistics.delay()
    except OperationalError as error:
        log.warning("The refresh of planner statistics after an erasure could not be queued: %s", error)
