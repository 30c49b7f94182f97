"""/api/research/studies/{sha256}/shares: who else sees a study, for its owner and admins."""

from datetime import datetime

from django.http import HttpRequest
from ninja import Router, Schema, Status

from accounts.access import account, researcher
from accounts.models import Role
from studies.access import study_for
from studies.models import ShareLevel, StudyShare
from studies.sharing import share, unshare

router = Router(tags=["studies"])


class ShareRow(Schema):
    username: str
    role: Role
    level: ShareLevel
    shared_at: datetime


class LevelIn(Schema):
    level: ShareLevel


@router.get("/research/studies/{sha256}/shares", response=list[ShareRow], auth=researcher)
def shares(request: HttpRequest, sha256: str) -> list[ShareRow]:
    found = study_for(account(request), sha256, "share").shares.select_related("user").order_by("user__username")
    return [_row(one) for one in found]


@router.put("/research/studies/{sha256}/shares/{username}", response=ShareRow, auth=researcher)
def put_share(request: HttpRequest, sha256: str, username: str, wanted: LevelIn) -> ShareRow:
    user = account(request)
    return _row(share(study_for(user, sha256, "share"), username, wanted.level, by=user))


@router.delete("/research/studies/{sha256}/shares/{username}", response={204: None}, auth=researcher)
def delete_share(request: HttpRequest, sha256: str, username: str) -> Status[None]:
    user = account(request)
    unshare(study_for(user, sha256, "share"), username, by=user)
    return Status(204, None)


def _row(shared: StudyShare) -> ShareRow:
    return ShareRow(
        username=shared.user.username,
        role=Role(shared.user.role),
        level=ShareLevel(shared.level),
        shared_at=shared.shared_at,
    )
