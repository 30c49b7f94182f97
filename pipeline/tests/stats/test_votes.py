"""Votes find their table by role and kind; those of other roles stay out of MOS, preferences and correlations."""

from dataclasses import replace
from math import e, log
from statistics import stdev
from typing import Any

import pytest
from scipy import stats
from statsmodels.stats.power import TTestPower

from eyelevel_core.model.metrics import FIELDS
from eyelevel_core.study.design import Hypothesis, Looks, Plan
from eyelevel_stats.columns import of_origin, simulated_sessions
from eyelevel_stats.identical import IdenticalVote
from eyelevel_stats.observations import Rating
from eyelevel_stats.repeats import Repeat
from eyelevel_stats.rows.study import LayoutRow
from eyelevel_stats.sequential.looks import level_at_end
from eyelevel_stats.values import Placed
from eyelevel_stats.votes import (
    answering,
    comparisons_of,
    identical_of,
    metrics_of,
    pair_votes,
    placed_of,
    ratings_of,
    repeats_of,
    results_of,
    with_answers,
)

NAMES = (
    *("session_id", "trial_kind", "role", "position", "repeats_position", "origin", "site", "network", "context"),
    *("trial_kind_version", "layout", "received_at"),
    *("clip_sha256", "stack", "left_stack", "right_stack", "score", "choice", "value"),
    *FIELDS,
)


def row(session: str, position: int, kind: str, **changes: Any) -> dict[str, Any]:
    common = {"site": "garden", "network": "DSL", "context": "work", "role": "main", "origin": "person"}
    return common | {"session_id": session, "position": position, "trial_kind": kind} | changes


def rate(session: str, position: int, score: int, **changes: Any) -> dict[str, Any]:
    return row(session, position, "rate", **{"stack": "QUIC", "clip_sha256": "c1", "score": score} | changes)


def compare(session: str, position: int, choice: str, left: str, right: str, **changes: Any) -> dict[str, Any]:
    stacks = {"left_stack": left, "right_stack": right}
    return row(session, position, "compare", clip_sha256="c2", choice=choice, **stacks, **changes)


def columns(rows: list[dict[str, Any]], *, without: tuple[str, ...] = ()) -> dict[str, list[Any]]:
    return {name: [entry.get(name) for entry in rows] for name in NAMES if name not in without}


VOTES = [
    rate("ann", 1, 1, role="training"),
    rate("ann", 2, 6),
    rate("ann", 3, 4, role="repeat", repeats_position=2),
    rate("ann", 4, 2, role="control"),
    compare("ann", 5, "left", "QUIC", "QUIC", role="identical"),
    compare("ann", 6, "right", "TCP+", "QUIC"),
    compare("ann", 7, "none", "TCP+", "QUIC", role="repeat", repeats_position=6),
    row("ben", 1, "slider", stack="QUIC", clip_sha256="c1", value=70.5, origin="simulated"),
    row("ben", 2, "slider", stack="QUIC", clip_sha256="c1", value=0, role="control", origin="simulated"),
]


def test_only_main_votes_answer_the_question() -> None:
    table = columns(VOTES)
    assert list(ratings_of(table)) == [Rating("ann", "garden", "DSL", "QUIC", "work", "c1", 6)]
    assert [vote.choice for vote in comparisons_of(table)] == ["right"]
    assert placed_of(table) == [Placed("ben", "slider", "garden", "DSL", "QUIC", "work", 70.5)]


def test_identical_pairs_and_repeats_have_tables_of_their_own() -> None:
    table = columns(VOTES)
    assert identical_of(table) == [IdenticalVote("ann", "DSL", "QUIC", "left")]
    assert repeats_of(table) == [Repeat("ann", "compare", "right", "none"), Repeat("ann", "rate", 6, 4)]


def test_a_repeat_without_its_first_answer_is_left_out() -> None:
    table = columns([rate("ann", 3, 4, role="repeat", repeats_position=2), rate("ben", 2, 5)])
    assert repeats_of(table) == []


def test_votes_are_those_of_people_of_programs_or_of_both() -> None:
    table = columns(VOTES)
    assert of_origin(table, "person")["session_id"] == ["ann"] * 7
    assert of_origin(table, "simulated")["value"] == [70.5, 0]
    assert of_origin(table, "all") == table


