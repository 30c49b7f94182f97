"""GET /api/research/studies/{sha256}/results."""

from datetime import datetime
from typing import Any, Literal

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router, Schema

from accounts.access import researcher_or_studies_token
from analysis.standing import standing
from problems import not_found
from studies.models import Study

router = Router(tags=["results"])


class SnapshotOut(Schema):
    sha256: str
    created_at: datetime
    votes: int
    sessions: int


class MosOut(Schema):
    site: str
    network: str
    stack: str
    context: str
    n: int
    mos: float
    ci_low: float | None
    ci_high: float | None
    sd: float | None


class ComparisonOut(Schema):
    site: str
    network: str
    stack_a: str
    stack_b: str
    context: str
    n: int
    prefer_a: int
    prefer_b: int
    no_difference: int
    share_a: float
    ci_low: float
    ci_high: float


class CorrelationOut(Schema):
    network: str
    metric: Literal["fvc", "si", "vc85", "lvc", "plt"]
    clips: int
    votes: int
    pearson: float | None
    spearman: float | None
    pearson_ci_low: float | None
    pearson_ci_high: float | None
    p_value: float | None


class PointOut(Schema):
    clip_sha256: str
    site: str
    network: str
    stack: str
    n: int
    mos: float
    fvc_ms: float | None
    si_ms: float | None
    vc85_ms: float | None
    lvc_ms: float | None
    plt_ms: float | None


class ValueOut(Schema):
    kind: str
    site: str
    network: str
    stack: str
    context: str
    n: int
    mean: float
    ci_low: float | None
    ci_high: float | None
    sd: float | None


class IdenticalAnswersOut(Schema):
    n: int
    participants: int
    chose_left: int
    chose_right: int
    no_difference: int
    share_different: float
    ci_low: float
    ci_high: float


class IdenticalOut(IdenticalAnswersOut):
    network: str
    stack: str


class RepeatOut(Schema):
    kind: str
    n: int
    participants: int
    equal: int
    share_equal: float
    ci_low: float
    ci_high: float
    mean_difference: float | None


class ResultsOut(Schema):
    status: Literal["none", "fresh", "stale", "running"]
    snapshot: SnapshotOut | None
    mos: list[MosOut]
    comparisons: list[ComparisonOut]
    correlations: list[CorrelationOut]
    points: list[PointOut]
    values: list[ValueOut]
    identical: list[IdenticalOut]
    identical_all: IdenticalAnswersOut | None
    repeats: list[RepeatOut]
    simulated_sessions: int


TABLES = ("mos", "comparisons", "correlations", "points", "values", "identical", "repeats")


@router.get("/research/studies/{sha256}/results", response=ResultsOut, auth=researcher_or_studies_token)
def results(request: HttpRequest, sha256: str) -> dict[str, Any]:
    if not Study.objects.filter(sha256=sha256).exists():
        raise not_found("study of this digest")
    status, state = standing(sha256, timezone.now())
    result = state.result if state else None
    if result is None:
        empty = {"identical_all": None, "simulated_sessions": 0}
        return {"status": status, "snapshot": None} | {name: [] for name in TABLES} | empty
    named = (*TABLES, "identical_all", "simulated_sessions")
    return {"status": status, "snapshot": result.snapshot} | {name: getattr(result, name) for name in named}
