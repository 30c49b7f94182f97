"""Shares a study with other accounts, to read or to edit."""

from django.db import transaction

from accounts.models import Role, User
from audit.log import record
from audit.models import What
from lib.problems import Problem, not_found
from studies.models import ShareLevel, Study, StudyShare


def share(study: Study, username: str, level: ShareLevel, *, by: User) -> StudyShare:
    """Share the study, or change the level of a share; raises Problem 404, or 422 with the field."""
    user = User.objects.filter(username=username, is_active=True).first()
    if user is None:
        raise not_found(f"account {username}")
    if user.pk == study.published_by_id:
        raise _wrong("username", f"{username} owns the study; share it with another account.")
    if user.role == Role.GUEST and level != ShareLevel.READ:
        raise _wrong("level", f"{username} is a guest, who can only read; share the study with the level read.")
    with transaction.atomic():
        shared, new = StudyShare.objects.select_for_update().get_or_create(
            study=study, user=user, defaults={"level": level}
        )
        if not new and shared.level == level:
            return shared
        shared.level = level
        shared.save()
        record(by, What.SHARE, study, {"did": "shared", "with": username, "level": level.value})
    return shared


def unshare(study: Study, username: str, *, by: User) -> None:
    """Remove a share; raises Problem 404 if the study is not shared with the account."""
    row = study.shares.filter(user__username=username).first()
    if row is None:
        raise not_found(f"share with {username}")
    with transaction.atomic():
        row.delete()
        record(by, What.SHARE, study, {"did": "unshared", "with": username})


def _wrong(field: str, message: str) -> Problem:
    return Problem(422, "invalid", message, details={"field": field})
