"""Defaults are written out as the schema states them, and nothing else is."""

from typing import Any

import pytest

from eyelevel_core.contracts import check, schema
from eyelevel_core.contracts.defaults import with_defaults, within_maxima
from eyelevel_core.study.design import as_published, minutes, trial_count, written_out

SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": {"type": "string"},
        "note": {"type": "string"},
        "tags": {"type": "array", "default": [{}], "items": {"properties": {"weight": {"default": 1}}}},
        "limits": {
            "type": "object",
            "properties": {"low": {"default": 0}, "deep": {"type": "object", "properties": {"d": {"default": "x"}}}},
        },
        "person": {"type": "object", "required": ["age"], "properties": {"age": {}, "alive": {"default": True}}},
        "free": {"type": "object", "additionalProperties": {"type": "string"}},
    },
}


def test_every_default_is_written_out_at_any_depth() -> None:
    assert with_defaults({"name": "n"}, SCHEMA) == {
        "name": "n",
        "tags": [{"weight": 1}],
        "limits": {"low": 0, "deep": {"d": "x"}},
    }


def test_what_is_written_stays_and_is_completed() -> None:
    value = {"name": "n", "tags": [], "limits": {"low": 3}, "person": {"age": 4}, "free": {"a": "b"}}
    assert with_defaults(value, SCHEMA) == value | {
        "limits": {"low": 3, "deep": {"d": "x"}},
        "person": {"age": 4, "alive": True},
    }
    assert value["limits"] == {"low": 3}


def test_a_number_above_its_maximum_is_the_maximum_and_all_else_stays() -> None:
    form: dict[str, Any] = {
        "properties": {
            "low": {"maximum": 3},
            "list": {"items": {"properties": {"deep": {"maximum": 0.5}}}},
            "none": {"type": "integer"},
        }
    }
    value = {"low": 4, "list": [{"deep": 1.5}, {"deep": 0.5, "name": "n"}], "none": 10**20, "more": {"low": 9}}
    kept = {"low": 3, "list": [{"deep": 0.5}, {"deep": 0.5, "name": "n"}]}
    assert within_maxima(value, form) == value | kept
    assert value["low"] == 4
    assert within_maxima({"low": float("inf")}, form) == {"low": 3}


TEXT = {"en": "x"}
SMALL: dict[str, Any] = {
    "contract": "eyelevel/study/1",
    "name": "small",
    "seed": 1,
    "languages": ["en"],
    "title": TEXT,
    "contact": "study@example.org",
    "consent": {"version": "1", "text": TEXT},
    "batch": "small",
    "contexts": [
        {"key": "work", "label": TEXT, "networks": ["DSL"]},
        {"key": "plane", "label": TEXT, "networks": ["MSS"]},
    ],
    "trials": [{"kind": "rate", "count": 2}, {"kind": "compare", "count": 1, "contexts": ["work"]}],
    "quota": {"sessions": 12},
}


def test_a_study_leaves_nothing_unsaid() -> None:
    design = written_out(SMALL | {"groups": [{"key": "paid", "quota": {"sessions": 3}}, {"key": "volunteer"}]})
    check(design, "study.1", source="written out")
    assert design["groups"] == [
        {"key": "paid", "quota": {"sessions": 3}},
        {"key": "volunteer", "quota": {"sessions": 12}},
    ]
    shared = {"clips": "random", "training": 0, "repeats": 0, "answer_from": "end"}
    assert design["trials"] == [
        {"kind": "rate", "count": 2, "contexts": ["work", "plane"], **shared},
        {"kind": "compare", "count": 1, "contexts": ["work"], "min_width_px": 1024, "identical": 0.15, **shared},
    ]
    assert design["order"] == {"contexts": "counterbalanced"}
    assert design["session"] == {
        "resume": "resume", "resume_within_minutes": 90, "lease_minutes": 30, "time_limit_minutes": 90,
        "narrow_window": "skip",
    }  # fmt: skip
    assert design["controls"] == {"videos": {"count": 0, "max_score": 3}, "questions": []}
    assert design["plan"] == {"hypotheses": [], "alpha": 0.05, "power": 0.8, "sd": 1.2}
    assert design["conformance"]["version"] == 2
    assert {rule: tuple(value.items()) for rule, value in design["conformance"].items() if rule != "version"} == {
        "R1": (("use", True), ("pay", False)),
        "R2": (("use", True), ("pay", True), ("stall_ms", 500)),
        "R3": (("use", True), ("pay", True), ("away_ms", 10000)),
        "R4": (("use", True), ("pay", True), ("tolerance_ms", 0)),
        "R5": (("use", True), ("pay", True)),
        "R6": (("use", True), ("pay", False), ("wrong_at_most", 0)),
        "R7": (("use", True), ("pay", False), ("wrong_at_most", 0)),
    }
    assert not {"ethics", "retention", "debriefing", "pay", "instructions"} & set(design)


def test_the_only_group_is_the_volunteers_with_the_studys_quota() -> None:
    assert written_out(SMALL)["groups"] == [{"key": "volunteer", "quota": {"sessions": 12}}]
    without = {key: value for key, value in SMALL.items() if key != "quota"}
    assert written_out(without)["groups"] == [{"key": "volunteer", "quota": {"sessions": 100}}]


def test_writing_out_changes_neither_the_file_nor_the_contract_nor_itself() -> None:
    before = repr((SMALL, schema("study.1")))
    design = written_out(SMALL)
    design["groups"][0]["quota"]["sessions"] = 1
    design["controls"]["questions"].append({})
    assert repr((SMALL, schema("study.1"))) == before
    assert design["quota"] == {"sessions": 12}
    assert written_out(written_out(SMALL)) == written_out(SMALL)


def test_what_was_frozen_above_a_maximum_counts_as_the_maximum() -> None:
    endless = 10**400
    frozen = SMALL | {
        "retention": {"months": 99_999, "text": TEXT},
        "session": {"resume_within_minutes": 99_999_999_999_999, "time_limit_minutes": 60},
        "conformance": {"R2": {"stall_ms": endless}, "R3": {"away_ms": 10.5}},
    }
    before = repr(frozen)
    design = as_published(frozen)
    assert design["retention"] == {"months": 1200, "text": TEXT}
    assert (design["session"]["resume_within_minutes"], design["session"]["time_limit_minutes"]) == (525_600, 60)
    assert (design["conformance"]["R2"]["stall_ms"], design["conformance"]["R3"]["away_ms"]) == (86_400_000, 10.5)
    assert repr(frozen) == before


@pytest.mark.parametrize(
    ("changes", "trials", "seconds"),
    [
        # 2 ratings of 10 s and a comparison of 4 s, 8 s for each answer, 90 s to begin with
        ({}, 3, 90 + 3 * 8 + 24),
        ({"trials": [{"kind": "rate", "count": 2, "training": 3, "repeats": 1}, SMALL["trials"][1]]}, 7, 90 + 56 + 64),
        ({"controls": {"videos": {"count": 2}}}, 5, 90 + 40 + 24 + 2 * 7),
        ({"controls": {"questions": [{}, {}]}}, 3, 90 + 5 * 8 + 24),
    ],
)
def test_trials_and_minutes_count_training_repeats_and_controls(
    changes: dict[str, Any], trials: int, seconds: int
) -> None:
    design = written_out(SMALL | changes)
    assert trial_count(design) == trials
    assert minutes(design, clip_s=[10, 4]) == -(-seconds // 60)


def test_a_minute_that_has_begun_counts() -> None:
    design = written_out(SMALL)
    assert [minutes(design, clip_s=[length, 0]) for length in (33, 33.5)] == [3, 4]
