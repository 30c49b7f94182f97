"""Adds events to the audit log."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from django.contrib.auth.models import AbstractUser

from audit.models import AuditEntry, Kind, What


@dataclass(frozen=True)
class Subject:
    """The subject of an event: its kind and name, and the digest of its study, whose owner may read the event."""

    kind: Kind
    name: str
    study_sha256: str | None = None


class Auditable(Protocol):
    """A model whose changes are logged: a study, a fielding, an account."""

    def audit_subject(self) -> Subject: ...


def record(
    actor: AbstractUser | None, what: What | str, target: Auditable | str, details: Mapping[str, object] | None = None
) -> AuditEntry:
    """Add an event: `record(user, "export", study, {"snapshot": sha256})`. Raises ValueError for an unknown `what`.

    `actor` is None for a command on the server. `details` is JSON for readers of the log; it must contain no IP address
    and nothing that identifies a participant. Call it inside the transaction of the change itself.
    """
    subject = Subject(Kind.OTHER, target) if isinstance(target, str) else target.audit_subject()
    return AuditEntry.objects.create(
        actor_id=actor.pk if actor else None,
        actor_name=actor.username if actor else "",
        what=What(what),
        kind=subject.kind,
        target=subject.name,
        study_sha256=subject.study_sha256,
        details=dict(details or {}),
    )
