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
    """Leave a message for the worker; a dead queue costs no verdict, as `catch_up` looks for itself."""
    try:
        task.delay(str(session_id))
    except OperationalError as error:
        log.warning("No message for the verdict on session %s: %s", session_id, error)
