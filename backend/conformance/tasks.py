"""Celery tasks of conformance; each calls one function."""

import logging
from uuid import UUID

from celery import shared_task
from django.utils import timezone

from conformance.pending import to_judge
from ratings.models import Session

log = logging.getLogger(__name__)
# limit, so that one catch-up ends before the next begins
AT_MOST = 500


@shared_task(name="conformance.tasks.session_completed")  # type: ignore[untyped-decorator, unused-ignore]  # Celery publishes no types
def session_completed(session_id: str) -> None:
    """Judge a session that has just been completed."""
    # the web processes import this module to call it, and need no statistics
    from conformance.verdicts import judge_session  # noqa: PLC0415

    judge_session(UUID(session_id))


@shared_task(name="conformance.tasks.catch_up")  # type: ignore[untyped-decorator, unused-ignore]  # Celery publishes no types
def catch_up() -> None:
    """Judge sessions whose message was lost or whose worker was killed; started by beat."""
    from conformance.verdicts import judge_session  # noqa: PLC0415

    for session_id, since in to_judge().values_list("id", "to_judge_since")[:AT_MOST]:
        try:
            judge_session(session_id)
        except Exception:
            # sessions that cannot be judged must not delay the others
            log.exception("Session %s could not be judged", session_id)
            Session.objects.filter(pk=session_id, to_judge_since=since).update(to_judge_since=timezone.now())
