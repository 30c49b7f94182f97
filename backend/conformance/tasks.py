"""Celery tasks of conformance; each calls one function."""

import logging
from uuid import UUID

from celery import shared_task

from conformance.pending import to_judge

log = logging.getLogger(__name__)
# one catch-up must end before the next begins
AT_MOST = 500


@shared_task(name="conformance.tasks.session_completed")  # type: ignore[untyped-decorator, unused-ignore]  # Celery publishes no types
def session_completed(session_id: str) -> None:
    """Somebody finished: judge now."""
    # the web processes import this module to call it, and need no statistics
    from conformance.verdicts import judge_session  # noqa: PLC0415

    judge_session(UUID(session_id))


@shared_task(name="conformance.tasks.catch_up")  # type: ignore[untyped-decorator, unused-ignore]  # Celery publishes no types
def catch_up() -> None:
    """Beat's safety net: messages get lost, and workers are killed in the middle of a job."""
    from conformance.verdicts import judge_session  # noqa: PLC0415

    for session_id in to_judge().values_list("id", flat=True)[:AT_MOST]:
        try:
            judge_session(session_id)
        except Exception:
            # one that cannot be judged must not keep the others waiting
            log.exception("Session %s could not be judged", session_id)
