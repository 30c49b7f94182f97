"""Tables in depth: what a planted study gives, and that every column of every table is described."""

from dataclasses import asdict

import pytest
from golden.planted import NAMES, PLAN, planted

from eyelevel_core.study.design import Hypothesis
from eyelevel_stats.hypotheses.plan_order import Unanswered, in_plan_order
from eyelevel_stats.in_depth.compute import Completed, InDepth, in_depth
from eyelevel_stats.rows.hypotheses import HypothesisRow
from eyelevel_stats.tables import IN_DEPTH

SITES, PEOPLE = 24, 24


@pytest.fixture(scope="module")
def results() -> InDepth:
    columns = planted(sites=SITES, people=PEOPLE)
    sessions = {session: {"R3"} if session == "p01" else set() for session in columns["session_id"]}
    return in_depth(columns, PLAN, completed=Completed(columns, sessions, {"R3"}))


def test_a_study_with_everything_has_every_table_but_those_that_need_what_it_lacks(results: InDepth) -> None:
    assert set(IN_DEPTH) - set(results.tables) == set()


def test_every_row_is_of_its_table(results: InDepth) -> None:
    for name, rows in results.tables.items():
        assert {type(row) for row in rows} == {IN_DEPTH[name].row}, name


def test_values_are_plain_and_none_is_not_a_number(results: InDepth) -> None:
    for name, rows in results.tables.items():
        for value in (value for row in rows for value in asdict(row).values()):
            assert value is None or type(value) in (str, int, float, bool) or isinstance(value, str), (name, value)
            assert value == value, name  # noqa: PLR0124 - NaN is unequal to itself


def test_the_metric_that_opinions_follow_agrees_best_and_answers_its_hypothesis(results: InDepth) -> None:
    leaders = {row.metric: row.pearson for row in results.tables["leaderboard"]}
    assert leaders["SI"] < -0.95 < leaders["PLT"]
    (answer,) = results.hypotheses
    assert (answer.hypothesis, answer.outcome) == ("H3", "supported")
    assert answer.sentence == (
        "H3 is supported. Of the metrics compared, SI alone may agree best with MOS. Less well agree: PLT."
    )


def test_answers_come_in_the_order_of_the_plan(results: InDepth) -> None:
    other = HypothesisRow("H1", "", "supported", "", "")
    rows = in_plan_order(PLAN.hypotheses, [other, *results.hypotheses], outcome=Unanswered.PENDING, why="")
    assert [row.hypothesis for row in rows] == ["H3", "H1"]


def test_a_hypothesis_without_answer_says_why() -> None:
    asked = (Hypothesis("H1", "QUIC is better."), *PLAN.hypotheses[:1])
    rows = in_plan_order(asked, [], outcome=Unanswered.PENDING, why="it takes a while")
    assert [(row.outcome, row.sentence) for row in rows] == [
        ("unanswerable", "H1 has no answer: it has no kind, and without one no program can answer it."),
        ("pending", "H3 has no answer: it takes a while."),
    ]


def test_the_multiverse_varies_the_sessions_by_their_broken_rules(results: InDepth) -> None:
    (summary,) = results.tables["multiverse-summary"]
    assert (summary.hypothesis, summary.cells, summary.session_sets) == ("H1", 256, 2)


def test_the_planted_effect_is_found_on_the_latent_scale(results: InDepth) -> None:
    (row,) = results.tables["ordinal-effects"]
    assert (row.hypothesis, row.network, row.second, row.converged) == ("H1", "DSL", "QUIC", True)
    # 300 ms are 0.43 points of the scale, and noise of 0.6 is a logistic spread of about 0.33
    assert 0.5 < row.ci_low < row.effect < 2


def test_the_mapping_that_was_planted_has_the_least_error(results: InDepth) -> None:
    chosen = {row.metric: row for row in results.tables["mappings"] if row.chosen}
    assert chosen["SI"].rmse_nested < 0.3 < chosen["PLT"].rmse_nested


def test_who_gives_one_answer_throughout_is_counted_and_stays(results: InDepth) -> None:
    (row,) = results.tables["straight-lining"]
    assert (row.participants, row.straight_lining) == (PEOPLE, 1)
    assert {score.n for score in results.tables["group-mos"]} == {PEOPLE // 2}


def test_without_votes_there_is_nothing() -> None:
    empty = in_depth({name: [] for name in NAMES}, PLAN)
    assert empty.tables == {}
    (answer,) = empty.hypotheses
    assert answer.sentence == (
        "H3 is undecided. There is no set of best metrics: no clip was rated whose metrics are known."
    )


def test_without_a_plan_groups_are_compared_on_every_pair_of_stacks() -> None:
    (row,) = in_depth(planted(sites=SITES, people=PEOPLE)).tables["group-effects"]
    assert (row.first, row.second, row.network) == ("QUIC", "TCP+", "pooled")


def test_progress_names_each_part_before_it_begins() -> None:
    steps: list[tuple[str, int, int]] = []
    in_depth({name: [] for name in NAMES}, advance=lambda name, done, of: steps.append((name, done, of)))
    assert steps[0] == ("distributions", 0, 9)
    assert [done for _, done, _ in steps] == list(range(9))
