"""Hypotheses are answered from votes: per network or pooled, supported, contradicted or undecided, in words."""

from dataclasses import replace
from math import exp, log
from typing import Any

import numpy as np
import pytest

from eyelevel_core.study.design import Hypothesis
from eyelevel_stats.hypotheses.answer import Answers, answers
from eyelevel_stats.hypotheses.in_si import ClipSi, si_change_of_choices
from eyelevel_stats.hypotheses.reference import Reference
from eyelevel_stats.hypotheses.wording import effect_sentence
from eyelevel_stats.observations import Comparison, Rating
from eyelevel_stats.pairs.observations import PairVote, in_order
from eyelevel_stats.pairs.slopes import slopes

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
    (answer,) = found.hypotheses
    assert answer.sentence == "H1 is contradicted by the votes on DSL. DSL: equivalent; LTE: different."
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


@pytest.mark.parametrize(("counts", "end"), [((69, 1, 0), 1), ((1, 69, 0), -1)])
def test_intervals_of_choices_end_where_all_choose_one_stack(counts: tuple[int, int, int], end: int) -> None:
    (row,) = answers([CHOSEN], [], comparisons(*counts), alpha=0.05).effects
    assert 0.9 < abs(row.estimate) < 1
    # by Student's t, both ends are farther away: at 1.04 and 1.03
    lows, highs = (row.ci_low, row.inner_low), (row.ci_high, row.inner_high)
    assert (highs if end == 1 else lows) == (end, end)
    # a margin that large would be none
    assert row.least_margin is None
    assert "Equivalence needs" not in row.sentence
    assert row.verdict == "different"


def test_a_hypothesis_without_votes_says_so_and_one_without_kind_is_left_out() -> None:
    found = answers([RATED, Hypothesis("H9", "Something.")], [], [], alpha=0.05)
    (row,) = found.hypotheses
    assert (row.outcome, row.sentence) == ("undecided", "H1 cannot be answered: no votes compare these stacks.")


def test_the_interval_is_named_by_its_level() -> None:
    found = answers([RATED], ratings({"DSL": 1.0}), [], alpha=0.01)
    assert "(99 % interval" in found.effects[0].sentence
    assert "for equivalence 98 % interval" in found.effects[0].sentence
    assert (found.effects[0].level, found.effects[0].inner_level) == (0.99, 0.98)


def test_one_participant_gives_an_effect_without_an_interval() -> None:
    votes = [Rating("ann", "garden", "DSL", stack, "work", stack, score) for stack, score in (("TCP+", 3), ("QUIC", 5))]
    found = answers([RATED], votes, [], alpha=0.05)
    assert found.hypotheses[0].sentence.endswith(
        "QUIC is rated 2.00 points higher than TCP+; there are too few participants or votes for an interval."
    )


@pytest.mark.parametrize(
    ("kind", "estimate", "words"),
    [
        ("rate", 0.0, "On DSL, QUIC and TCP+ are rated equally"),
        ("rate", 0.004, "On DSL, QUIC is rated less than 0.01 points higher than TCP+"),
        ("rate", -0.25, "On DSL, QUIC is rated 0.25 points lower than TCP+"),
        ("compare", 0.0, "On DSL, QUIC and TCP+ are chosen equally often"),
        ("compare", -0.003, "On DSL, QUIC is chosen less than 1 percentage point less often than TCP+"),
        ("compare", 0.25, "On DSL, QUIC is chosen 25 percentage points more often than TCP+"),
    ],
)
def test_a_difference_is_never_zero_points_higher(kind: str, estimate: float, words: str) -> None:
    row = answers([RATED], ratings({"DSL": 1.0}), [], alpha=0.05).effects[0]
    assert effect_sentence(replace(row, kind=kind, estimate=estimate)).startswith(words)


def clips() -> list[ClipSi]:
    """MOS falls by 1 point where SI is e times as large, and by nothing on LTE."""
    return [
        ClipSi(f"s{number // 2}", network, si_ms, 12 - log(si_ms) if network == "DSL" else 4 + number % 2, 20)
        for network in ("DSL", "LTE")
        for number in range(12)
        for si_ms in [500.0 * 1.2**number]
    ]


