"""Permissions of users on studies; all other code asks this module.

| right | permits |
| --- | --- |
| read | reading the study, its cells, results and clips |
| export | exporting the votes |
| edit | changing the states of fieldings, opening a further fielding |
| share | sharing, reading its audit log, archiving, deleting |

Only the owner may read recruiters' ids (see `payment`).

The owner of a study is the account that published it. A study without an owner (the account was deleted, or a command
published it) belongs to the admins.
"""

from collections.abc import Collection
from typing import Literal

from django.db.models import Q, QuerySet

from accounts.models import Role, User
from accounts.permissions import FORBIDDEN
from lib.problems import Problem, not_found
from studies.models import Fielding, ShareLevel, Study, StudyShare

Right = Literal["read", "export", "edit", "share"]
NONE: frozenset[Right] = frozenset()
READ: frozenset[Right] = frozenset({"read"})
OF_SHARE: dict[str, frozenset[Right]] = {
    ShareLevel.READ: frozenset({"read", "export"}),
    ShareLevel.EDIT: frozenset({"read", "export", "edit"}),
}
ALL: frozenset[Right] = frozenset({"read", "export", "edit", "share"})


def is_owner(user: User, study: Study) -> bool:
    """Whether the user published the study, or is an admin and the study has no owner."""
    return study.published_by_id == user.pk or (study.published_by_id is None and user.role == Role.ADMIN)


def visible_studies(user: User) -> QuerySet[Study]:
    """The studies that the user may read."""
    if user.role == Role.ADMIN:
        return Study.objects.all()
    shared = Study.objects.filter(shares__user=user).values("pk")
    return Study.objects.filter(Q(published_by=user) | Q(pk__in=shared))


def rights(user: User, study: Study) -> frozenset[Right]:
    """The user's rights on the study; if empty, the user must not learn that it exists."""
    return rights_in(user, [study])[study.pk]


def rights_in(user: User, studies: Collection[Study]) -> dict[str, frozenset[Right]]:
    """The user's rights on each of these studies by its digest, in one query."""
    shared = StudyShare.objects.filter(user=user, study__in=[study.pk for study in studies])
    levels = {} if user.role == Role.ADMIN else dict(shared.values_list("study", "level"))
    return {
        study.pk: ALL
        if user.role == Role.ADMIN
        else _rights(role=user.role, is_owner=study.published_by_id == user.pk, level=levels.get(study.pk))
        for study in studies
    }


def may(user: User, study: Study, right: Right) -> bool:
    return right in rights(user, study)


def study_for(user: User, sha256: str, right: Right = "read") -> Study:
    """The study, if the user has the right; raises Problem 404 if they may not read it, else 403 `forbidden`."""
    study = Study.objects.filter(pk=sha256).first()
    if study is None:
        raise not_found(f"study {sha256}")
    demand(user, study, right, missing=f"study {sha256}")
    return study


def study_of_owner(user: User, sha256: str) -> Study:
    """The study, if the user is its owner; raises Problem 403 `forbidden` for other users who may read it, else 404."""
    study = study_for(user, sha256)
    if not is_owner(user, study) or user.role == Role.GUEST:
        raise Problem(403, "forbidden", FORBIDDEN)
    return study


def fielding_for(user: User, slug: str, right: Right) -> Fielding:
    """The fielding, if the user has the right to its study; raises as `study_for` does."""
    fielding = Fielding.objects.select_related("study").filter(slug=slug).first()
    if fielding is None:
        raise not_found(f"fielding {slug}")
    demand(user, fielding.study, right, missing=f"fielding {slug}")
    return fielding


def audited_studies(user: User, sha256: str | None) -> list[str] | None:
    """The studies whose audit events the user may read, of one study if it is named; None for all events."""
    if user.role == Role.ADMIN:
        # the log also has events of deleted studies
        return None if sha256 is None else [sha256]
    if sha256 is not None:
        return [study_for(user, sha256, "share").pk]
    return list(Study.objects.filter(published_by=user).values_list("pk", flat=True))


def demand(user: User, study: Study, right: Right, *, missing: str) -> None:
    """Raise Problem 404 about `missing` if the user may not read the study, or 403 if they lack the right."""
    held = rights(user, study)
    if "read" not in held:
        raise not_found(missing)
    if right not in held:
        raise Problem(403, "forbidden", FORBIDDEN)


def _rights(*, role: str, is_owner: bool, level: str | None) -> frozenset[Right]:
    if not is_owner and level is None:
        return NONE
    if role == Role.GUEST:
        # regardless of a share or a former role
        return READ
    return ALL if is_owner else OF_SHARE[level or ShareLevel.READ]
