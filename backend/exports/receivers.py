"""Sends requested exports to a worker."""

import logging
from typing import Any
from uuid import UUID

from kombu.exceptions import OperationalError

from exports.signals import export_wanted
from exports.tasks import make_export

log = logging.getLogger(__name__)


def connect() -> None:
    export_wanted.connect(call_worker, dispatch_uid="exports")


def call_worker(*, job_id: UUID, **_: Any) -> None:
    """Send a message to the worker; `jobs.resume` sends a lost one again."""
    try:
        make_export.delay(str(job_id))
    except OperationalError as error:
        log.warning("The export %s could not be queued: %s", job_id, error)
