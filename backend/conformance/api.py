"""Conformance for researchers: the funnel per group, the verdict on each session, and participants to pay."""

from dataclasses import asdict
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from ninja import Router, Schema

from accounts.permissions import account, reader, researcher
from conformance.payment import accepted_csv, is_owner
from conformance.playback import Watched, watched_by_group, watched_by_session
from conformance.queries import Judged, judged_sessions
from eyelevel_core.study.design import Design, Rule
from studies.permissions import study_for

router = Router(tags=["conformance"])


class RuleOut(Schema):
    """A rule and its thresholds. A participant who breaks it is left out if `use`, and paid nevertheless if `pay`."""

    rule: str
    use: bool
    pay: bool
    # by name, e.g. {"away_ms": 10000}
    thresholds: dict[str, float]


class StepOut(Schema):
    rule: str
    broken: int
    unknown: int
    left: int


class GroupOut(Schema):
    group: str
    started: int
    completed: int
    waiting: int
    steps: list[StepOut]
    # left after the last rule, but not used for another reason, e.g. {"beyond_quota": 2}
    otherwise: dict[str, int]
    used: int
    accepted: int
    # completed, but with trials skipped because the window was too narrow
    skipped: int


class WatchedOut(Schema):
    """Plays, and how many were off true speed, stalled, had dropped frames, or have an unknown speed."""

    played: int
    off_speed: int
    stalled: int
    dropped: int
    unknown: int


class GroupWatchedOut(WatchedOut):
    group: str


class ConformanceOut(Schema):
    version: int
    rules: list[RuleOut]
    groups: list[GroupOut]
    watched: list[GroupWatchedOut]
    # whether this user may download the list of participants to pay
    may_pay: bool


class FindingOut(Schema):
    rule: str
    broken: Literal["yes", "no", "unknown"]
    reason: str
    trials: list[int]
    unknown: int


class SessionOut(Schema):
    """A session; without a verdict, `accepted` and `used` are null."""

    session_id: UUID
    group: str
    origin: str
    state: str
    started_at: datetime | None
    completed_at: datetime | None
    accepted: bool | None
    used: bool | None
    # trials skipped because the window was too narrow
    skipped: int
    left_out_by: list[str]
    findings: list[FindingOut]
    watched: WatchedOut


@router.get("/research/studies/{sha256}/conformance", response=ConformanceOut, auth=reader)
def conformance(request: HttpRequest, sha256: str) -> dict[str, Any]:
    # the other pages of the platform need no statistics
    from conformance.funnel import funnel_of  # noqa: PLC0415

    user = account(request)
    study = study_for(user, sha256)
    design = study.design
    rules = design.conformance.rules
    return {
        "version": design.conformance.version,
        "rules": [_rule(name, rule, design) for name, rule in rules.items()],
        "groups": funnel_of(study),
        "watched": [{"group": group} | asdict(own) for group, own in watched_by_group(study).items()],
        "may_pay": is_owner(user, study),
    }


@router.get("/research/studies/{sha256}/conformance/sessions", response=list[SessionOut], auth=reader)
def sessions(request: HttpRequest, sha256: str) -> list[dict[str, Any]]:
    study = study_for(account(request), sha256)
    watched = watched_by_session(study.sha256)
    return [_session(judged, watched.get(judged.session_id, Watched())) for judged in judged_sessions(study.sha256)]


@router.get("/research/studies/{sha256}/conformance/accepted.csv", auth=researcher)
def accepted(request: HttpRequest, sha256: str) -> HttpResponse:
    text = accepted_csv(account(request), sha256)
    headers = {"Content-Disposition": 'attachment; filename="accepted.csv"', "Cache-Control": "no-store"}
    return HttpResponse(text, content_type="text/csv; charset=utf-8", headers=headers)


def _rule(name: str, rule: Rule, design: Design) -> dict[str, Any]:
    thresholds = dict(rule.thresholds)
    if name == "R5":
        thresholds["time_limit_minutes"] = design.session.time_limit_minutes
    return {"rule": name, "use": rule.use, "pay": rule.pay, "thresholds": thresholds}


def _session(judged: Judged, watched: Watched) -> dict[str, Any]:
    verdict = judged.verdict
    return {
        **{name: getattr(judged, name) for name in ("session_id", "group", "origin", "state")},
        **{
            name: getattr(judged, name) for name in ("started_at", "completed_at", "skipped", "left_out_by", "findings")
        },
        "accepted": None if verdict is None else verdict.accepted,
        "used": None if verdict is None else verdict.used and not judged.left_out_by,
        "watched": watched,
    }
