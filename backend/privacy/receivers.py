"""Requests new planner statistics after an erasure."""

import logging
from typing import Any

from kombu.exceptions import OperationalError

from privacy.signals import values_erased
from privacy.tasks import refresh_statistics

log = logging.getLogger(__name__)


def connect() -> None:
    values_erased.connect(call_for_statistics, dispatch_uid="privacy")


def call_for_statistics(**_: Any) -> None:
    """Leave a message for the worker; with a dead queue, the next run of retention does its work."""
    try:
        refresh_statistics.delay()
    except OperationalError as error:
        log.warning("No message for the planner's statistics after an erasure: %s", error)
