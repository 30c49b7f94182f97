"""Hypotheses are answered from votes: per network or pooled, supported, contradicted or undecided, in words."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from eyelevel_core.study.design import Hypothesis
from eyelevel_stats.hypotheses.answer import Answers, answers
from eyelevel_stats.observations import Comparison, Rating

RATED = Hypothesis(
    "H1", "QUIC is rated higher.", "rate", pair=("TCP+", "QUIC"), networks="each", expects="higher", margin=0.5,
    margin_reason="half a step",
)  # fmt: skip
CHOSEN = replace(RATED, key="H2", kind="compare", networks="pooled", margin=0.2)


def ratings(effects: dict[str, float], *, noise: float = 0.3, participants: int = 40) -> list[Rating]:
    rng = np.random.default_rng(1)
    return [
        Rating(f"p{p}", f"s{s}", network, stack, "work", f"{s}{network}{stack}", score)
        for p in range(participants)
        for s in range(6)
        for network, effect in effects.items()
        for stack, more in (("TCP+", 0.0), ("QUIC", effect), ("TCP", -3.0))
        for score in [4 + more + 0.2 * rng.normal() * (stack == "QUIC") + noise * rng.normal()]
    ]


def comparisons(quic: int, tcp: int, none: int) -> list[Comparison]:
    """By so many people each; whichever side QUIC is on."""
    values = ["QUIC"] * quic + ["TCP+"] * tcp + ["none"] * none
    made = []
    for number, value in enumerate(values):
        left, right = ("QUIC", "TCP+") if number % 2 else ("TCP+", "QUIC")
        choice: Any = "none" if value == "none" else "left" if value == left else "right"
        made.append(Comparison(f"p{number}", f"s{number % 7}", "DSL", left, right, "work", choice))
    return made


def outcome(found: Answers) -> str:
    (row,) = found.hypotheses
    return row.outcome


def test_each_network_has_its_effect_and_its_sentence() -> None:
    found = answers([RATED], ratings({"DSL": 0.0, "LTE": 1.0}), [], alpha=0.05)
    dsl, lte = found.effects
    assert (dsl.network, dsl.verdict, dsl.scope) == ("DSL", "equivalent", "sites like these")
    assert (lte.network, lte.verdict) == ("LTE", "different")
    assert lte.estimate == pytest.approx(1, abs=0.1)
    assert lte.sentence.startswith(f"On LTE, QUIC is rated {lte.estimate:.2f} points higher than TCP+ (95 % interval +")
    assert "smaller than the margin of 0.50 points" in dsl.sentence
    assert lte.p_value is not None
    assert lte.p_holm == pytest.approx(2 * lte.p_value)


@pytest.mark.parametrize(
    ("expects", "effects", "said"),
    [
        ("higher", {"DSL": 1.0, "LTE": 1.0}, "supported"),
        ("higher", {"DSL": 1.0, "LTE": 0.0}, "contradicted"),
        ("lower", {"DSL": 1.0, "LTE": 1.0}, "contradicted"),
        ("lower", {"DSL": -1.0, "LTE": -1.0}, "supported"),
        ("different", {"DSL": 1.0, "LTE": -1.0}, "supported"),
        ("different", {"DSL": 0.0, "LTE": 0.0}, "contradicted"),
        ("equivalent", {"DSL": 0.0, "LTE": 0.2}, "supported"),
        ("equivalent", {"DSL": 0.0, "LTE": 1.0}, "contradicted"),
        ("equivalent", {"DSL": 0.0, "LTE": 0.5}, "undecided"),
    ],
)
def test_a_claim_about_each_network_holds_where_it_holds_on_all(
    expects: Any, effects: dict[str, float], said: str
) -> None:
    assert outcome(answers([replace(RATED, expects=expects)], ratings(effects), [], alpha=0.05)) == said


def test_pooled_networks_have_one_effect_and_over_names_those_that_count() -> None:
    votes = ratings({"DSL": 0.0, "LTE": 1.0, "MSS": -5.0})
    found = answers([replace(RATED, networks="pooled", over=("DSL", "LTE"))], votes, [], alpha=0.05)
    (row,) = found.effects
    assert row.network == "pooled"
    assert row.estimate == pytest.approx(0.5, abs=0.1)


@pytest.mark.parametrize(
    ("counts", "said", "estimate"),
    [((40, 10, 20), "supported", 3 / 7), ((10, 40, 20), "contradicted", -3 / 7), ((7, 7, 7), "undecided", 0.0)],
)
def test_choices_count_whichever_side_they_were_on(counts: tuple[int, int, int], said: str, estimate: float) -> None:
    found = answers([CHOSEN], [], comparisons(*counts), alpha=0.05)
    (row,) = found.effects
    assert (outcome(found), row.network) == (said, "pooled")
    assert row.estimate == pytest.approx(estimate, abs=0.06)
    assert "percentage points" in row.sentence


def test_a_hypothesis_without_votes_says_so_and_one_without_kind_is_left_out() -> None:
    found = answers([RATED, Hypothesis("H9", "Something.")], [], [], alpha=0.05)
    (row,) = found.hypotheses
    assert (row.outcome, row.sentence) == ("undecided", "H1 cannot be answered: no votes compare these stacks.")


def test_the_interval_is_named_by_its_level() -> None:
    found = answers([RATED], ratings({"DSL": 1.0}), [], alpha=0.01)
    assert "(99 % interval" in found.effects[0].sentence


def test_one_participant_gives_an_effect_without_an_interval() -> None:
    votes = [Rating("ann", "garden", "DSL", stack, "work", stack, score) for stack, score in (("TCP+", 3), ("QUIC", 5))]
    found = answers([RATED], votes, [], alpha=0.05)
    assert found.hypotheses[0].sentence.endswith(
        "QUIC is rated 2.00 points higher than TCP+; there are too few participants for an interval."
    )
