"""/api/research: studies and their fieldings."""

from django.http import HttpRequest
from ninja import Router, Schema, Status

from accounts.access import account, any_account, researcher_or_studies_token
from problems import Problem, not_found
from studies import draft
from studies.lifecycle import change_state
from studies.models import Fielding, FieldingState, Study
from studies.progress import FieldingRow, StudyDetail, StudyRow, fielding_row, study_detail, study_row
from studies.publish import publish

router = Router(tags=["studies"])
YAML_TYPES = ("application/yaml", "application/x-yaml", "text/yaml")


class StateChange(Schema):
    state: FieldingState


@router.get("/research/studies", response=list[StudyRow], auth=researcher_or_studies_token)
def studies(request: HttpRequest) -> list[StudyRow]:
    return [study_row(study, request=request) for study in Study.objects.order_by("-published_at")]


@router.post("/research/studies", response={201: StudyRow}, auth=researcher_or_studies_token)
def post_study(request: HttpRequest) -> Status[StudyRow]:
    if request.content_type not in YAML_TYPES:
        raise Problem(400, "not_yaml", f"The body is {request.content_type!r}; send application/yaml.")
    if int(request.headers.get("Content-Length") or 0) > draft.MAX_BYTES:
        raise Problem(413, "too_large", f"A study file has at most {draft.MAX_BYTES} bytes.")
    try:
        text = request.body.decode()
    except UnicodeDecodeError as error:
        raise Problem(422, "invalid_study", f"The study file is no UTF-8 text: {error}.") from None
    return Status(201, study_row(publish(text, user=account(request)), request=request))


@router.get("/research/studies/{sha256}", response=StudyDetail, auth=researcher_or_studies_token)
def study(request: HttpRequest, sha256: str) -> StudyDetail:
    found = Study.objects.filter(sha256=sha256).first()
    if found is None:
        raise not_found(f"study {sha256}")
    return study_detail(found, request=request)


@router.post("/research/fieldings/{slug}/state", response=FieldingRow, auth=any_account)
def post_state(request: HttpRequest, slug: str, change: StateChange) -> FieldingRow:
    fielding = Fielding.objects.filter(slug=slug).first()
    if fielding is None:
        raise not_found(f"fielding {slug}")
    return fielding_row(change_state(fielding, change.state), request=request)
