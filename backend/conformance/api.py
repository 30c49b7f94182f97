"""Conformance for researchers: the funnel per group, and the verdict on each session."""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from django.http import HttpRequest
from ninja import Query, Router, Schema

from accounts.permissions import account, reader
from conformance.figures import figures_of
from conformance.playback import NOTHING, WATCHED, GroupWatched, Watched, watched_by_session
from conformance.queries import Judged, page_of_sessions
from conformance.straight_lining import same_answer_shares
from eyelevel_core.study.design import Design, Rule
from eyelevel_core.tables import Language
from eyelevel_stats.conformance import Finding, GroupFunnel, asked_rules
from lib.bodies import ALL_SENT
from lib.tables import TableOut, rows_out
from studies.permissions import is_owner, study_for

router = Router(tags=["conformance"])
Whose = Literal["person", "all"]
PAGE = 100
LAST_PAGE = 1_000_000


class RuleOut(Schema):
    """A rule and its thresholds. A session that breaks it is excluded if `use`, and still paid if `pay`.

    `asked`: whether the study has what the rule needs, e.g. control videos for R6.
    """

    rule: str
    asked: bool
    use: bool
    pay: bool
    # by name, e.g. {"away_ms": 10000}
    thresholds: dict[str, float]


@dataclass(frozen=True)
class GroupOut(GroupFunnel):
    """A group's funnel. `otherwise`: sessions that pass all rules but are not used, by reason: {"beyond_quota": 2}."""


@dataclass(frozen=True)
class WatchedOut(Watched):
    """Number of plays, and of plays off true speed, with a stall, with dropped frames, and of unknown speed."""


class ConformanceOut(Schema):
    # origin of the sessions in `groups` and `watched`; `all` includes simulated ones
    origin: Literal["person", "all"]
    version: int
    rules: list[RuleOut]
    groups: list[GroupOut]
    # plays per group; no rows before the first play
    watched: TableOut
    # when `groups` and `watched` of a large study were counted; null if they are current
    counted_at: datetime | None
    # whether this user may download the list of participants to pay, and compare the recruiters' lists
    may_pay: bool
    # the recruiter's name by group, for groups with a recruiter
    recruiters: dict[str, str]


@dataclass(frozen=True)
class FindingOut(Finding):
    """Whether a session breaks a rule, and why; `trials` break it, `unknown` counts trials without enough evidence."""

    __pydantic_config__ = ALL_SENT


class SessionOut(Schema):
    """A session with its verdict; without one, `accepted` and `used` are null."""

    session_id: UUID
    group: str
    origin: str
    state: str
    started_at: datetime | None
    completed_at: datetime | None
    accepted: bool | None
    used: bool | None
    # trials skipped because the window was too narrow, or because their clip did not play
    skipped: int
    left_out_by: list[str]
    findings: list[FindingOut]
    watched: WatchedOut
    # share of the main answers that equal the most frequent one of their kind; null without answers; excludes nobody
    same_answer_share: float | None


class SessionsOut(Schema):
    """A page of a study's sessions in the order of their start, and their total number."""

    sessions: list[SessionOut]
    page: int
    pages: int
    total: int


@router.get("/research/studies/{sha256}/conformance", response=ConformanceOut, auth=reader)
def conformance(
    request: HttpRequest, sha256: str, origin: Whose = "person", lang: Annotated[Language, Query()] = "en"
) -> dict[str, object]:
    """Rules, funnels and playback quality of a study, with the titles of the table in this language."""
    user = account(request)
    study = study_for(user, sha256)
    design = study.design
    rules, asked = design.conformance.rules, asked_rules(design)
    counted = figures_of(study, origin)
    watched = [GroupWatched(**row) for row in counted["watched"]]
    return {
        "origin": origin,
        "version": design.conformance.version,
        "rules": [_rule(name, rule, design) | {"asked": name in asked} for name, rule in rules.items()],
        **counted,
        "watched": rows_out(WATCHED, watched if any(row.played for row in watched) else (), lang),
        "may_pay": is_owner(user, study),
        "recruiters": {group.key: group.recruiter.name for group in design.groups if group.recruiter is not None},
    }


@router.get("/research/studies/{sha256}/conformance/sessions", response=SessionsOut, auth=reader)
def sessions(
    request: HttpRequest,
    sha256: str,
    page: Annotated[int, Query(ge=1, le=LAST_PAGE)] = 1,
    origin: Whose = "person",
) -> dict[str, object]:
    study = study_for(account(request), sha256)
    simulated_too = origin == "all"
    rows, total = page_of_sessions(study.sha256, first=(page - 1) * PAGE, count=PAGE, simulated_too=simulated_too)
    keys = [judged.session_id for judged in rows]
    watched, same = watched_by_session(keys), same_answer_shares(keys)
    return {
        "sessions": [
            _session(judged, watched.get(judged.session_id, NOTHING))
            | {"same_answer_share": same.get(judged.session_id)}
            for judged in rows
        ],
        "page": page,
        "pages": max(1, -(-total // PAGE)),
        "total": total,
    }


def _rule(name: str, rule: Rule, design: Design) -> dict[str, object]:
    thresholds = dict(rule.thresholds)
    if name == "R5":
        thresholds["time_limit_minutes"] = design.session.time_limit_minutes
    return {"rule": name, "use": rule.use, "pay": rule.pay, "thresholds": thresholds}


def _session(judged: Judged, watched: Watched) -> dict[str, object]:
    verdict = judged.verdict
    return {
        **{name: getattr(judged, name) for name in ("session_id", "group", "origin", "state")},
        **{
            name: getattr(judged, name) for name in ("started_at", "completed_at", "skipped", "left_out_by", "findings")
        },
        "accepted": None if verdict is None else verdict.accepted,
        "used": None if verdict is None else verdict.used and not judged.left_out_by,
        "watched": asdict(watched),
    }
