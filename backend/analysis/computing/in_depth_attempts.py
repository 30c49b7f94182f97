"""Attempts at the tables in depth of a result; each attempt is counted before any code is loaded that may fail."""

import logging
from dataclasses import asdict, astuple

from celery.exceptions import SoftTimeLimitExceeded

from analysis.blinding import in_field
from analysis.computing import in_depth
from analysis.models import Result
from lib.leases import Clock, LostLeaseError, kept_alive

log = logging.getLogger(__name__)
FAILED = "The tables in depth could not be computed; see the log of the worker in-depth for the reason."
TOO_LONG = "The computation of the tables in depth exceeded its time limit and was stopped."
NOT_LOADED = (
    "The worker in-depth could not load its program ({error}); repair its installation, restart it, and "
    "compute the tables again."
)


def run_if_due(result_id: int, now: Clock) -> bool:
    """Compute and publish; returns False if another worker does, they are done, or the study is in the field.

    A failure is not raised: it is logged, and another attempt is queued or, after the last one, a message is stored.
    """
    result = Result.objects.select_related("snapshot__study").filter(pk=result_id).first()
    if result is None:
        return False
    if in_field(result.snapshot.study):
        in_depth.withdraw(result_id)
        return False
    lease = in_depth.claim(result_id, now())
    if lease is None:
        return False
    try:
        try:
            with kept_alive(lease, now):
                # web processes import this module, and need neither Parquet nor statistics; an import error counts as
                # a failed attempt
                from analysis.computing.in_depth_runs import computed  # noqa: PLC0415

                answers = computed(result, lease, now)
        except LostLeaseError:
            raise
        except Exception as error:
            log.exception("The tables in depth of result %s failed.", result_id)
            in_depth.fail(lease, error=sentence_about(error), now=now())
            return False
        tables = {name: [astuple(row) for row in rows] for name, rows in answers.tables.items()}
        in_depth.finish(lease, tables=tables, hypotheses=[asdict(row) for row in answers.hypotheses], now=now())
    except LostLeaseError as error:
        log.warning("%s", error)
        return False
    return True


def sentence_about(error: Exception) -> str:
    """The message about a failed attempt that pages show."""
    if isinstance(error, SoftTimeLimitExceeded):
        return TOO_LONG
    return NOT_LOADED.format(error=error) if isinstance(error, ImportError) else FAILED
