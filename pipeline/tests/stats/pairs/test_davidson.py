"""Worths agree with R's PlackettLuce; what the answers do not identify is unknown, with a reason."""

import csv
import json
import os
from math import sqrt
from pathlib import Path

import pytest

from eyelevel_stats.pairs.components import components, log_worths
from eyelevel_stats.pairs.davidson import component_rows, worth_rows
from eyelevel_stats.pairs.likelihood import Fit
from eyelevel_stats.pairs.observations import PairVote

from .people import Counts, asked

SHARED = Path(os.environ.get("EYELEVEL_SHARED", Path(__file__).resolve().parents[5] / "shared"))
PUDDING = SHARED / "oracles/statistics/pudding.csv"
needs_pudding = pytest.mark.skipif(not PUDDING.exists(), reason="the oracle data are not there: set EYELEVEL_SHARED")


def pudding() -> list[PairVote]:
    with PUDDING.open() as lines:
        rows = [{name: int(value) for name, value in row.items()} for row in csv.DictReader(lines)]
    return asked({(str(row["i"]), str(row["j"])): (row["w_ij"], row["w_ji"], row["t_ij"]) for row in rows})


@needs_pudding
def test_worths_of_davidsons_puddings_are_those_of_plackett_luce() -> None:
    expected = json.loads((SHARED / "oracles/statistics/expected.json").read_text())["davidson_ties"]
    found = components(pudding(), side_bias=False)
    (shared,) = component_rows(found)
    worths = [row.worth for row in worth_rows(found)]
    assert worths == pytest.approx(expected["p"], abs=1e-7)
    assert shared.nu == pytest.approx(expected["nu"], abs=1e-7)
    assert shared.log_likelihood == pytest.approx(expected["loglik"], abs=1e-7)
    assert sum(worth for worth in worths if worth is not None) == pytest.approx(1)


@needs_pudding
def test_standard_errors_of_the_puddings_are_those_that_plackett_luce_prints() -> None:
    # vignette "Introduction to PlackettLuce", summary(mod, ref = NULL); tie2 is ln nu
    printed = [0.121949, 0.121818, 0.126823, 0.122003, 0.127054, 0.126594]
    found = components(pudding(), side_bias=False)
    assert [row.log_worth_se for row in worth_rows(found)] == pytest.approx(printed, abs=1e-6)
    (shared,) = component_rows(found)
    assert shared.nu is not None
    assert shared.nu_se == pytest.approx(shared.nu * 0.082499, abs=1e-6)


def test_the_toy_rankings_of_plackett_luce_and_the_loser_that_it_leaves_out() -> None:
    # the same vignette: A > B, C > A, B > A, B > C have log worths 0, 0.8392, 0.4196, standard errors 1.3596 and 1.5973
    # against A, and deviance 5.1356; D only loses
    toy: Counts = {("A", "B"): (1, 1, 0), ("C", "A"): (1, 0, 0), ("B", "C"): (1, 0, 0)}
    found = components(asked(toy), side_bias=False)
    a, b, c = (row.log_worth for row in worth_rows(found))
    (shared,) = component_rows(found)
    assert a is not None
    assert b is not None
    assert c is not None
    assert (b - a, c - a) == pytest.approx((0.8392, 0.4196), abs=5e-5)
    assert shared.log_likelihood == pytest.approx(-5.1356 / 2, abs=5e-5)
    assert (shared.nu, shared.nu_se) == (0, None)
    assert isinstance(found[0].fit, Fit)
    _, spread = log_worths(3, found[0].fit, found[0].fit.covariance)
    against_a = [sqrt(spread[0, 0] + spread[at, at] - 2 * spread[0, at]) for at in (1, 2)]
    assert against_a == pytest.approx([1.3596, 1.5973], abs=5e-5)
    with_loser = components(asked({**toy, ("A", "D"): (1, 0, 0)}), side_bias=False)
    assert {(row.worth, row.worth_se, row.log_worth) for row in worth_rows(with_loser)} == {(None, None, None)}
    (why,) = {row.why for row in worth_rows(with_loser)}
    assert why == "the answers separate A, B, C from D completely, so no finite estimate exists"