def test_a_file_without_origins_has_peoples_votes() -> None:
    old = columns(VOTES, without=("origin",))
    assert of_origin(old, "person") == old
    assert of_origin(old, "simulated")["session_id"] == []


def test_simulated_sessions_are_counted_once_each() -> None:
    assert simulated_sessions(columns(VOTES)) == 1


def test_a_file_older_than_roles_has_main_votes_of_unknown_origin() -> None:
    new = ("role", "repeats_position", "origin", "value")
    old = columns([rate("ann", 1, 6), compare("ann", 2, "left", "TCP+", "QUIC")], without=new)
    found = results_of(old)
    assert ([row.mos for row in found.mos], [row.n for row in found.comparisons]) == ([6.0], [1])
    assert (found.values, found.identical, found.repeats, found.identical_all) == ((), (), (), None)
    assert simulated_sessions(old) == 0


def test_a_clip_has_one_set_of_metrics() -> None:
    table = columns([rate("ann", 1, 6, si_ms=800.0), rate("ben", 1, 5, si_ms=801.0)])
    with pytest.raises(ValueError, match="c1 has different metrics in different votes"):
        metrics_of(table)


def test_two_versions_of_a_kind_are_not_pooled() -> None:
    old, new = rate("ann", 1, 6, trial_kind_version=1), rate("ben", 1, 4, trial_kind_version=2)
    with pytest.raises(ValueError, match="trial_kind_version is 1 and 2 in votes of rate"):
        results_of(columns([old, new]))
    # kinds have versions of their own, and an old file knows none
    other = compare("ben", 2, "left", "QUIC", "TCP+", trial_kind_version=3)
    assert results_of(columns([new, other, rate("cem", 1, 3)])).mos[0].n == 2


def test_votes_are_counted_by_layout_with_each_participant_once_in_a_mean() -> None:
    rows = [
        rate("ann", 1, 6, layout="row"),
        rate("ann", 2, 2, layout="row", clip_sha256="c9"),
        rate("ben", 1, 5, layout="row"),
        rate("cem", 1, 3, layout="column"),
        rate("cem", 2, 7, layout="column", role="training"),
        rate("dee", 1, 7),
        compare("ann", 3, "left", "QUIC", "TCP+", layout="row"),
    ]
    assert results_of(columns(rows)).layouts == (
        LayoutRow("compare", "row", n=1, votes=1, mean=None, sd=None),
        LayoutRow("rate", "column", n=1, votes=1, mean=3.0, sd=None),
        LayoutRow("rate", "row", n=2, votes=3, mean=4.5, sd=0.5**0.5),
    )


H1 = Hypothesis("H1", "QUIC is rated higher.", "rate", pair=("TCP+", "QUIC"), networks="pooled", expects="higher")


def plan_with(looks: Looks | None) -> Plan:
    return Plan((H1,), alpha=0.05, power=0.8, sd=1.2, looks=looks)


def both(number: int, tcp: int, quic: int) -> list[dict[str, Any]]:
    """The votes of a session on both stacks; sessions end in the order of their numbers."""
    session = f"s{number:02}"
    return [
        rate(session, 1, tcp, stack="TCP+", clip_sha256="c0", received_at=2 * number),
        rate(session, 2, quic, received_at=2 * number + 1),
    ]


# a difference of 1 or 3 points, and of none later
EARLY = [vote for number in range(4) for vote in both(number, 3, 4 + 2 * (number % 2))]
LATE = [vote for number in range(4, 10) for vote in both(number, 4, 4 + number % 2)]


def test_without_planned_looks_there_are_none() -> None:
    found = results_of(columns(EARLY), plan_with(None))
    assert (found.looks, found.effects[0].estimate) == ((), 2.0)


