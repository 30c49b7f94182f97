"""Writing the log."""

from collections.abc import Mapping
from typing import Any

from accounts.models import User
from audit.models import AuditEntry, What
from studies.models import Fielding, Study


def record(
    actor: User | None,
    what: What | str,
    target: Study | Fielding | User | str,
    details: Mapping[str, Any] | None = None,
) -> AuditEntry:
    """Add an entry: `record(user, "export", study, {"snapshot": sha256})`. ValueError for an unknown deed.

    `actor` is None for a command on the server. `details` is JSON for people who look back; it must hold no address
    and nothing that names a participant. Call it in the transaction of the deed, so that both stand or neither.
    """
    study = _study_of(target)
    return AuditEntry.objects.create(
        actor=actor,
        actor_name=actor.username if actor else "",
        what=What(what),
        target=_name_of(target),
        study_sha256=study.sha256 if study else None,
        details=dict(details or {}),
    )


def _study_of(target: Study | Fielding | User | str) -> Study | None:
    if isinstance(target, Fielding):
        return target.study
    return target if isinstance(target, Study) else None


def _name_of(target: Study | Fielding | User | str) -> str:
    if isinstance(target, Study):
        return f"study {target.name}"
    if isinstance(target, Fielding):
        return f"fielding {target.slug} of study {target.study.name}"
    return f"account {target.username}" if isinstance(target, User) else target
