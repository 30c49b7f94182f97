"""Prolific's webhook: frees the quota slots of participants who returned their submission or timed out."""

import json

from django.utils import timezone

from eyelevel_core.study.submissions import PROLIFIC, Status
from lib.problems import Problem
from ratings.models import Session, SessionState

EVENT = "submission.status.change"


def take(body: bytes) -> int:
    """End the leases of sessions whose submission was returned or timed out; returns the number of sessions.

    Their slots go to others, but the participants can still resume and finish. Other events change nothing.
    """
    try:
        event = json.loads(body)
        kind, submission, status = event["event_type"], str(event["resource_id"]), str(event["status"])
    except (ValueError, KeyError, TypeError):
        message = "The body is not an event of Prolific with event_type, resource_id and status."
        raise Problem(400, "invalid", message) from None
    is_gone = PROLIFIC.statuses.get(status.lower().replace("_", " ")) is Status.GONE
    if kind != EVENT or not is_gone:
        return 0
    now = timezone.now()
    running = Session.objects.filter(
        state=SessionState.STARTED,
        lease_until__gt=now,
        **{f"participant__recruitment__arrival__{PROLIFIC.parameter}": submission},
    )
    return running.update(lease_until=now, yields_at=now)
