"""Attempts at an export; each attempt is counted before any code is loaded that may fail."""

import logging
from uuid import UUID

from celery.exceptions import SoftTimeLimitExceeded

from exports import jobs
from exports.errors import ImpossibleError, NoRoomError
from exports.models import ExportJob, Reason
from eyelevel_store import StoreError
from lib.leases import Clock, LostLeaseError, kept_alive
from lib.room import is_full

log = logging.getLogger(__name__)
FAILED = "The export could not be made; see the log of the worker in-depth for the reason."
TOO_LONG = "The export exceeded its time limit and was stopped."
FULL = "The server's disk is almost full, so the export cannot be stored; free some space, then request it again."
AWAY = "The file store does not answer; request the export again later."


def run_if_due(job_id: UUID, now: Clock) -> bool:
    """Make the export; returns False if another worker makes it, it has ended, or it failed.

    A failure is not raised: it is logged, and another attempt is queued or, after the last one, a message is stored.
    """
    job = ExportJob.objects.select_related("study", "asked_by").filter(pk=job_id).first()
    lease = None if job is None else jobs.claim(job_id, now())
    if job is None or lease is None:
        return False
    try:
        try:
            with kept_alive(lease, now):
                # web processes import this module, and need no Parquet
                from exports.making import make  # noqa: PLC0415

                make(job, lease, now)
        except LostLeaseError:
            raise
        except Exception as error:
            log.exception("The export %s failed.", job_id)
            reason, message = why(error)
            for_good = isinstance(error, ImpossibleError | SoftTimeLimitExceeded)
            jobs.fail(lease, reason=reason, message=message, for_good=for_good, now=now())
            return False
    except LostLeaseError as error:
        log.warning("%s", error)
        return False
    return True


def why(error: Exception) -> tuple[Reason, str]:
    """The reason of a failed attempt, and the message that pages show."""
    if isinstance(error, ImpossibleError):
        return error.reason, str(error)
    if isinstance(error, SoftTimeLimitExceeded):
        return Reason.TOO_LONG, TOO_LONG
    if isinstance(error, NoRoomError) or is_full(error):
        return Reason.FULL, FULL
    return (Reason.STORE, AWAY) if isinstance(error, StoreError) else (Reason.ERROR, FAILED)
