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
    """A rule and its thresholds. A participant who breaks it is left out if `use`, and paid nevertheless if `pay`.

    `asked`: whether it can be broken in this study, e.g. R6 by control videos.
    """

    rule: str
    asked: bool
    use: bool
    pay: bool
    # by name, e.g. {"away_ms": 10000}
    thresholds: dict[str, float]


@dataclass(frozen=True)
class GroupOut(GroupFunnel):
    """`otherwise`: left after the last rule, but not used for another reason, e.g. {"beyond_quota": 2}."""


@dataclass(frozen=True)
class WatchedOut(Watched):
    """Plays, and how many were off true speed, stalled, had dropped frames, or have an unknown speed."""


class ConformanceOut(Schema):
    # Whose sessions `groups` and `watched` count: people's, or simulated ones too.
    origin: Literal["person", "all"]
    version: int
    rules: list[RuleOut]
    groups: list[GroupOut]
    # plays per group; no rows before the first play
    watched: TableOut
    # when `groups` and `watched` of a large study were counted; null where they are as of now
    counted_at: datetime | None
    # whether this user may download the list of participants to pay, and compare the recruiters' lists
    may_pay: bool
    # the recruiter's name by group, of the groups that have one
    recruiters: dict[str, str]


@dataclass(frozen=True)
class FindingOut(Finding):
    """A rule, whether it is broken, and why; `trials` break it, and `unknown` counts those that nobody can judge."""

    __pydantic_config__ = ALL_SENT


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
    # trials skipped because the window was too narrow, or their clip did not play
    skipped: int
    left_out_by: list[str]
    findings: list[FindingOut]
    watched: WatchedOut
    # Share of the main answers that equal the most frequent one of their kind; null without answers. Excludes nobody.
    same_answer_share: float | None


class SessionsOut(Schema):
    """A page of a study's sessions in the order in which they began, and how many there are."""

    sessions: list[SessionOut]
    page: int
    pages: int
    total: int


@router.get("/research/studies/{sha256}/conformance", response=ConformanceOut, auth=reader)
def conformance(
    request: HttpRequest, sha256: str, origin: Whose = "person", lang: Annotated[Language, Query()] = "en"
) -> dict[str, object]:
    """Counts of sessions and plays, with the titles of the table in this language."""
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
    found, total = page_of_sessions(study.sha256, first=(page - 1) * PAGE, count=PAGE, simulated_too=simulated_too)
    keys = [judged.session_id for judged in found]
    watched, same = watched_by_session(keys), same_answer_shares(keys)
    return {
        "sessions": [
            _session(judged, watched.get(judged.session_id, NOTHING))
            | {"same_answer_share": same.get(judged.session_id)}
            for judged in found
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
