"""Retention of accounts' data: deletes expired sign-ins and API tokens."""

from datetime import datetime

from django.db.models import QuerySet

from accounts import sessions
from accounts.models import ApiToken
from lib import retention


def provide() -> None:
    retention.provide("tokens", retention.rows(expired_tokens))
    retention.provide("sign_ins", retention.rows(sessions.over))


def expired_tokens(now: datetime) -> QuerySet[ApiToken]:
    return ApiToken.objects.filter(expires_at__lt=now - retention.period_of("tokens"))
