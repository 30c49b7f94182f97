"""Defaults are applied as the schema states them, and nothing else changes."""

from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from click.testing import CliRunner

from eyelevel.study.command import study
from eyelevel_core.contracts import check, schema
from eyelevel_core.contracts.defaults import with_defaults
from eyelevel_core.study import resolve as resolving
from eyelevel_core.study.design import (
    Choice,
    ControlQuestion,
    ControlVideos,
    Ethics,
    Group,
    Hypothesis,
    Pay,
    Question,
    Retention,
    Rule,
)
from eyelevel_core.study.recruiter import Recruiter
from eyelevel_core.study.resolve import design_of, resolve

FIXTURES = Path(__file__).parents[3] / "fixtures"
DEMO, SAMPLE = FIXTURES / "study-demo.yaml", FIXTURES / "sample-batch"

RATE = {"min_scale": 0.2, "min_device_scale": 0.48}
COMPARE = {"min_width_px": 1024, "min_scale": 0.48, "min_device_scale": 0.48, "identical": 0.15}

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


def test_every_default_is_resolve_at_any_depth() -> None:
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


TEXT = {"en": "x"}
CONTROL = {"key": "colour", "label": TEXT, "right": "red", "choices": [{"key": "red", "label": TEXT}]}
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
    "trials": [
        {"kind": "rate", "count": 2, "training": 0},
        {"kind": "compare", "count": 1, "training": 0, "contexts": ["work"]},
    ],
    "quota": {"sessions": 12},
}


def test_a_resolved_study_has_every_field_with_a_default() -> None:
    design = resolve(SMALL | {"groups": [{"key": "paid", "quota": {"sessions": 3}}, {"key": "volunteer"}]})
    check(design, "study.1", source="resolved")
    assert design["groups"] == [
        {"key": "paid", "quota": {"sessions": 3}},
        {"key": "volunteer", "quota": {"sessions": 12}},
    ]
    shared = {"clips": "random", "training": 0, "repeats": 0, "answer_from": "end"}
    assert design["trials"] == [
        {"kind": "rate", "count": 2, "contexts": ["work", "plane"], **RATE, **shared},
        {"kind": "compare", "count": 1, "contexts": ["work"], **COMPARE, **shared},
    ]
    assert design["order"] == {"contexts": "counterbalanced"}
    assert design["session"] == {
        "resume": "resume", "resume_within_minutes": 90, "lease_minutes": 30, "time_limit_minutes": 90,
        "narrow_window": "skip",
    }  # fmt: skip
    assert design["controls"] == {"videos": {"count": 0, "max_score": 3}, "questions": []}
    assert design["plan"] == {"hypotheses": [], "alpha": 0.05, "power": 0.8, "sd": 1.2}
    assert design["conformance"]["version"] == 3
    assert {rule: tuple(value.items()) for rule, value in design["conformance"].items() if rule != "version"} == {
        "R1": (("use", True), ("pay", False)),
        "R2": (("use", True), ("pay", True), ("stall_ms", 500)),
        "R3": (("use", True), ("pay", True), ("away_ms", 10000)),
        "R4": (("use", True), ("pay", True), ("tolerance_ms", 0)),
        "R5": (("use", True), ("pay", True)),
        "R6": (("use", True), ("pay", False), ("wrong_at_most", 0)),
        "R7": (("use", True), ("pay", True), ("wrong_at_most", 0)),
        "R8": (("use", True), ("pay", True)),
        "R9": (("use", True), ("pay", False)),
    }
    assert not {"ethics", "retention", "debriefing", "pay"} & set(design)
    assert list(design["instructions"]) == ["en"]


def test_the_first_block_of_each_kind_is_practised_with_two_clips() -> None:
    kinds = ("rate", "compare", "rate", "slider")
    trials = [{"kind": kind, "count": 1} for kind in kinds]
    assert [block["training"] for block in resolve(SMALL | {"trials": trials})["trials"]] == [2, 2, 0, 2]
    trials[0]["training"] = 0
    assert [block["training"] for block in resolve(SMALL | {"trials": trials})["trials"]] == [0, 2, 0, 2]


def test_the_only_group_is_the_volunteers_with_the_studys_quota() -> None:
    assert resolve(SMALL)["groups"] == [{"key": "volunteer", "quota": {"sessions": 12}}]
    without = {key: value for key, value in SMALL.items() if key != "quota"}
    assert resolve(without)["groups"] == [{"key": "volunteer", "quota": {"sessions": 100}}]


def test_resolving_changes_neither_the_file_nor_the_contract_nor_itself() -> None:
    before = repr((SMALL, schema("study.1")))
    design = resolve(SMALL)
    design["groups"][0]["quota"]["sessions"] = 1
    design["controls"]["questions"].append({})
    assert repr((SMALL, schema("study.1"))) == before
    assert design["quota"] == {"sessions": 12}
    assert resolve(resolve(SMALL)) == resolve(SMALL)


