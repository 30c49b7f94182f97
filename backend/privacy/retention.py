"""Retention: deletes recruiter ids, cookies and failed codes past their retention, and the kinds of `lib.kept`."""

import calendar
import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet

from accounts.login_counts import old_counts
from lib.retention import Swept, sweep_all
from privacy import planner_statistics
from privacy.code_lookup import old_failures
from ratings.cookies import MAX_AGE_COMPLETED_S, lifetime_s
from ratings.models import Recruitment, Session, SessionState
from studies.models import Study

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Due:
    """Data due for deletion, and data that are kept because a study states no retention."""

    recruitments: list[int]
    # when the next recruiter id is due; None if none is
    next_at: datetime | None
    without_retention: int
    # sessions, completed or abandoned, whose cookie has expired
    cookies: int
    # failed completion codes that no longer count
    failed_codes: int
    # studies that this version cannot read; their promises are unknown, so their data are kept
    unread: list[str]
    # all kinds of data with a sweep
    kinds: list[Swept]


@dataclass(frozen=True)
class Promise:
    """A study's retention of recruiter ids in months (None: not stated), and the lifetime of its cookies."""

    months: int | None
    cookie_s: int


def months_after(moment: datetime, months: int) -> datetime:
    """The same day after this many months, or the last day of a shorter month."""
    year, month = divmod(moment.year * 12 + moment.month - 1 + months, 12)
    day = min(moment.day, calendar.monthrange(year, month + 1)[1])
    return moment.replace(year=year, month=month + 1, day=day)


def deadline(took_part: Iterable[tuple[str, datetime]], months: Mapping[str, int | None]) -> datetime | None:
    """The time at which a participant's recruiter id is deleted, from their studies and the start of each session.

    This is the latest of the studies' deadlines, because each study may still owe a payment. None if one study states
    no retention.
    """
    deadlines = []
    for study, moment in took_part:
        retention = months[study]
        if retention is None:
            return None
        deadlines.append(months_after(moment, retention))
    return max(deadlines, default=None)


def due(now: datetime) -> Due:
    return _due(now, list(sweep_all(now, delete=False)))


def _due(now: datetime, kinds: list[Swept]) -> Due:
    promises, unread = _promises()
    months = {study: promise.months for study, promise in promises.items()} | dict.fromkeys(unread)
    took_part: dict[int, list[tuple[str, datetime]]] = {}
    rows = Recruitment.objects.values_list(
        "pk", "participant__sessions__fielding__study", "participant__sessions__started_at"
    )
    for recruitment, study, started_at in rows:
        sessions = took_part.setdefault(recruitment, [])
        if study is not None and started_at is not None:
            sessions.append((study, started_at))
    deadlines = {recruitment: deadline(sessions, months) for recruitment, sessions in took_part.items()}
    known = {recruitment: moment for recruitment, moment in deadlines.items() if moment is not None}
    return Due(
        recruitments=[recruitment for recruitment, moment in known.items() if moment <= now],
        next_at=min((moment for moment in known.values() if moment > now), default=None),
        without_retention=len(deadlines) - len(known),
        cookies=_stale_cookies(now, promises).count(),
        failed_codes=old_failures(now).count(),
        unread=unread,
        kinds=kinds,
    )


def apply(now: datetime) -> Due:
    """Delete data that are due, and return them."""
    deleted = _due(now, [])
    with transaction.atomic():
        Recruitment.objects.filter(pk__in=deleted.recruitments).delete()
        _stale_cookies(now, _promises()[0]).update(token_sha256=None, other_token_sha256=None)
        old_failures(now).delete()
    old_counts(now).delete()
    # after the cookies, because sessions that can no longer be resumed may now be due
    deleted = replace(deleted, kinds=list(sweep_all(now, delete=True)))
    # in any case, because a message after an erasure may have been lost
    planner_statistics.refresh()
    return deleted


def _promises() -> tuple[dict[str, Promise], list[str]]:
    """Each study's promise, and the unreadable studies, which must not prevent deletion in the others."""
    promises: dict[str, Promise] = {}
    unread = []
    for study in Study.objects.all():
        try:
            retention = study.design.retention
            promises[study.pk] = Promise(retention.months if retention else None, lifetime_s(study))
        except Exception:
            log.exception("Study %s cannot be read; the data of its participants are kept.", study.pk)
            unread.append(study.pk)
    return promises, unread


def _stale_cookies(now: datetime, promises: Mapping[str, Promise]) -> QuerySet[Session]:
    """Sessions whose cookies have expired: completed ones, and abandoned ones that can no longer be resumed.

    The lease ends shortly after the last activity, and no browser keeps the cookie longer than `lifetime_s`.
    """
    done = Q(state=SessionState.COMPLETED, completed_at__lt=now - timedelta(seconds=MAX_AGE_COMPLETED_S))
    by_lifetime: dict[int, list[str]] = {}
    for study, promise in promises.items():
        by_lifetime.setdefault(promise.cookie_s, []).append(study)
    abandoned = Q()
    for seconds, studies in by_lifetime.items():
        abandoned |= Q(fielding__study__in=studies, lease_until__lt=now - timedelta(seconds=seconds))
    over = done | (~Q(state=SessionState.COMPLETED) & abandoned) if by_lifetime else done
    has_cookie = Q(token_sha256__isnull=False) | Q(other_token_sha256__isnull=False)
    return Session.objects.filter(over, has_cookie)
