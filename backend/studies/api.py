"""Endpoint /api/research: studies, their fieldings and shares."""

from django.db import transaction
from django.http import HttpRequest
from ninja import Router, Status

from accounts.models import Role
from accounts.permissions import account, reader, researcher, researcher_or_studies_token
from audit.log import record
from audit.models import What
from eyelevel_core.study.parse import MAX_BYTES, StudyError, decoded
from lib.problems import Problem
from studies.archive import archive, demand_not_archived, take_back
from studies.lifecycle import change_state
from studies.models import FieldingState, ShareLevel, StudyShare
from studies.permissions import fielding_for, study_for, visible_studies
from studies.progress import fielding_row, study_detail, study_row, study_rows
from studies.publish import SOURCE, publish, refused
from studies.schemas import ArchiveIn, FieldingRow, LevelIn, ShareRow, StateChange, StudyDetail, StudyRow
from studies.sharing import share, unshare

router = Router(tags=["studies"])
EVENTS = {FieldingState.OPEN: What.OPEN, FieldingState.PAUSED: What.PAUSE, FieldingState.CLOSED: What.CLOSE}
YAML_TYPES = ("application/yaml", "application/x-yaml", "text/yaml")


@router.get("/research/studies", response=list[StudyRow], auth=reader)
def studies(request: HttpRequest) -> list[StudyRow]:
    visible = visible_studies(account(request)).select_related("published_by").order_by("-published_at")
    return study_rows(list(visible), request=request)


@router.post("/research/studies", response={201: StudyRow}, auth=researcher_or_studies_token)
def post_study(request: HttpRequest) -> Status[StudyRow]:
    if request.content_type not in YAML_TYPES:
        raise Problem(400, "not_yaml", f"The body is {request.content_type!r}; send application/yaml.")
    if int(request.headers.get("Content-Length") or 0) > MAX_BYTES:
        raise Problem(413, "too_large", f"The study file is too large; it may have at most {MAX_BYTES} bytes.")
    try:
        text = decoded(request.body, source=SOURCE)
    except StudyError as error:
        raise refused(error) from None
    return Status(201, study_row(publish(text, user=account(request)), request=request))


@router.get("/research/studies/{sha256}", response=StudyDetail, auth=reader)
def study(request: HttpRequest, sha256: str) -> StudyDetail:
    return study_detail(study_for(account(request), sha256), request=request)


@router.post("/research/fieldings/{slug}/state", response=FieldingRow, auth=researcher)
def post_state(request: HttpRequest, slug: str, change: StateChange) -> FieldingRow:
    user = account(request)
    fielding = fielding_for(user, slug, "edit")
    before = fielding.state
    demand_not_archived(fielding.study)
    with transaction.atomic():
        changed = change_state(fielding, change.state)
        if changed.state != before:
            record(user, EVENTS[change.state], fielding, {"from": before})
    return fielding_row(changed, request=request)


@router.post("/research/studies/{sha256}/archive", response=StudyRow, auth=researcher)
def post_archive(request: HttpRequest, sha256: str, wanted: ArchiveIn) -> StudyRow:
    user = account(request)
    change = archive if wanted.archived else take_back
    return study_row(change(study_for(user, sha256, "share"), by=user), request=request)


@router.get(
    "/research/studies/{sha256}/shares",
    response=list[ShareRow],
    auth=researcher,
    operation_id="studies_sharing_api_shares",
)
def shares(request: HttpRequest, sha256: str) -> list[ShareRow]:
    shared = study_for(account(request), sha256, "share").shares.select_related("user").order_by("user__username")
    return [_share_row(row) for row in shared]


@router.put(
    "/research/studies/{sha256}/shares/{username}",
    response=ShareRow,
    auth=researcher,
    operation_id="studies_sharing_api_put_share",
)
def put_share(request: HttpRequest, sha256: str, username: str, wanted: LevelIn) -> ShareRow:
    user = account(request)
    return _share_row(share(study_for(user, sha256, "share"), username, wanted.level, by=user))


@router.delete(
    "/research/studies/{sha256}/shares/{username}",
    response={204: None},
    auth=researcher,
    operation_id="studies_sharing_api_delete_share",
)
def delete_share(request: HttpRequest, sha256: str, username: str) -> Status[None]:
    user = account(request)
    unshare(study_for(user, sha256, "share"), username, by=user)
    return Status(204, None)


def _share_row(shared: StudyShare) -> ShareRow:
    return ShareRow(
        username=shared.user.username,
        role=Role(shared.user.role),
        level=ShareLevel(shared.level),
        shared_at=shared.shared_at,
    )
