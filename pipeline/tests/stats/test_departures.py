"""Departures from a sealed plan: of design, looks, sample size, analyses and votes."""

from dataclasses import astuple, replace
from typing import Any

import pytest

from eyelevel_core.study.changes import Change, changes
from eyelevel_core.study.design import Hypothesis, Plan
from eyelevel_stats.departures import ANALYSES, NAMES, Look, Parent, Sample, departures, is_planned
from eyelevel_stats.tables import IN_DEPTH

H1 = Hypothesis("H1", "QUIC is rated higher.", "rate", pair=("TCP+", "QUIC"), networks="pooled", expects="higher")
PLAN = Plan((H1,), alpha=0.05, power=0.8, sd=1.2)
BEFORE = {
    "name": "pilot",
    "seed": 1,
    "title": {"en": "How fast?"},
    "plan": {"hypotheses": [{"key": "H1", "says": "QUIC is rated higher.", "margin": 0.5}], "alpha": 0.05},
    "conformance": {"R3": {"use": True, "away_ms": 10000}},
    "trials": [{"kind": "rate", "count": 6, "stacks": ["TCP+", "QUIC"]}],
    "groups": [{"key": "lab", "quota": {"sessions": 20}}, {"key": "volunteer", "quota": {"sessions": 50}}],
}
AFTER = {
    "name": "pilot-2",
    "seed": 2,
    "parent": "f" * 64,
    "title": {"en": "How quick?"},
    "plan": {
        "hypotheses": [
            {"key": "H2", "says": "SI agrees best.", "kind": "metrics"},
            {"key": "H1", "says": "QUIC is rated higher.", "margin": 1},
        ],
        "alpha": 0.05,
        "stopping": "after a week",
    },
    "conformance": {"R3": {"use": False, "away_ms": 10000}},
    "trials": [{"kind": "rate", "count": 6, "stacks": ["TCP+", "QUIC", "TCP"]}],
    "groups": [{"key": "volunteer", "quota": {"sessions": 80}}],
}


def test_versions_differ_in_what_decides_about_data_and_in_nothing_else() -> None:
    assert [astuple(change) for change in changes(BEFORE, AFTER)] == [
        ("conformance.R3.use", "true", "false"),
        ("groups[lab].key", '"lab"', None),
        ("groups[lab].quota.sessions", "20", None),
        ("groups[volunteer].quota.sessions", "50", "80"),
        ("plan.hypotheses[H1].margin", "0.5", "1"),
        ("plan.hypotheses[H2].key", None, '"H2"'),
        ("plan.hypotheses[H2].kind", None, '"metrics"'),
        ("plan.hypotheses[H2].says", None, '"SI agrees best."'),
        ("plan.stopping", None, '"after a week"'),
        ("trials[0].stacks", '["TCP+", "QUIC"]', '["TCP+", "QUIC", "TCP"]'),
    ]
    assert changes(AFTER, AFTER) == ()


def test_all_departures_of_a_study() -> None:
    """The golden list."""
    parent = Parent("pilot", 120, changes(BEFORE, AFTER), changed_at="2026-11-20T09:00:00Z")
    looks = [Look("2026-11-21T09:00:00Z", 40, None), Look("2026-11-22T09:00:00Z", 100, 1)]
    shown = ["mos", "groups", "metrics", "checks"]
    found = departures(PLAN, parent=parent, looks=looks, sample=Sample(130, 141), shown=shown, simulated=3)
    at, more = "2026-11-20T09:00:00Z", '["TCP+", "QUIC", "TCP"]'
    assert [
        (departure.kind, departure.subject, departure.before, departure.after, departure.at, departure.sessions)
        for departure in found
    ] == [
        ("rule", "conformance.R3.use", "true", "false", at, None),
        ("design", "groups[lab].key", '"lab"', None, at, None),
        ("design", "groups[lab].quota.sessions", "20", None, at, None),
        ("design", "groups[volunteer].quota.sessions", "50", "80", at, None),
        ("plan", "plan.hypotheses[H1].margin", "0.5", "1", at, None),
        ("hypothesis_added", "H2", None, None, at, None),
        ("plan", "plan.stopping", None, '"after a week"', at, None),
        ("design", "trials[0].stacks", '["TCP+", "QUIC"]', more, at, None),
        ("look", "results", None, None, "2026-11-21T09:00:00Z", 40),
        ("sample_size", "sessions", "130", None, None, 141),
        ("analysis", "metrics", None, None, None, None),
        ("analysis", "groups", None, None, None, None),
        ("simulated", "votes", None, None, None, None),
    ]
    since = "after 120 votes on the version before (pilot)."
    said = {departure.subject: departure.sentence for departure in found}
    assert said["plan.hypotheses[H1].margin"] == f"plan.hypotheses[H1].margin was changed from 0.5 to 1 {since}"
    assert said["plan.stopping"] == f'plan.stopping was changed from not stated to "after a week" {since}'
    assert said["H2"] == f"Hypothesis H2 was added {since}"
    assert said["results"] == "Results by stack were opened with 40 used sessions, which the plan does not name."
    assert said["metrics"] == (
        "Not in the plan, because no hypothesis is about it: agreement of metrics with mean ratings."
    )
    assert said["sessions"] == "The study was closed with 141 used sessions; its quotas plan 130."
    assert said["votes"] == "Votes of simulated sessions are in every table: 3 sessions."


