"""Celery tasks of conformance; each calls one function."""

import logging
from uuid import UUID

from celery import shared_task
from django.utils import timezone

from conformance.pending import to_judge
from ratings.models import Session

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

    for session_id, since in to_judge().values_list("id", "to_judge_since")[:AT_MOST]:
        try:
            judge_session(session_id)
        except Exception:
            # those that cannot be judged must not keep the others waiting, however many they are
            log.exception("Session %s could not be judged", session_id)
            Session.objects.filter(pk=session_id, to_judge_since=since).update(to_judge_since=timezone.now())
