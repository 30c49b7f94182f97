"""Which studies a person sees, and what they may do with each: the one place that decides.

| right | what it opens |
| --- | --- |
| read | the study, its cells, results and clips |
| export | taking the votes home |
| edit | states of fieldings, opening a further fielding |
| share | who else sees it, its log, archiving and deleting it |

Ids that recruiters gave are the owner's alone: `payment`.

A study belongs to who published it. One without an owner (the account is gone, or a command published it) belongs to
the admins.
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
    """Who published it; a study whose owner's account is gone belongs to the admins."""
    return study.published_by_id == user.pk or (study.published_by_id is None and user.role == Role.ADMIN)


def visible_studies(user: User) -> QuerySet[Study]:
    """Those that the user may at least read."""
    if user.role == Role.ADMIN:
        return Study.objects.all()
    shared = Study.objects.filter(shares__user=user).values("pk")
    return Study.objects.filter(Q(published_by=user) | Q(pk__in=shared))


def rights(user: User, study: Study) -> frozenset[Right]:
    """All that the user may do with the study; empty where they must not even learn that it exists."""
    return rights_in(user, [study])[study.pk]


def rights_in(user: User, studies: Collection[Study]) -> dict[str, frozenset[Right]]:
    """The same of each of these studies by its digest, in one query."""
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
    """The study, if the user has the right; raises Problem 404 where they do not see it, else 403 `forbidden`."""
    found = Study.objects.filter(pk=sha256).first()
    if found is None:
        raise not_found(f"study {sha256}")
    demand(user, found, right, missing=f"study {sha256}")
    return found


def study_of_owner(user: User, sha256: str) -> Study:
    """The same for what is the owner's alone; raises Problem 403 `forbidden` for everybody else who sees the study."""
    found = study_for(user, sha256)
    if not is_owner(user, found) or user.role == Role.GUEST:
        raise Problem(403, "forbidden", FORBIDDEN)
    return found


def fielding_for(user: User, slug: str, right: Right) -> Fielding:
    """The fielding, if the user has the right to its study; raises as `study_for` does."""
    found = Fielding.objects.select_related("study").filter(slug=slug).first()
    if found is None:
        raise not_found(f"fielding {slug}")
    demand(user, found.study, right, missing=f"fielding {slug}")
    return found


def audited_studies(user: User, sha256: str | None) -> list[str] | None:
    """The studies whose audit events the user may read, of one study if it is named; None for all events."""
    if user.role == Role.ADMIN:
        # the log outlives a study that was deleted
        return None if sha256 is None else [sha256]
    if sha256 is not None:
        return [study_for(user, sha256, "share").pk]
    return list(Study.objects.filter(published_by=user).values_list("pk", flat=True))


def demand(user: User, study: Study, right: Right, *, missing: str) -> None:
    """Raise Problem 404 about `missing` where the user does not see the study, 403 where the right is not theirs."""
    held = rights(user, study)
    if "read" not in held:
        raise not_found(missing)
    if right not in held:
        raise Problem(403, "forbidden", FORBIDDEN)


def _rights(*, role: str, is_owner: bool, level: str | None) -> frozenset[Right]:
    if not is_owner and level is None:
        return NONE
    if role == Role.GUEST:
        # whatever a share or a former role would give
        return READ
    return ALL if is_owner else OF_SHARE[level or ShareLevel.READ]
