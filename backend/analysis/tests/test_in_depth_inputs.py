"""What the tables in depth are computed from: sessions, rules that they break, and plays."""

from uuid import uuid4

import pytest

from analysis.computing import in_depth_runs
from analysis.computing.in_depth_attempts import run_if_due
from analysis.models import InDepthResult, ResultOrigin
from conformance.models import Verdict
from eyelevel_stats.descriptive.careless import Plays
from eyelevel_stats.rows.trust import MultiverseSummaryRow
from ratings.models import Play, Session
from testing.votes import KEPT_ALL, Field

from .in_depth_cases import H1, NOW, Clock, analysed, close, planned

pytestmark = [pytest.mark.services, pytest.mark.django_db, pytest.mark.usefixtures("wanted")]


def judged(session: Session, field: Field, *rules: str) -> None:
    """Breaks these rules for certain."""
    findings = [finding | {"broken": "yes" if finding["rule"] in rules else "no"} for finding in KEPT_ALL]
    Verdict.objects.create(session=session, version=1, accepted=True, used=False, findings=findings)
    for rule in rules:
        field.exclude(session, rule)


def test_the_multiverse_has_excluded_sessions_but_none_over_quota_or_unfinished() -> None:
    field = planned(H1)
    bad = field.session()
    field.rate("QUIC", 1, by=bad)
    judged(bad, field, "R3")
    beyond, unfinished, program = field.session(), field.session(judged=False), field.session(origin="simulated")
    for session in (beyond, unfinished, program):
        field.rate("QUIC", 1, by=session)
    beyond.trials.update(slot=None)
    snapshot = analysed(field).snapshot
    people = in_depth_runs.completed_of(snapshot, ResultOrigin.PERSON, field.study.design)
    assert {session: rules for session, rules in people.broken.items() if rules} == {str(bad.id): {"R3"}}
    assert len(people.broken) == 5
    assert not {str(beyond.id), str(unfinished.id), str(program.id)} & people.broken.keys()
    assert set(people.columns["session_id"]) == people.broken.keys()
    assert set(people.plan_rules) == {"R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "R9"}
    everybody = in_depth_runs.completed_of(snapshot, ResultOrigin.ALL, field.study.design)
    assert everybody.broken.keys() - people.broken.keys() == {str(program.id)}


def test_plays_whose_speed_is_unknown_are_not_counted() -> None:
    field = planned(H1)
    vote = field.rate("QUIC", 6)
    field.play(vote.trial)
    field.play(vote.trial, off_speed=True, replay=True)
    blind = field.rate("QUIC", 6)
    times = {"started_at": NOW, "ended_at": NOW, "received_at": NOW}
    frames = {"frames_presented": 1, "frames_dropped": 0}
    Play.objects.create(id=uuid4(), trial=blind.trial, evidence=None, replay=False, **times, **frames)
    found = in_depth_runs.plays_of(analysed(field).snapshot, ResultOrigin.PERSON)
    assert found == {str(vote.session_id): Plays(plays=2, off_speed=1)}


def test_the_multiverse_of_the_plans_own_rules_gives_the_effect_of_the_study() -> None:
    field = planned(H1)
    bad = field.session()
    field.rate("QUIC", 1, by=bad)
    field.rate("TCP+", 7, by=bad)
    judged(bad, field, "R3")
    result = analysed(field)
    close(field)
    assert run_if_due(result.pk, Clock())
    (effect,) = result.tables["effects"]
    (stored,) = InDepthResult.objects.get().tables["multiverse-summary"]
    row = MultiverseSummaryRow(*stored)
    assert (row.hypothesis, row.network, row.cells, row.session_sets, row.answered) == ("H1", "DSL", 256, 2, 256)
    assert row.plan_rules == "R1 R2 R3 R4 R5 R6 R7 R8 R9"
    assert row.plan_estimate == effect["estimate"] == pytest.approx(1.75)
    # with the one who breaks R3: (2 + 1 + 2 + 2 - 6) / 5
    assert row.least_estimate == pytest.approx(0.2)
