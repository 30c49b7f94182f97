"""Messages to operators and researchers: by e-mail and to a webhook, if these are configured."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import httpx
from django.conf import settings
from django.core.mail import send_mail

log = logging.getLogger(__name__)
TIMEOUT_S = 10


@dataclass(frozen=True)
class Message:
    """A sentence about `subject`, and the page to open; `facts` are further fields of the webhook's JSON object."""

    subject: str
    sentence: str
    page: str
    facts: Mapping[str, str]


def channels() -> list[str]:
    """The configured channels: `mail`, `webhook`, both or none."""
    configured = {"mail": settings.ALERT_EMAIL, "webhook": settings.ALERT_WEBHOOK}
    return [name for name in DELIVER if configured[name]]


def deliver(channel: str, message: Message) -> bool:
    """Send a message by a channel; False, and a line in the log, if the server did not take it."""
    try:
        DELIVER[channel](message)
    except (OSError, httpx.HTTPError) as error:
        # smtplib's errors are OSErrors; an address may contain a password, so it is not logged
        log.warning("The alert %s could not be sent: %s", message.facts["code"], type(error).__name__)
        return False
    return True


def _mail(message: Message) -> None:
    text = f"{message.sentence}\n\n{_address(message)}\n"
    send_mail(f"Eyelevel: {message.subject}", text, None, settings.ALERT_EMAIL)


def _post(message: Message) -> None:
    text = f"{message.subject}: {message.sentence} {_address(message)}"
    body = {"text": text, **message.facts}
    httpx.post(settings.ALERT_WEBHOOK, json=body, timeout=TIMEOUT_S).raise_for_status()


def _address(message: Message) -> str:
    return f"{settings.PUBLIC_URL}{message.page}"


DELIVER: dict[str, Callable[[Message], None]] = {"mail": _mail, "webhook": _post}
