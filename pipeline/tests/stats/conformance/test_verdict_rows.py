"""Columns of conformance.csv give the funnel's sessions, and the sessions of the multiverse."""

from typing import Any

from eyelevel_stats.conformance import RULES, VERDICT_COLUMNS, funnel, funnel_rows, rules_broken

NONE_BROKEN = dict.fromkeys((f"{rule}_broken" for rule in RULES), "no")


def session(name: str | None, **changes: Any) -> dict[str, Any]:
    fields = {"session_id": name, "group": "crowd", "origin": "person", "state": "completed", "accepted": "yes"}
    return {"left_out_by": None, **NONE_BROKEN, **fields, **changes}


def columns(*rows: dict[str, Any]) -> dict[str, list[Any]]:
    return {name: [row[name] for row in rows] for name in VERDICT_COLUMNS}


UNJUDGED = {"accepted": None, **dict.fromkeys(NONE_BROKEN)}
SESSIONS = columns(
    session("ann"),
    session("ben", R2_broken="yes", left_out_by="R2", accepted="no"),
    session("cem", R3_broken="yes", R7_broken="not asked"),
    session("dea", left_out_by="R2 beyond_quota", R2_broken="yes"),
    session("eve", **UNJUDGED),
    session(None, state="started", **UNJUDGED),
    session("sim", origin="simulated", R2_broken="yes", left_out_by="R2"),
)


def test_the_funnel_counts_who_began_who_completed_and_who_is_left_by_origin() -> None:
    (people,) = funnel(funnel_rows(SESSIONS, "person"), groups=["crowd"])
    assert (people.started, people.completed, people.waiting, people.used) == (6, 5, 1, 2)
    assert next((step.broken, step.left) for step in people.steps if step.rule == "R2") == (2, 2)
    assert next((step.broken, step.unknown) for step in people.steps if step.rule == "R7") == (0, 0)
    (every,) = funnel(funnel_rows(SESSIONS, "all"), groups=["crowd"])
    assert (every.started, every.used) == (7, 2)


def test_sessions_of_the_multiverse_are_judged_and_excluded_by_rules_alone() -> None:
    assert rules_broken(SESSIONS, "person") == {"ann": set(), "ben": {"R2"}, "cem": {"R3"}}
    assert rules_broken(SESSIONS, "simulated") == {"sim": {"R2"}}


def test_a_session_without_an_origin_is_a_persons() -> None:
    assert rules_broken(columns(session("ann", origin=None)), "person") == {"ann": set()}