def test_every_table_in_depth_belongs_to_an_analysis() -> None:
    assert ANALYSES.keys() == NAMES.keys() == {table.analysis for table in IN_DEPTH.values()}


def test_instructions_and_pay_are_design_and_long_texts_are_short_in_the_sentence() -> None:
    before = {**BEFORE, "instructions": {"en": "Rate the speed."}, "pay": {"amount": 2}, "consent": {"en": "a"}}
    after = {**BEFORE, "instructions": {"en": "Rate " * 40}, "pay": {"amount": 3}, "consent": {"en": "b"}}
    parent = Parent("pilot", 120, changes(before, after), changed_at="2026-11-20T09:00:00Z")
    found = departures(PLAN, parent=parent, looks=[], sample=None, shown=[], simulated=0)
    assert [(departure.kind, departure.subject) for departure in found] == [
        ("design", "instructions.en"),
        ("design", "pay.amount"),
    ]
    assert found[0].after == f'"{"Rate " * 40}"'
    assert found[0].sentence == (
        f'instructions.en was changed from "Rate the speed." to "{("Rate " * 40)[:79]} … after 120 votes on the '
        "version before (pilot)."
    )


def test_a_hypothesis_that_went_is_one_departure() -> None:
    removed = Change("plan.hypotheses[H3].says", '"x"', None), Change("plan.hypotheses[H3].key", '"H3"', None)
    parent = Parent("pilot", 1, removed, "2026")
    (departure,) = departures(PLAN, parent=parent, looks=[], sample=None, shown=[], simulated=0)
    assert (departure.kind, departure.subject) == ("hypothesis_removed", "H3")


def test_a_study_that_keeps_to_its_plan_has_none() -> None:
    unchanged = Parent("pilot", 120, changes(AFTER, AFTER), changed_at="2026-11-20T09:00:00Z")
    looks = [Look("2026-11-22T09:00:00Z", 100, 1)]
    assert departures(PLAN, parent=unchanged, looks=looks, sample=Sample(130, 130), shown=["mos"], simulated=0) == ()


@pytest.mark.parametrize(("look", "kinds"), [(Look("", 100, 1), []), (Look("", 100, None), ["look", "sample_size"])])
def test_only_a_planned_look_may_end_a_study_early(look: Look, kinds: list[str]) -> None:
    found = departures(PLAN, parent=None, looks=[look], sample=Sample(130, 119), shown=["mos"], simulated=0)
    assert [departure.kind for departure in found] == kinds


@pytest.mark.parametrize(
    ("kind", "planned"),
    [("rate", ["mos", "checks"]), ("compare", ["comparisons", "checks"]), ("metrics", ["metrics"]), (None, [])],
)
def test_an_analysis_is_planned_where_a_hypothesis_is_of_its_kind(kind: Any, planned: list[str]) -> None:
    plan = replace(PLAN, hypotheses=(replace(H1, kind=kind),))
    assert [name for name in ANALYSES if is_planned(plan, name)] == planned
