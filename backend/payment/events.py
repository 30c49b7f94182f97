"""Prolific's webhook: when a participant returns a submission or runs out of time, the place is free again."""

import json

from django.utils import timezone

from lib.problems import Problem
from payment.books import Status
from payment.lists import PROLIFIC
from ratings.models import Session, SessionState

EVENT = "submission.status.change"


def take(body: bytes) -> int:
    """End the leases of sessions whose submission is gone, so that their slots go to others; returns how many.

    They can still come back and finish, as everybody who was away for long. Other events change nothing.
    """
    try:
        event = json.loads(body)
        kind, submission, status = event["event_type"], str(event["resource_id"]), str(event["status"])
    except (ValueError, KeyError, TypeError):
        raise Problem(400, "invalid", "The body is no event of Prolific.") from None
    gone = PROLIFIC.statuses.get(status.lower().replace("_", " ")) is Status.GONE
    if kind != EVENT or not gone:
        return 0
    now = timezone.now()
    running = Session.objects.filter(
        state=SessionState.STARTED,
        lease_until__gt=now,
        participant__recruitment__arrival__SESSION_ID=submission,
    )
    return running.update(lease_until=now, yields_at=now)
