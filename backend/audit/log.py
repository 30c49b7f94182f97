"""Writing the log."""

from collections.abc import Mapping
from typing import Any

from accounts.models import User
from audit.models import AuditEntry, Kind, What
from studies.models import Fielding, Study

Target = Study | Fielding | User | str


def record(
    actor: User | None, what: What | str, target: Target, details: Mapping[str, Any] | None = None
) -> AuditEntry:
    """Add an entry: `record(user, "export", study, {"snapshot": sha256})`. ValueError for an unknown deed.

    `actor` is None for a command on the server. `details` is JSON for people who look back; it must hold no address
    and nothing that names a participant. Call it in the transaction of the deed, so that both stand or neither.
    """
    kind, name, study = _told(target)
    return AuditEntry.objects.create(
        actor=actor,
        actor_name=actor.username if actor else "",
        what=What(what),
        kind=kind,
        target=name,
        study_sha256=study.sha256 if study else None,
        details=dict(details or {}),
    )


def _told(target: Target) -> tuple[Kind, str, Study | None]:
    if isinstance(target, Study):
        return Kind.STUDY, target.name, target
    if isinstance(target, Fielding):
        return Kind.FIELDING, f"{target.study.name} {target.slug}", target.study
    if isinstance(target, User):
        return Kind.ACCOUNT, target.username, None
    return Kind.OTHER, target, None
