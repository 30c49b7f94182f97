"""Results, tables in depth, and unblinding during data collection."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Any

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Status

from accounts.models import User
from accounts.permissions import account, any_account, is_program, reader, researcher
from analysis.blinding import in_field, is_blinded, unblind
from analysis.computing import in_depth
from analysis.computing.staleness import freshness
from analysis.models import InDepthResult, Result, ResultOrigin
from analysis.origins import of_origin, simulated_started
from analysis.schemas import FigureOut, FiguresIn, InDepthOut, ResultsOut, StudyClipDetailOut, StudyClipOut
from analysis.showing import clips, figures
from analysis.showing.answers import Answers, answers_of, looks_reached
from analysis.showing.departures import departures_of, rows_of
from analysis.showing.in_depth import agreements, all_answers, shown_tables
from analysis.showing.looks import OPENINGS, Opening, openings_of, planned_at, record_look
from analysis.showing.tables import question_tables, result_tables
from analysis.stored import CLIP_VOTES
from eyelevel_core.tables import Language
from eyelevel_figures.figure import Figure
from eyelevel_stats.conformance import COUNTS, CountRow
from eyelevel_stats.demographics import DEMOGRAPHICS, DemographicRow
from lib.problems import not_found
from lib.tables import rows_out, table_out
from studies.models import Study
from studies.permissions import may, study_for

router = Router(tags=["results"])


NO_TABLES: dict[str, Any] = {
    "status": "none",
    "part": "",
    "parts_done": 0,
    "parts": 0,
    "error": "",
    "hypotheses": [],
    "tables": [],
}


@router.get("/research/studies/{sha256}/results", response=ResultsOut, auth=reader)
def results(
    request: HttpRequest,
    sha256: str,
    origin: Annotated[ResultOrigin, Query()] = ResultOrigin.PERSON,
    lang: Annotated[Language, Query()] = "en",
) -> dict[str, Any]:
    """Results, with the titles of tables and columns in this language."""
    user = account(request)
    study = study_for(user, sha256)
    if is_program(request):
        # a program gets no dialog to confirm, so its call unblinds
        unblind(user, study)
    blinded = is_blinded(user, study)
    status, state = freshness(sha256, timezone.now())
    result = of_origin(state.shown, origin) if state and state.shown else None
    collecting = in_field(study)
    tables = result.tables if result and not blinded else {}
    if result and not blinded:
        record_look(user, study, result, by="program" if is_program(request) else "page")
    reached = looks_reached(result) if result and not blinded else []
    answers = answers_of(result, collecting=collecting) if result and not blinded else None
    return {
        "origin": origin,
        "blinded": blinded,
        "status": status,
        "snapshot": result.snapshot if result else None,
        "collecting": collecting,
        "look": answers.look if answers else None,
        "votes_used": result.votes if result else 0,
        "sessions_used": result.sessions if result else 0,
        "tables": result_tables(tables, lang),
        "hypotheses": [] if result is None else _hypotheses(study, result, answers, collecting=collecting),
        "effects": answers.effects if answers else [],
        "looks": rows_out(OPENINGS, _looks(user, study), lang),
        "planned_looks": _planned_looks(study, reached),
        "demographics": _demographics(study, result, lang),
        "departures": rows_of(departures_of(study, result)),
        "identical_all": result.identical_all if result and not blinded else None,
        "simulated_sessions": result.simulated_sessions if result else 0,
        "simulated_started": simulated_started(state.shown) if state and state.shown else 0,
        "counts": rows_out(COUNTS, [CountRow(**row) for row in result.counts] if result else [], lang),
    }


@router.get("/research/studies/{sha256}/results/in-depth", response=InDepthOut, auth=reader)
def results_in_depth(
    request: HttpRequest,
    sha256: str,
    origin: Annotated[ResultOrigin, Query()] = ResultOrigin.PERSON,
    lang: Annotated[Language, Query()] = "en",
) -> dict[str, Any]:
    """Tables that need model fits or resampling; starts their computation if a closed study has none yet."""
    study = study_for(account(request), sha256)
    now = timezone.now()
    state = None if in_field(study) else freshness(sha256, now)[1]
    if state is None or state.shown is None:
        return NO_TABLES
    in_depth.ask(study, now)
    result = of_origin(state.shown, origin)
    deep = None if result is None else InDepthResult.objects.filter(result=result).first()
    if deep is None:
        # superseded or erased a moment ago
        return NO_TABLES
    return {
        "status": deep.state,
        **{name: getattr(deep, name) for name in ("part", "parts_done", "parts", "error")},
        "hypotheses": [row | {"kind": "metrics"} for row in deep.hypotheses],
        "tables": [table_out(table, rows, lang) for table, rows in shown_tables(deep)],
    }


@router.post("/research/studies/{sha256}/results/in-depth", response={204: None}, auth=researcher)
def post_results_in_depth(request: HttpRequest, sha256: str) -> Status[None]:
    """Retry the computation of tables in depth that failed; changes nothing if none has failed."""
    in_depth.start_again(study_for(account(request), sha256, "edit"), timezone.now())
    return Status(204, None)


@router.get("/research/studies/{sha256}/results/figures", response=list[FigureOut], auth=reader)
def results_figures(request: HttpRequest, sha256: str, asked: Annotated[FiguresIn, Query()]) -> list[Figure]:
    """Figures of the results, of the tables in depth and of the current screening, or of one `part` of these.

    While results are blinded, only figures that show nothing by stack. `layout`: 720 px wide, or 340 px for a phone.
    """
    user = account(request)
    study = study_for(user, sha256)
    width = figures.WIDTHS[asked.layout]
    if asked.part == "screening":
        look = figures.look_of(study, None, asked.lang, width=width)
        return figures.draw_screening(study, look, figures.screening_now(study, asked.origin, asked.lang))
    if is_program(request):
        unblind(user, study)
    state = freshness(sha256, timezone.now())[1]
    result = of_origin(state.shown, asked.origin) if state and state.shown else None
    blinded = is_blinded(user, study)
    if result and not blinded:
        record_look(user, study, result, by="program" if is_program(request) else "page")
    screening = figures.screening_now(study, asked.origin, asked.lang) if asked.part == "all" else figures.NO_SCREENING
    return figures.draw(
        study,
        figures.look_of(study, result, asked.lang, width=width, clips=True),
        result=result,
        deep=None if result is None else in_depth.done_of(result),
        screening=screening,
        by_arm=not blinded,
        verdicts=not in_field(study),
    )


def _demographics(study: Study, result: Result | None, language: Language) -> list[dict[str, object]]:
    rows = [] if result is None else result.tables.get(DEMOGRAPHICS.name, [])
    return question_tables(study.design, [DemographicRow(**row) for row in rows], language)


def _looks(user: User, study: Study) -> Iterator[Opening]:
    named = may(user, study, "share")
    return (opening if named else replace(opening, actor=None) for opening in openings_of(study))


def _planned_looks(study: Study, reached: list[dict[str, Any]]) -> list[dict[str, Any]]:
    levels = {look["number"]: look["level"] for look in reached}
    return [
        {"number": number, "sessions": sessions, "level": levels.get(number)}
        for number, sessions in enumerate(planned_at(study), 1)
    ]


def _hypotheses(study: Study, result: Result, answers: Answers | None, *, collecting: bool) -> list[dict[str, Any]]:
    if answers is None:
        return []
    plan = study.design.plan
    kinds = {hypothesis.key: hypothesis.kind for hypothesis in plan.hypotheses}
    deep = in_depth.in_depth_of(result)
    agreed = agreements(plan, deep)
    rows = all_answers(plan, answers, deep, collecting=collecting)
    return [row | {"kind": kinds[key := row["hypothesis"]], "agreement": agreed.get(key)} for row in rows]


@router.get("/research/studies/{sha256}/clips", response=list[StudyClipOut], auth=reader)
def study_clips(request: HttpRequest, sha256: str) -> list[dict[str, Any]]:
    return list(clips.rows_of(study_for(account(request), sha256)))


@router.get("/research/studies/{sha256}/clips/{digest}", response=StudyClipDetailOut, auth=reader)
def study_clip(
    request: HttpRequest, sha256: str, digest: str, origin: Annotated[ResultOrigin, Query()] = ResultOrigin.PERSON
) -> dict[str, Any]:
    """A clip with its metrics, and, unless results are blinded, its votes in the study's newest snapshot."""
    user = account(request)
    study = study_for(user, sha256)
    clip = clips.clips_of(study).filter(sha256=digest).first()
    if clip is None:
        raise not_found("such clip in this study")
    state = freshness(sha256, timezone.now())[1]
    result = None if state is None or is_blinded(user, study) else state.shown
    if result is not None:
        record_look(user, study, result, by="program" if is_program(request) else "page")
        result = of_origin(result, origin)
    asked = set(study.stimuli.filter(clip=clip).values_list("role", "context"))
    return {
        **clips.row_of(clip, asked),
        **{name: getattr(clip, name) for name in ("start_ms", "cut", "moving")},
        "sides": clips.sides_of(clip),
        "votes": None if result is None else _votes_about(result, digest),
        "snapshot_sha256": None if result is None else result.snapshot_id,
    }


def _votes_about(result: Result, clip_sha256: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = result.tables[CLIP_VOTES].get(clip_sha256, [])
    return rows


@router.post("/research/studies/{sha256}/unblind", response={204: None}, auth=any_account)
def post_unblind(request: HttpRequest, sha256: str) -> Status[None]:
    user = account(request)
    unblind(user, study_for(user, sha256))
    return Status(204, None)
