"""GET /api/audit: the log, newest first; all of it for admins, that of their studies for owners."""

from datetime import datetime
from typing import Annotated, Any

from django.db.models import QuerySet
from django.http import HttpRequest
from ninja import Query, Router, Schema

from accounts.models import Role, User
from accounts.permissions import account, researcher
from audit.models import AuditEntry
from lib.text import Line
from studies.models import Study
from studies.permissions import study_for

router = Router(tags=["audit"])
PAGE = 100
Before = Annotated[int | None, Query(ge=1)]


class EntryRow(Schema):
    id: int
    at: datetime
    # null where a command on the server did it
    actor: str | None
    what: str
    # study, fielding, account or other
    kind: str
    # its name; a fielding's begins with its study's
    target: str
    study_sha256: str | None
    details: dict[str, Any]


class AuditPage(Schema):
    entries: list[EntryRow]
    # give this as `before` for the next page; null on the last one
    before: int | None


@router.get("/audit", response=AuditPage, auth=researcher)
def audit(
    request: HttpRequest, study: Line | None = None, before: Annotated[int | None, Query(ge=1)] = None
) -> AuditPage:
    found = _visible(account(request), study)
    if before is not None:
        found = found.filter(pk__lt=before)
    rows = list(found.order_by("-pk")[: PAGE + 1])
    return AuditPage(
        entries=[_row(entry) for entry in rows[:PAGE]], before=rows[PAGE - 1].pk if len(rows) > PAGE else None
    )


def _visible(user: User, study: str | None) -> QuerySet[AuditEntry]:
    if study is not None:
        return AuditEntry.objects.filter(study_sha256=study_for(user, study, "share").pk)
    if user.role == Role.ADMIN:
        return AuditEntry.objects.all()
    own = Study.objects.filter(published_by=user).values("pk")
    return AuditEntry.objects.filter(study_sha256__in=own)


def _row(entry: AuditEntry) -> EntryRow:
    return EntryRow(
        id=entry.pk,
        at=entry.at,
        actor=entry.actor_name or None,
        what=entry.what,
        kind=entry.kind,
        target=entry.target,
        study_sha256=entry.study_sha256,
        details=entry.details,
    )