def test_a_look_is_over_the_first_sessions_whatever_came_later_and_in_whatever_order() -> None:
    plan = plan_with(Looks(at=(4,), spending="pocock", planned=10))
    shuffled = [*LATE[::-1], *EARLY]
    look, end = results_of(columns(shuffled), plan).looks
    assert (look.number, look.sessions, look.is_final, look.effects[0].estimate) == (1, 4, False, 2.0)
    assert (end.sessions, end.is_final, end.hypotheses) == (10, True, ())
    later = [*shuffled, *both(10, 1, 7)]
    assert results_of(columns(later), plan).looks[0] == look


def test_each_look_and_the_end_judge_at_their_own_level() -> None:
    plan = plan_with(Looks(at=(4,), spending="pocock", planned=10))
    found = results_of(columns([*EARLY, *LATE]), plan)
    look, end = found.looks
    assert look.level == pytest.approx(0.05 * log(1 + (e - 1) * 0.4))
    half = stats.t.ppf(1 - look.level / 2, 3) * stdev([1, 3, 1, 3]) / 2
    assert look.effects[0].ci_low == pytest.approx(2 - half)
    assert f"{100 * (1 - look.level):.4g} % interval" in look.effects[0].sentence
    differences = [1, 3, 1, 3, 0, 1, 0, 1, 0, 1]
    half = stats.t.ppf(1 - end.level / 2, 9) * stdev(differences) / 10**0.5
    assert found.effects[0].ci_low == pytest.approx(1.1 - half)


def test_a_look_that_is_not_reached_changes_nothing() -> None:
    plan = plan_with(Looks(at=(4,), spending="pocock", planned=10))
    (end,) = results_of(columns(EARLY[:6]), plan).looks
    assert (end.sessions, end.is_final) == (3, True)
    assert end.level == pytest.approx(0.05)


def test_what_the_plan_could_find_follows_from_its_size_at_a_look_and_at_the_end() -> None:
    plan = plan_with(Looks(at=(4,), spending="pocock", planned=10))
    found = results_of(columns([*EARLY, *LATE]), plan, planned=40)
    look, _ = found.looks
    level = level_at_end(plan)
    # the ten sessions are as many as the looks plan, so that the end is the planned one
    assert level == found.looks[-1].level < 0.05
    # differences of 1, 3, 1 and 3 points: ten times the four people, and four times the ten
    ncp = TTestPower().solve_power(nobs=40, alpha=level, power=0.8) * 40**0.5
    assert look.effects[0].detectable == pytest.approx(ncp * stdev([1, 3, 1, 3]) / 40**0.5, rel=1e-4)
    sd = stdev([1, 3, 1, 3, 0, 1, 0, 1, 0, 1])
    assert found.effects[0].detectable == pytest.approx(ncp * sd / 40**0.5, rel=1e-4)
    # an early end has another level, and says the same of the planned study
    early = results_of(columns([*EARLY, *LATE[:4]]), plan, planned=40)
    assert early.looks[-1].level != level
    sd = stdev([1, 3, 1, 3, 0, 1])
    assert early.effects[0].detectable == pytest.approx(ncp * sd / 40**0.5, rel=1e-4)
    assert results_of(columns(EARLY), plan).effects[0].detectable is None


def test_speed_indexes_of_both_sides_go_with_the_comparisons() -> None:
    sides = {"left_si_ms": [900], "right_si_ms": [1800]}
    (vote,) = pair_votes(columns([compare("ann", 1, "left", "TCP+", "QUIC")]) | sides)
    assert (vote.left_stack, vote.left_si_ms, vote.right_si_ms, vote.choice) == ("TCP+", 900, 1800, "left")


@pytest.mark.parametrize("looks", [None, Looks(at=(4,), spending="pocock", planned=10)])
def test_answers_need_no_other_columns_than_those_that_are_named(looks: Looks | None) -> None:
    plan, every = plan_with(looks), columns([*EARLY, *LATE])
    named = {name: every[name] for name in answering(plan) if name in every}
    closed = replace(results_of(every), looks=())
    assert with_answers(closed, named, plan, planned=None) == results_of(every, plan)
    assert len(named) < len(every)


def test_a_plan_that_asks_for_nothing_needs_no_columns() -> None:
    plan = Plan((), alpha=0.05, power=0.8, sd=1.2)
    assert answering(plan) == ()
    assert results_of(columns(EARLY), plan).hypotheses == ()
