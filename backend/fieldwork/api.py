"""Endpoint /api/research/studies/{sha256}/field: the state of a study in the field, for its live page."""

from django.http import HttpRequest
from ninja import Router

from accounts.permissions import account, reader
from fieldwork.schemas import FieldOut
from fieldwork.watching import field_of
from studies.permissions import study_for

router = Router(tags=["fieldwork"])


@router.get("/research/studies/{sha256}/field", response=FieldOut, auth=reader)
def field(request: HttpRequest, sha256: str) -> dict[str, object]:
    """Arrivals, dropouts, exclusions, durations, problems, forecasts and alerts of a study; nothing by stack."""
    return field_of(study_for(account(request), sha256))
