"""Endpoint GET /api/audit: the audit log, newest first; all events for admins, those of their studies for owners."""

from collections.abc import Callable
from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Query, Router

from audit.models import AuditEntry
from audit.schemas import AuditPage, EntryRow
from lib.text import Line

PAGE = 100
# digests of the studies whose events the caller may read, of one study if it is named; None for all events
Scope = Callable[[HttpRequest, str | None], list[str] | None]


def audit_router(*, auth: Callable[[HttpRequest], Any], scope: Scope) -> Router:
    """Build the endpoint; its permissions are passed in, because `accounts` and `studies` import this app."""
    router = Router(tags=["audit"])

    @router.get("/audit", response=AuditPage, auth=auth)
    def audit(
        request: HttpRequest, study: Line | None = None, before: Annotated[int | None, Query(ge=1)] = None
    ) -> AuditPage:
        studies = scope(request, study)
        entries = AuditEntry.objects.all() if studies is None else AuditEntry.objects.filter(study_sha256__in=studies)
        if before is not None:
            entries = entries.filter(pk__lt=before)
        rows = list(entries.order_by("-pk")[: PAGE + 1])
        return AuditPage(
            entries=[_row(entry) for entry in rows[:PAGE]], before=rows[PAGE - 1].pk if len(rows) > PAGE else None
        )

    return router


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