def test_a_worth_has_the_standard_error_of_a_share() -> None:
    # two stacks without ties: the share of wins, whose standard error is sqrt(p (1 - p) / n)
    first, second = worth_rows(components(asked({("A", "B"): (30, 10, 0)}), side_bias=False))
    assert (first.worth, second.worth) == pytest.approx((0.75, 0.25))
    assert first.worth_se == pytest.approx((0.75 * 0.25 / 40) ** 0.5)
    # log worths are half the log odds apart from their mean (B. Woolf 1955); with 40 / 39 for 40 participants
    assert first.log_worth_se == pytest.approx(sqrt(1 / 30 + 1 / 10) / 2)
    assert first.log_worth_se_clustered == pytest.approx(sqrt((1 / 30 + 1 / 10) * 40 / 39) / 2)
    assert (first.n, first.stack, first.why) == (40, "A", None)


def test_few_participants_give_worths_without_clustered_errors() -> None:
    votes = [vote._replace(participant="p") for vote in asked({("A", "B"): (3, 1, 0), ("B", "A"): (2, 2, 0)})]
    found = components(votes)
    (shared,) = component_rows(found)
    assert (shared.participants, shared.side_bias_se_clustered) == (1, None)
    assert shared.side_bias_se is not None
    for row in worth_rows(found):
        assert row.log_worth_se is not None
        assert row.log_worth_se_clustered is None


def test_side_bias_is_what_both_orders_share() -> None:
    # odds of left against right: 8 with A left, 2 with B left; so worths 2 to 1 and a bias of ln 4
    found = components(asked({("A", "B"): (80, 10, 20), ("B", "A"): (40, 20, 20)}))
    (shared,) = component_rows(found)
    assert shared.side_bias == pytest.approx(1.3862944, abs=0.02)
    exact = components(asked({("A", "B"): (80, 10, 0), ("B", "A"): (40, 20, 0)}))
    (shared,) = component_rows(exact)
    assert shared.side_bias == pytest.approx(1.3862944)
    assert [row.worth for row in worth_rows(exact)] == pytest.approx([2 / 3, 1 / 3])
    # of two saturated log odds, half the sum: the variance is a quarter of all reciprocal counts
    assert shared.side_bias_se == pytest.approx((1 / 80 + 1 / 10 + 1 / 40 + 1 / 20) ** 0.5 / 2)
    assert shared.side_bias_se_clustered == pytest.approx(shared.side_bias_se * (150 / 149) ** 0.5)


def test_side_bias_is_unknown_where_pairs_had_one_order() -> None:
    (shared,) = component_rows(components(asked({("A", "B"): (30, 10, 5)})))
    assert (shared.side_bias, shared.side_bias_se, shared.why) == (None, None, None)
    assert shared.nu is not None


def test_worths_are_by_network_and_connected_component() -> None:
    votes = asked({("C", "D"): (2, 1, 1), ("B", "A"): (2, 1, 1), ("A", "E"): (2, 1, 1)})
    votes += asked({("A", "B"): (2, 1, 1)}, network="LTE")
    found = component_rows(components(votes, side_bias=False))
    assert [(row.network, row.component, row.stacks, row.n) for row in found] == [
        ("DSL", 1, "A, B, E", 8),
        ("DSL", 2, "C, D", 4),
        ("LTE", 1, "A, B", 4),
    ]
    worths = worth_rows(components(votes, side_bias=False))
    assert [(row.stack, row.n) for row in worths if row.component == 1 and row.network == "DSL"] == [
        ("A", 8),
        ("B", 4),
        ("E", 4),
    ]
    sums: dict[tuple[str, int], float] = {}
    for row in worths:
        assert row.worth is not None
        sums[row.network, row.component] = sums.get((row.network, row.component), 0) + row.worth
    assert sums == pytest.approx({("DSL", 1): 1, ("DSL", 2): 1, ("LTE", 1): 1})


@pytest.mark.parametrize(
    ("counts", "why"),
    [
        ({("A", "B"): (0, 0, 5)}, "every answer is none"),
        ({("A", "B"): (5, 0, 5)}, "the answers separate A from B completely, so no finite estimate exists"),
        ({("A", "B"): (5, 0, 1), ("B", "A"): (5, 0, 1)}, "all decided answers name the same side"),
    ],
)
def test_what_has_no_finite_estimate_is_unknown_with_a_reason(counts: Counts, why: str) -> None:
    found = components(asked(counts))
    (shared,) = component_rows(found)
    assert (shared.nu, shared.side_bias, shared.log_likelihood) == (None, None, None)
    assert shared.why is not None
    assert shared.why.startswith(why)
    assert {(row.worth, row.why) for row in worth_rows(found)} == {(None, shared.why)}


def test_a_stack_beside_itself_is_refused() -> None:
    with pytest.raises(ValueError, match="compares A with itself"):
        components(asked({("A", "A"): (1, 1, 1)}))