@pytest.mark.parametrize(
    ("changes", "trials", "seconds"),
    [
        # 2 ratings of 10 s and a comparison of 4 s, 8 s for each answer, 90 s to begin with
        ({}, 3, 90 + 3 * 8 + 24),
        ({"trials": [{"kind": "rate", "count": 2, "training": 3, "repeats": 1}, SMALL["trials"][1]]}, 7, 90 + 56 + 64),
        ({"controls": {"videos": {"count": 2}}}, 5, 90 + 40 + 24 + 2 * 7),
        ({"controls": {"questions": [CONTROL, CONTROL]}}, 3, 90 + 5 * 8 + 24),
    ],
)
def test_trials_and_minutes_count_training_repeats_and_controls(
    changes: dict[str, Any], trials: int, seconds: int
) -> None:
    design = design_of(resolve(SMALL | changes))
    assert design.trial_count == trials
    assert design.minutes([10, 4]) == -(-seconds // 60)


def test_a_minute_that_has_begun_counts() -> None:
    design = design_of(resolve(SMALL))
    assert [design.minutes([length, 0]) for length in (33, 33.5)] == [3, 4]


ABOUT_STACKS = {
    "key": "H1", "says": "x", "kind": "rate", "pair": ["TCP+", "QUIC"], "networks": "each", "over": ["DSL"],
    "expects": "equivalent", "margin": 0.5, "margin_reason": "r",
}  # fmt: skip


def test_the_typed_design_has_every_field_of_the_resolved_study() -> None:
    changes = {
        "parent": "0" * 64,
        "groups": [
            {
                "key": "paid",
                "recruiter": {
                    "name": "panel",
                    "id_parameter": "ID",
                    "return_url": "https://x/{code}",
                    "codes": {"completed": "DONE"},
                    "returns": {"other": "https://x/"},
                },
            },
            {"key": "volunteer", "label": TEXT, "quota": {"sessions": 3}},
        ],
        "questions": [{"key": "age", "label": TEXT, "choices": [{"key": "old", "label": TEXT}]}],
        "controls": {"videos": {"count": 2}, "questions": [CONTROL | {"after": 1}]},
        "trials": [
            {"kind": "rate", "count": 2, "sites": ["alpha"], "stacks": ["QUIC"], "answer_from": "start"},
            {"kind": "compare", "count": 1, "networks": ["DSL"], "contexts": ["work"], "clips": "medoid"},
        ],
        "plan": {"hypotheses": [ABOUT_STACKS, {"key": "H2", "says": "y"}], "model": "m"},
        "ethics": {"board": "Board"},
        "retention": {"months": 12, "text": TEXT},
        "debriefing": TEXT,
        "pay": {"amount": 2.5, "currency": "EUR"},
    }
    design = design_of(resolve(SMALL | changes))
    assert (design.context_keys, design.group_keys) == (("work", "plane"), ("paid", "volunteer"))
    assert design.parent == "0" * 64
    assert design.groups == (
        Group(
            "paid",
            12,
            recruiter=Recruiter("panel", "ID", "https://x/{code}", {"completed": "DONE"}, {"other": "https://x/"}),
        ),
        Group("volunteer", 3, TEXT),
    )
    assert design.questions == (Question("age", TEXT, (Choice("old", TEXT),), required=True),)
    assert design.controls.videos == ControlVideos(count=2, max_score=3)
    assert design.controls.questions == (ControlQuestion("colour", TEXT, (Choice("red", TEXT),), "red", 1),)
    rate, compare = design.blocks
    assert (rate.sites, rate.networks, rate.kind_fields) == (("alpha",), None, {"stacks": ["QUIC"], **RATE})
    assert (rate.min_scale, rate.min_device_scale) == (0.2, 0.48)
    assert (rate.contexts, rate.has_identical, rate.identical) == (("work", "plane"), False, 0)
    assert (compare.networks, compare.clips, compare.contexts) == (("DSL",), "medoid", ("work",))
    assert (compare.kind_fields, compare.identical) == (COMPARE, 0.15)
    assert design.plan.hypotheses == (
        Hypothesis("H1", "x", "rate", ("TCP+", "QUIC"), "each", ("DSL",), "equivalent", margin=0.5, margin_reason="r"),
        Hypothesis("H2", "y"),
    )
    assert (design.plan.model, design.plan.stopping) == ("m", None)
    assert design.conformance.rules["R2"] == Rule(use=True, pay=True, thresholds={"stall_ms": 500})
    assert (design.ethics, design.retention) == (Ethics("Board"), Retention(12, TEXT))
    assert (design.debriefing, design.pay) == (TEXT, Pay(2.5, "EUR"))


def test_a_share_of_identical_pairs_can_be_replaced() -> None:
    design = design_of(resolve(SMALL))
    changed = design.with_identical({1: 0.0})
    assert [block.identical for block in (*changed.blocks, *design.blocks)] == [0, 0.0, 0, 0.15]


def test_a_study_file_is_resolved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = Mock(wraps=with_defaults)
    monkeypatch.setattr(resolving, "with_defaults", counted)
    check_command = CliRunner().invoke(study, ["check", str(DEMO), "--batch", str(SAMPLE)])
    assert check_command.exit_code == 0, check_command.output
    blocks = 2
    assert counted.call_count == 1 + blocks
