"""Raises alerts of studies in the field, and sends each once by e-mail and to a webhook, where these are set."""

import json
import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from urllib.request import Request, urlopen

from django.conf import settings
from django.core.mail import send_mail
from django.utils import timezone

from fieldwork.alerts import Alert
from fieldwork.models import RaisedAlert
from fieldwork.watching import alerts_of
from fieldwork.wording import sentence
from studies.models import FieldingState, Study

log = logging.getLogger(__name__)
TIMEOUT_S = 10
# an alert that comes back within this time is the same one
QUIET = timedelta(days=1)


def check_all() -> int:
    """Look at every study with a link that is not closed; returns how many messages were sent."""
    running = Study.objects.filter(archived_at=None, fieldings__state__in=[FieldingState.OPEN, FieldingState.PAUSED])
    sent = 0
    for study in running.distinct():
        try:
            sent += check(study, timezone.now())
        except Exception:
            # one study's trouble must not hide another's alerts
            log.exception("The alerts of study %s could not be checked.", study.sha256)
    return sent


def check(study: Study, now: datetime) -> int:
    """Raise and end the study's alerts, and send what was not sent yet; returns how many messages were sent."""
    found = {(alert.code.value, alert.subject): alert for alert in alerts_of(study)}
    rows = {(row.code, row.subject): row for row in RaisedAlert.objects.filter(study=study)}
    ended = [row.pk for key, row in rows.items() if row.ended_at is None and key not in found]
    RaisedAlert.objects.filter(pk__in=ended).update(ended_at=now)
    due = []
    for key, alert in found.items():
        row = rows.get(key) or RaisedAlert.objects.create(study=study, code=key[0], subject=key[1], raised_at=now)
        if row.ended_at is not None:
            is_new = now - row.ended_at > QUIET
            row.raised_at, row.sent_at = (now, None) if is_new else (row.raised_at, row.sent_at)
            row.ended_at = None
            row.save()
        if row.sent_at is None:
            due.append((row, alert))
    return _send(study, due, now) if due and (settings.ALERT_WEBHOOK or settings.ALERT_EMAIL) else 0


def _send(study: Study, due: Iterable[tuple[RaisedAlert, Alert]], now: datetime) -> int:
    """What fails is tried again at the next check."""
    sent = 0
    for row, alert in due:
        try:
            _deliver(study, alert)
        except OSError as error:
            # smtplib's errors are OSErrors too; an address may hold a password, so it is not logged
            log.warning("The alert %s could not be sent: %s", row.code, type(error).__name__)
            continue
        row.sent_at = now
        row.save(update_fields=["sent_at"])
        sent += 1
    return sent


def _deliver(study: Study, alert: Alert) -> None:
    address = f"{settings.PUBLIC_URL}/research/studies/{study.sha256}/live"
    text = f"{study.name}: {sentence(alert)}"
    if settings.ALERT_EMAIL:
        send_mail(f"Eyelevel: {study.name}", f"{sentence(alert)}\n\n{address}\n", None, settings.ALERT_EMAIL)
    if settings.ALERT_WEBHOOK:
        body = {"text": f"{text} {address}", "study": study.sha256, "code": alert.code, "subject": alert.subject}
        headers = {"Content-Type": "application/json"}
        # the operator's own address, and http or https by the check in `config.settings`
        request = Request(settings.ALERT_WEBHOOK, json.dumps(body).encode(), headers)  # noqa: S310
        with urlopen(request, timeout=TIMEOUT_S):  # noqa: S310
            pass
