"""Every verdict follows from the files of an export and the rules of the study in it, and from nothing else."""

import io
import json
import zipfile
from typing import Any

import pyarrow.parquet as pq
import pytest

from analysis import tasks
from analysis.models import AnalysisState
from conformance.verdicts import judge_session
from exports.archive import write_archive
from eyelevel_core.study.design import Design
from eyelevel_core.study.frozen import read_frozen
from eyelevel_stats.conformance import RULES, Evidence, Play, Question, Spell, Trial, judge, rules_of
from studies.models import Study
from testing.people import Person, published
from testing.planted import PLANTED
from testing.web import Browser, post, put

from .exported import parquet_rows

pytestmark = [pytest.mark.services, pytest.mark.django_db]
Row = dict[str, Any]


def test_verdicts_are_computed_again_from_an_export() -> None:
    study = published()
    for plan, *_ in PLANTED.values():
        judge_session(Person(call=_caller(), **plan).walk(study.fieldings.get().slug).pk)
    files = _exported(study)
    design = read_frozen(files["study.json"].decode()).design
    votes, plays = (parquet_rows(files, name) for name in ("votes", "plays"))
    sessions, verdicts = (_rows(files[f"{name}.parquet"]) for name in ("sessions", "verdicts"))
    by_session = {row["session_id"]: row for row in verdicts}
    assert len(sessions) == len(PLANTED)
    for session in sessions:
        session_votes = [vote for vote in votes if vote["session_id"] == session["session_id"]]
        played = [play for play in plays if play["session_id"] == session["session_id"]]
        verdict = judge(_evidence(design, session, session_votes, played), rules_of(design))
        row = by_session[session["session_id"]]
        assert {finding.rule: finding.broken for finding in verdict.findings} == {
            rule: row[f"{rule}_broken"] for rule in RULES
        }
        assert (row["accepted"] == "yes", row["used"] == "yes") == (verdict.accepted, verdict.used)
        reasons = {finding.rule: finding.reason for finding in verdict.findings if finding.broken != "no"}
        assert json.loads(row["reasons"] or "{}") == reasons


def _evidence(design: Design, session: Row, votes: list[Row], plays: list[Row]) -> Evidence:
    chosen = json.loads(session["control_answers"] or "{}")
    questions = sorted(design.controls.questions, key=lambda question: question.after)
    return Evidence(
        started_at=session["started_at"],
        completed_at=session["completed_at"],
        trials=tuple(
            _trial(design, vote, [play for play in plays if play["position"] == vote["position"]])
            for vote in sorted(votes, key=lambda row: row["position"])
        ),
        questions=tuple(Question(question.key, question.right, chosen.get(question.key)) for question in questions),
        skipped_controls=session["skipped_controls"],
        simulated=session["origin"] == "simulated",
    )


def _trial(design: Design, vote: Row, plays: list[Row]) -> Trial:
    block = design.blocks[vote["block"]]
    sides = ("left_", "right_") if vote["left_stack"] else ("",)
    delays_ms = [vote[f"{side}delay_ms"] for side in sides]
    changes = [(vote[f"{side}fvc_ms"], delay_ms or 0) for side, delay_ms in zip(sides, delays_ms, strict=True)]
    return Trial(
        position=vote["position"],
        role=vote["role"],
        kind=vote["trial_kind"],
        data={name: vote[name] for name in ("score", "choice", "sureness") if vote[name] is not None},
        answer_from=block.answer_from,
        answered_at=vote["answered_at"],
        received_at=vote["received_at"],
        media_ms=vote["media_ms"],
        away=_spells(vote["away"]),
        first_changes_ms=tuple(None if fvc is None else vote["start_ms"] + delay + fvc for fvc, delay in changes),
        delays_ms=tuple(delay_ms for delay_ms in delays_ms if delay_ms is not None),
        duration_ms=vote["duration_ms"],
        clip_sent_at=vote["clip_sent_at"],
        min_scale=block.min_scale,
        min_device_scale=block.min_device_scale,
        plays=tuple(map(_play, sorted(plays, key=lambda row: row["received_at"]))),
    )


def _play(play: Row) -> Play:
    hidden, unfocused = _spells(play["hidden"]), _spells(play["unfocused"])
    return Play(
        ended_at=play["ended_at"],
        received_at=play["received_at"],
        complete=None if play["complete"] is None else play["complete"] == "yes",
        media_ms=play["media_ms"],
        stalls=_spells(play["stalls"]),
        away=None if hidden is None or unfocused is None else hidden + unfocused,
        scale=play["shown_scale"],
        device_scale=play["shown_device_scale"],
        hidden=hidden,
    )


def _spells(text: str | None) -> tuple[Spell, ...] | None:
    return None if text is None else tuple(Spell(spell["at_ms"], spell["ms"]) for spell in json.loads(text))


def _caller() -> Any:
    browser = Browser()

    def call(method: str, path: str, body: Any = None) -> tuple[int, Any]:
        answer = {"POST": post, "PUT": put}[method](browser, path, body)
        return answer.status_code, answer.json() if answer.content else None

    return call


def _exported(study: Study) -> dict[str, bytes]:
    tasks.votes_arrived(study.sha256)
    result = AnalysisState.objects.select_related("result__snapshot__study").get(study=study).result
    assert result is not None
    out = io.BytesIO()
    write_archive(result, out)
    with zipfile.ZipFile(out) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _rows(data: bytes) -> list[Row]:
    found: list[Row] = pq.read_table(io.BytesIO(data)).to_pylist()
    return found
