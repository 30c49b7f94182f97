"""Requests a verdict when a session completes."""

import logging
from typing import Any
from uuid import UUID

from kombu.exceptions import OperationalError

from conformance.tasks import session_completed as task
from ratings.signals import session_completed

log = logging.getLogger(__name__)


def connect() -> None:
    session_completed.connect(call_for_verdict, dispatch_uid="conformance")


def call_for_verdict(*, session_id: UUID, **_: Any) -> None:
    """Send a message to the worker; if the queue is down, `catch_up` finds the session later."""
    try:
        task.delay(str(session_id))
    except OperationalError as error:
        log.warning("The verdict on session %s could not be queued: %s", session_id, error)
