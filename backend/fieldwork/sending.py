"""Raises alerts of studies in the field, and sends each once by e-mail and to a webhook, if these are configured."""

import logging
from datetime import datetime, timedelta

from django.utils import timezone

from fieldwork.alerts import Alert
from fieldwork.models import RaisedAlert
from fieldwork.watching import alerts_of
from fieldwork.wording import sentence
from lib.alone import alone
from lib.messages import Message, channels, deliver
from studies.models import FieldingState, Study

log = logging.getLogger(__name__)
# an arbitrary number that no other lock uses (`studies.stored_counts`, `stimuli.blobs`)
LOCK = 0x65796C64
# an alert that returns within this time counts as the same alert
QUIET = timedelta(days=1)
# channel -> field with the time of sending
SENT_AT = {"mail": "mailed_at", "webhook": "posted_at"}


def check_all() -> int:
    """Check every study with a link that is not closed; returns the number of messages sent. One process at a time."""
    running = Study.objects.filter(archived_at=None, fieldings__state__in=[FieldingState.OPEN, FieldingState.PAUSED])
    sent = 0
    with alone(LOCK) as is_alone:
        for study in running.distinct() if is_alone else ():
            try:
                sent += check(study, timezone.now())
            except Exception:
                # a failure in one study must not prevent the alerts of another
                log.exception("The alerts of study %s could not be checked.", study.sha256)
    return sent


def check(study: Study, now: datetime) -> int:
    """Raise and end the study's alerts, and send those not sent yet; returns the number of messages sent."""
    current = {(alert.code.value, alert.subject): alert for alert in alerts_of(study)}
    rows = {(row.code, row.subject): row for row in RaisedAlert.objects.filter(study=study)}
    ended = [row.pk for key, row in rows.items() if row.ended_at is None and key not in current]
    RaisedAlert.objects.filter(pk__in=ended).update(ended_at=now)
    sent = 0
    for key, alert in current.items():
        row = rows.get(key) or RaisedAlert.objects.create(study=study, code=key[0], subject=key[1], raised_at=now)
        if row.ended_at is not None:
            if now - row.ended_at > QUIET:
                row.raised_at, row.mailed_at, row.posted_at = now, None, None
            row.ended_at = None
            row.save()
        sent += _send(study, row, alert, now)
    return sent


def _send(study: Study, row: RaisedAlert, alert: Alert, now: datetime) -> int:
    """Send an alert by each channel once; a failed channel is retried at the next check."""
    facts = {"study": study.sha256, "code": alert.code, "subject": alert.subject}
    message = Message(study.name, sentence(alert), f"/research/studies/{study.sha256}/live", facts)
    sent = 0
    for channel in channels():
        name = SENT_AT[channel]
        if getattr(row, name) is None and deliver(channel, message):
            setattr(row, name, now)
            row.save(update_fields=[name])
            sent += 1
    return sent
