"""The funnel: who is left after each rule, per group."""

from dataclasses import replace

from eyelevel_stats.conformance import RULES, GroupFunnel, Row, funnel
from eyelevel_stats.conformance.finding import Broken


def row(*broken: str, group: str = "crowd", left_out_by: set[str] | None = None, accepted: bool = True) -> Row:
    found: dict[str, Broken] = {rule: "yes" if rule in broken else "no" for rule in RULES}
    left_out = set(broken) if left_out_by is None else left_out_by
    return Row(group=group, completed=True, accepted=accepted, broken=found, left_out_by=frozenset(left_out))


def begun(*, completed: bool = False) -> Row:
    return Row(group="crowd", completed=completed, accepted=False, broken=None, left_out_by=frozenset())


def lefts(group: GroupFunnel) -> list[int]:
    return [step.left for step in group.steps]


def test_each_rule_leaves_those_who_kept_it_and_all_before_it() -> None:
    (crowd,) = funnel([row(), row("R1"), row("R1", "R3"), row("R3"), row("R9"), begun()], groups=["crowd"])
    assert (crowd.started, crowd.completed, crowd.waiting, crowd.used) == (6, 5, 0, 1)
    assert lefts(crowd) == [3, 3, 2, 2, 2, 2, 2, 2, 1]
    assert [step.broken for step in crowd.steps] == [2, 0, 2, 0, 0, 0, 0, 0, 1]


def test_a_rule_that_leaves_nobody_out_still_counts_who_broke_it() -> None:
    (crowd,) = funnel([row("R5", left_out_by=set()), row()], groups=["crowd"])
    assert (crowd.steps[4].broken, lefts(crowd), crowd.used) == (1, [2] * 9, 2)


def test_accepted_is_counted_apart_from_used() -> None:
    (crowd,) = funnel([row("R2"), row("R6", accepted=False), row()], groups=["crowd"])
    assert (crowd.used, crowd.accepted) == (1, 2)


def test_complete_sessions_without_some_trials_are_counted() -> None:
    left = replace(row("R1"), skipped=2)
    (crowd,) = funnel([row(), left, replace(row(), skipped=1), replace(begun(), skipped=1)], groups=["crowd"])
    assert (crowd.completed, crowd.skipped) == (3, 2)


def test_who_waits_for_a_verdict_is_not_left() -> None:
    (crowd,) = funnel([row(), begun(completed=True)], groups=["crowd"])
    assert (crowd.completed, crowd.waiting, lefts(crowd), crowd.used) == (2, 1, [1] * 9, 1)


def test_other_reasons_come_after_the_rules_and_are_reported() -> None:
    late, both, broke = ({"beyond_quota"}, {"seen_before", "nothing_rated"}, {"R3", "seen_before"})
    (crowd,) = funnel([row(left_out_by=why) for why in (late, late, both, broke, set())], groups=["crowd"])
    assert (lefts(crowd), crowd.used) == ([5, 5, 4, 4, 4, 4, 4, 4, 4], 1)
    assert crowd.otherwise == {"beyond_quota": 2, "nothing_rated": 1}


def test_groups_stand_apart_and_an_empty_one_is_shown() -> None:
    found = funnel([row(group="crowd"), row("R1", group="laboratory")], groups=["laboratory", "crowd", "volunteer"])
    assert [(group.group, group.started, group.used) for group in found] == [
        ("laboratory", 1, 0),
        ("crowd", 1, 1),
        ("volunteer", 0, 0),
    ]


def test_unknown_is_counted_per_rule() -> None:
    found: dict[str, Broken] = {**dict.fromkeys(RULES, "no"), "R4": "unknown"}
    (crowd,) = funnel([Row("crowd", True, True, found, frozenset())], groups=["crowd"])
    assert [step.unknown for step in crowd.steps] == [0, 0, 0, 1, 0, 0, 0, 0, 0]