def test_an_answer_states_the_margin_in_si_the_smallest_margin_and_what_the_planned_study_could_find() -> None:
    reference = Reference(clips(), [], sessions=40, planned=160, power=0.9, level=0.05)
    votes = ratings({"DSL": 0.0, "LTE": 0.0})
    dsl, lte = answers([RATED], votes, [], alpha=0.05, reference=reference).effects
    assert dsl.margin_si == pytest.approx(exp(0.5) - 1)
    assert (dsl.margin_si_why, dsl.power) == (None, 0.9)
    assert (lte.margin_si, lte.margin_si_why) == (None, "MOS does not fall as SI rises")
    assert (dsl.margin_si_reason, lte.margin_si_reason) == (None, '{"code": "not_falling", "values": {}}')
    now = answers([RATED], votes, [], alpha=0.05, reference=replace(reference, planned=40)).effects[0]
    assert dsl.detectable is not None
    assert now.detectable is not None
    # four times the people cannot do more than halve it, and sites stay
    assert now.detectable / 2 <= dsl.detectable < now.detectable
    assert f"These votes show equivalence only for a margin of at least {dsl.least_margin:.2f} points." in dsl.sentence
    assert (
        f"The margin of 0.50 points is {dsl.margin_d:.2f} SD of single votes. An SI that is 64.9 % larger changes the "
        "votes by as much as the margin." in dsl.sentence
    )
    assert "The margin cannot be expressed as a change of SI: MOS does not fall as SI rises." in lte.sentence
    assert f"the planned number of participants finds a difference of {dsl.detectable:.2f} points" in dsl.sentence
    assert dsl.sentence.endswith(" with a probability of 90 %.")


def test_what_the_planned_study_could_find_does_not_depend_on_the_level_of_a_look() -> None:
    reference = Reference(clips(), [], sessions=40, planned=160, power=0.9, level=0.05)
    look, end = (
        answers([RATED], ratings({"DSL": 0.0}), [], alpha=alpha, reference=reference).effects[0]
        for alpha in (0.001, 0.05)
    )
    assert look.detectable == end.detectable is not None
    strict = replace(reference, level=0.01)
    (row,) = answers([RATED], ratings({"DSL": 0.0}), [], alpha=0.05, reference=strict).effects
    assert (row.detectable or 0.0) > (end.detectable or 0.0)


@pytest.mark.parametrize(
    ("change", "said"), [(12.34, "1230 %"), (0.6487, "64.9 %"), (0.12, "12 %"), (0.00004, "0.004 %")]
)
def test_a_change_of_si_is_printed_without_an_exponent(change: float, said: str) -> None:
    (row,) = answers([RATED], ratings({"DSL": 0.0}), [], alpha=0.05).effects
    assert f"An SI that is {said} larger" in effect_sentence(replace(row, margin_si=change))


def test_levels_and_probabilities_near_1_are_not_printed_as_100_percent() -> None:
    (row,) = answers([RATED], ratings({"DSL": 0.0}), [], alpha=0.00002).effects
    sentence = effect_sentence(replace(row, detectable=0.3, power=0.99996))
    assert "(99.998 % interval" in sentence
    assert "for equivalence 99.996 % interval" in sentence
    assert sentence.endswith("with a probability of 99.996 %.")


def test_a_pooled_margin_in_si_is_that_of_the_networks_that_the_hypothesis_is_over() -> None:
    reference = Reference(clips(), [], sessions=40, planned=None, power=0.8, level=0.05)
    hypothesis = replace(RATED, networks="pooled", over=("DSL",))
    (row,) = answers([hypothesis], ratings({"DSL": 0.0}), [], alpha=0.05, reference=reference).effects
    assert row.margin_si == pytest.approx(exp(0.5) - 1)
    assert row.detectable is None
    assert "planned number" not in row.sentence


