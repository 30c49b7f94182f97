"""Retention: how long a recruiter's ids may stay, as each study's consent promises, and what else has its time."""

import calendar
import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet

from privacy.completion_codes import old_failures
from privacy.erasure import forget_statistics
from ratings.cookies import MAX_AGE_COMPLETED_S, lifetime_s
from ratings.models import Recruitment, Session, SessionState
from studies.models import Study

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Due:
    """What is to go now, and what stays since no study of theirs says how long."""

    recruitments: list[int]
    # the earliest moment at which another one is due; None where there is none
    next_at: datetime | None
    without_retention: int
    # sessions, complete or given up, whose cookie is past its life
    cookies: int
    # wrong completion codes that were typed in too long ago to count
    failed_codes: int
    # studies that this version cannot read; what they promise is unknown, so that what is theirs stays
    unread: list[str]


@dataclass(frozen=True)
class Promise:
    """What one study says: months until a recruiter's id goes, null for never, and how long a cookie lives."""

    months: int | None
    cookie_s: int


def months_after(moment: datetime, months: int) -> datetime:
    """The same day so many months on, or the last of a month that is too short."""
    year, month = divmod(moment.year * 12 + moment.month - 1 + months, 12)
    day = min(moment.day, calendar.monthrange(year, month + 1)[1])
    return moment.replace(year=year, month=month + 1, day=day)


def deadline(took_part: Iterable[tuple[str, datetime]], months: Mapping[str, int | None]) -> datetime | None:
    """When the recruiter's id of one participant is to go, from their studies and when they were last there.

    The latest of the studies' promises, as each of them may still owe a payment; None where a study promises nothing.
    """
    deadlines = []
    for study, moment in took_part:
        own = months[study]
        if own is None:
            return None
        deadlines.append(months_after(moment, own))
    return max(deadlines, default=None)


def due(now: datetime) -> Due:
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
    )


def apply(now: datetime) -> Due:
    """Delete what is due; returns it."""
    found = due(now)
    with transaction.atomic():
        Recruitment.objects.filter(pk__in=found.recruitments).delete()
        _stale_cookies(now, _promises()[0]).update(token_sha256=None, other_token_sha256=None)
        old_failures(now).delete()
    if found.recruitments:
        forget_statistics()
    return found


def _promises() -> tuple[dict[str, Promise], list[str]]:
    """What each study says, and those that cannot be read: they must not keep what others promised to delete."""
    promises: dict[str, Promise] = {}
    unread = []
    for study in Study.objects.all():
        try:
            own = study.design.retention
            promises[study.pk] = Promise(own.months if own else None, lifetime_s(study))
        except Exception:
            log.exception("The study %s cannot be read; what is kept of its participants stays.", study.pk)
            unread.append(study.pk)
    return promises, unread


def _stale_cookies(now: datetime, promises: Mapping[str, Promise]) -> QuerySet[Session]:
    """Sessions whose tokens let nobody in any more: complete ones, and those given up that nobody may go on with.

    The lease ends a little after the last sign of life, and no browser keeps the cookie longer than `lifetime_s`.
    """
    done = Q(state=SessionState.COMPLETED, completed_at__lt=now - timedelta(seconds=MAX_AGE_COMPLETED_S))
    by_lifetime: dict[int, list[str]] = {}
    for study, promise in promises.items():
        by_lifetime.setdefault(promise.cookie_s, []).append(study)
    given_up = Q()
    for seconds, studies in by_lifetime.items():
        given_up |= Q(fielding__study__in=studies, lease_until__lt=now - timedelta(seconds=seconds))
    over = done | (~Q(state=SessionState.COMPLETED) & given_up) if by_lifetime else done
    kept = Q(token_sha256__isnull=False) | Q(other_token_sha256__isnull=False)
    return Session.objects.filter(over, kept)
