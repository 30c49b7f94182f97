"""Has a worker make the exports that are wanted."""

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
    """Leave a message for the worker; one that gets lost is sent again by `jobs.resume`."""
    try:
        make_export.delay(str(job_id))
    except OperationalError as error:
        log.warning("No message for the export %s: %s", job_id, error)