def test_a_margin_of_choices_in_si_comes_from_the_slope_of_the_answers() -> None:
    # the faster side is chosen by three of four who decide where it takes half the time: b = ln 3 / ln 2, no ties
    pairs = [
        PairVote(f"p{p}", f"s{p % 7}", "DSL", "TCP+", "QUIC", "right" if p % 4 else "left", 2000.0, 1000.0)
        if p % 2
        else PairVote(f"p{p}", f"s{p % 7}", "DSL", "QUIC", "TCP+", "left" if p % 4 else "right", 1000.0, 2000.0)
        for p in range(80)
    ]
    reference = Reference([], pairs, sessions=70, planned=70, power=0.8, level=0.05)
    (row,) = answers([CHOSEN], [], comparisons(30, 20, 20), alpha=0.05, reference=reference).effects
    (fit,) = slopes(in_order(pairs))
    found = si_change_of_choices(0.2, fit)
    assert found.why is not None
    assert (row.margin_si, row.margin_si_why) == (found.change, str(found.why))
    assert row.margin_si_reason == found.why.as_json()
    assert row.detectable is not None
    assert "percentage points with a probability of 80 %" in row.sentence


def test_a_margin_is_not_compared_with_votes_that_do_not_vary() -> None:
    row = answers([RATED], ratings({"DSL": 0.0}), [], alpha=0.05).effects[0]
    assert "SD of single votes" in effect_sentence(row)
    assert "SD of single votes" not in effect_sentence(replace(row, margin_d=None))


def test_without_a_margin_nothing_is_said_of_it_in_other_units() -> None:
    reference = Reference(clips(), [], sessions=40, planned=40, power=0.8, level=0.05)
    hypothesis = replace(RATED, margin=None, expects="different")
    row = answers([hypothesis], ratings({"DSL": 1.0}), [], alpha=0.05, reference=reference).effects[0]
    assert (row.margin_d, row.margin_si, row.margin_si_why) == (None, None, "the plan states no margin")
    assert "The plan's margin" not in row.sentence
    assert "These votes show equivalence only for a margin of at least" in row.sentence


def test_a_network_that_is_asked_about_and_has_no_votes_leaves_each_undecided() -> None:
    asked = replace(RATED, over=("DSL", "LTE"))
    found = answers([asked], ratings({"DSL": 1.0}), [], alpha=0.05)
    (row,) = found.hypotheses
    assert (row.outcome, row.unknown) == ("undecided", "LTE")
    assert row.sentence.endswith(" No votes compare these stacks on LTE.")
    assert [effect.network for effect in found.effects] == ["DSL"]
    # as does one whose votes are all about one stack
    votes = [vote for vote in ratings({"DSL": 1.0, "LTE": 1.0}) if (vote.network, vote.stack) != ("LTE", "QUIC")]
    assert [effect.network for effect in answers([asked], votes, [], alpha=0.05).effects] == ["DSL"]
    assert outcome(answers([asked], votes, [], alpha=0.05)) == "undecided"


def test_networks_that_no_plan_names_are_those_with_votes() -> None:
    assert outcome(answers([RATED], ratings({"DSL": 1.0}), [], alpha=0.05)) == "supported"


def test_one_network_that_contradicts_does_so_by_holm() -> None:
    """Its p is below alpha and above half of it: found where each has to be, too little where any of two may be."""
    asked, votes = replace(RATED, margin=None, margin_reason=None), ratings({"DSL": 1.0, "LTE": -0.05})
    lte = next(row for row in answers([asked], votes, [], alpha=0.05).effects if row.network == "LTE")
    assert lte.p_value is not None
    assert lte.estimate < 0
    assert outcome(answers([asked], votes, [], alpha=1.5 * lte.p_value)) == "undecided"
    assert outcome(answers([asked], votes, [], alpha=2.5 * lte.p_value)) == "contradicted"


def test_a_verdict_that_fails_holms_correction_says_so() -> None:
    asked, votes = replace(RATED, margin=None, margin_reason=None), ratings({"DSL": 0.0, "LTE": -0.05})
    rows = answers([asked], votes, [], alpha=0.05).effects
    least = min(row.p_value for row in rows if row.p_value is not None)
    rows = answers([asked], votes, [], alpha=1.5 * least).effects
    (found,) = (row for row in rows if row.p_value == least)
    assert (found.verdict, found.holds_alone) == ("different", "no")
    assert (
        "People see a difference; the plan does not state how large a difference matters. This verdict does not hold "
        "after correction for the number of networks (Holm), so do not quote it without the others."
    ) in found.sentence
    (found,) = (row for row in answers([asked], votes, [], alpha=2.5 * least).effects if row.p_value == least)
    assert (found.verdict, found.holds_alone) == ("different", "yes")
    assert "Holm" not in found.sentence
