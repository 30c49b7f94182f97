"""Every combination of rules is answered, as if the study had excluded by it."""

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import pytest

from eyelevel_core.study.design import Hypothesis
from eyelevel_stats import multiverse as module
from eyelevel_stats.hypotheses.answer import answers, answers_of
from eyelevel_stats.multiverse import multiverse
from eyelevel_stats.observations import Comparison, Rating

RATED = Hypothesis(
    "H2", "QUIC is rated higher.", "rate", pair=("TCP+", "QUIC"), networks="each", expects="higher", margin=0.5,
    margin_reason="half a step",
)  # fmt: skip
CHOSEN = Hypothesis(
    "H1", "QUIC is chosen.", "compare", pair=("TCP+", "QUIC"), networks="pooled", expects="higher", margin=0.2,
    margin_reason="one in five",
)  # fmt: skip
METRICS = Hypothesis("H3", "SI agrees best.", "metrics", metric="si")
RULES = ["R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "R9"]


def rated(people: Collection[str], effect: float) -> list[Rating]:
    """Everyone rates two sites on one network; the effect differs a little between people."""
    return [
        Rating(person, site, "DSL", stack, "work", f"{site}{stack}", 4 + (stack == "QUIC") * (effect + 0.1 * (n % 2)))
        for n, person in enumerate(sorted(people))
        for site in ("a", "b")
        for stack in ("TCP+", "QUIC")
    ]


def careful_and_careless() -> tuple[dict[str, set[str]], list[Rating]]:
    """Twenty see QUIC a point ahead; ten, who looked away and were too fast, see it 1.5 points behind."""
    careful, careless = [f"c{n:02}" for n in range(20)], [f"x{n:02}" for n in range(10)]
    broken: dict[str, set[str]] = {name: set() for name in careful} | {name: {"R3", "R9"} for name in careless}
    return broken, rated(careful, 1.0) + rated(careless, -1.5)


def drawn(seed: int) -> tuple[dict[str, set[str]], list[Rating], list[Comparison]]:
    rng = np.random.default_rng(seed)
    people = [f"p{number:02}" for number in range(25)]
    broken = {person: {rule for rule in RULES if rng.random() < 0.06} for person in people}
    votes, pairs = [], []
    for person in people:
        for site in ("a", "b", "c"):
            for network in ("DSL", "LTE"):
                choices: Any = ("left", "right", "none")
                choice = choices[rng.integers(3)]
                pairs.append(Comparison(person, site, network, "QUIC", "TCP+", "work", choice))
                for stack in ("QUIC", "TCP+"):
                    score = float(rng.integers(1, 8))
                    votes.append(Rating(person, site, network, stack, "work", site + network + stack, score))
    return broken, votes, pairs


def test_there_is_a_cell_for_each_subset_without_and_with_the_newer_rules() -> None:
    broken, votes = careful_and_careless()
    rows = multiverse(broken, votes, [], [RATED], plan_rules=RULES, alpha=0.05).cells
    assert len({(row.rules, row.newer) for row in rows}) == len(rows) == 256
    assert [(row.rules, row.newer) for row in rows[:3]] == [("none", "no"), ("R1", "no"), ("R2", "no")]
    assert (rows[127].rules, rows[127].newer) == ("R1 R2 R3 R4 R5 R6 R7", "no")
    assert (rows[128].rules, rows[128].newer) == ("none", "yes")


def test_an_effect_depends_on_whether_a_cell_excludes_the_careless() -> None:
    broken, votes = careful_and_careless()
    found = multiverse(broken, votes, [], [RATED], plan_rules=["R1", "R3"], alpha=0.05)
    cells = {(row.rules, row.newer): row for row in found.cells}
    # 20 people 1.0 or 1.1, and 10 people -1.5 or -1.4
    assert cells["none", "no"].estimate == pytest.approx((20 * 1.05 - 10 * 1.45) / 30)
    assert cells["R1 R2", "no"].sessions == 30
    for key in (("R3", "no"), ("none", "yes"), ("R1 R3", "yes")):
        assert cells[key].estimate == pytest.approx(1.05)
        assert (cells[key].sessions, cells[key].verdict) == (20, "different")
    (row,) = found.summary
    assert (row.hypothesis, row.network, row.cells, row.session_sets, row.answered) == ("H2", "DSL", 256, 2, 256)
    assert (row.least_estimate, row.greatest_estimate) == pytest.approx((6.5 / 30, 1.05))
    assert row.plan_estimate == pytest.approx(1.05)
    # half of the subsets have R3, all have R9 with the newer rules; with everyone the interval contains 0
    assert cells["none", "no"].verdict == "undecided"
    assert (row.plan_verdict, row.same_verdict, row.share_same_verdict) == ("different", 192, 0.75)


@pytest.mark.parametrize("seed", [1, 2])
def test_each_cell_is_what_its_sessions_alone_would_give(seed: int) -> None:
    broken, votes, pairs = drawn(seed)
    hypotheses = [RATED, CHOSEN, METRICS]
    found = multiverse(broken, votes[::-1], pairs, hypotheses, plan_rules=["R2", "R8"], alpha=0.1)
    assert len(found.cells) == 256 * 3
    for row in found.cells[:: 3 * 7]:
        rules = set(row.rules.split()) | ({"R8", "R9"} if row.newer == "yes" else set())
        used = {person for person, broken_rules in broken.items() if not broken_rules & rules}
        assert row.sessions == len(used)
        alone = answers(
            hypotheses,
            sorted(vote for vote in votes if vote.participant in used),
            sorted(vote for vote in pairs if vote.participant in used),
            alpha=0.1,
        )
        effects = {(fitted.hypothesis, fitted.network): fitted for fitted in alone.effects}
        for other in found.cells:
            if (other.rules, other.newer) == (row.rules, row.newer):
                effect = effects[other.hypothesis, other.network]
                assert (other.estimate, other.ci_low, other.ci_high, other.verdict) == (
                    effect.estimate,
                    effect.ci_low,
                    effect.ci_high,
                    effect.verdict,
                )
    for summary in found.summary:
        cells = [row for row in found.cells if (row.hypothesis, row.network) == (summary.hypothesis, summary.network)]
        assert summary.same_verdict == sum(row.verdict == summary.plan_verdict for row in cells)
    assert [(row.hypothesis, row.network) for row in found.summary] == [
        ("H2", "DSL"), ("H2", "LTE"), ("H1", "pooled"),
    ]  # fmt: skip


def test_the_plans_own_rules_need_not_be_a_cell() -> None:
    # R8 alone is no cell, as the newer rules go together
    broken, votes = careful_and_careless()
    broken |= {"c00": {"R8"}, "c01": {"R9"}}
    (row,) = multiverse(broken, votes, [], [RATED], plan_rules=["R8"], alpha=0.05).summary
    assert row.plan_rules == "R8"
    expected = answers([RATED], sorted(v for v in votes if v.participant != "c00"), [], alpha=0.05).effects[0]
    assert (row.plan_estimate, row.plan_verdict) == (expected.estimate, expected.verdict)


def test_the_same_sessions_are_answered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    broken, votes = careful_and_careless()
    asked: list[int] = []

    def counted(claims: Any, *, alpha: float) -> Any:
        asked.extend(len(votes.values) for claim in claims for _, votes in claim.votes)
        return answers_of(claims, alpha=alpha)

    monkeypatch.setattr(module, "answers_of", counted)
    multiverse(broken, votes, [], [RATED], plan_rules=["R3"], alpha=0.05)
    assert sorted(asked) == [80, 120]


def test_a_cell_without_votes_has_no_estimate_and_does_not_agree() -> None:
    broken: Mapping[str, set[str]] = {f"p{n}": {"R1"} for n in range(4)}
    found = multiverse(broken, rated(broken, 1.0), [], [RATED], plan_rules=["R2"], alpha=0.05)
    row = next(row for row in found.cells if row.rules == "R1")
    assert (row.sessions, row.estimate, row.ci_low, row.ci_high, row.verdict) == (0, None, None, None, None)
    (summary,) = found.summary
    assert (summary.answered, summary.same_verdict, summary.share_same_verdict) == (128, 128, 0.5)
    (other,) = multiverse(broken, rated(broken, 1.0), [], [RATED], plan_rules=["R1"], alpha=0.05).summary
    assert (other.plan_estimate, other.plan_verdict, other.same_verdict, other.share_same_verdict) == (None,) * 4


def test_unknown_rules_and_sessions_are_refused() -> None:
    with pytest.raises(ValueError, match="Unknown rules: R10, nothing_rated; known are R1, R2"):
        multiverse({"p": {"nothing_rated"}}, [], [], [RATED], plan_rules=["R10"], alpha=0.05)
    with pytest.raises(ValueError, match="2 sessions have votes but no findings, the first is q1"):
        multiverse({"p": set()}, rated(["q1", "q2"], 1.0), [], [RATED], plan_rules=[], alpha=0.05)


def test_without_votes_there_are_no_rows() -> None:
    found = multiverse({}, [], [], [RATED], plan_rules=RULES, alpha=0.05)
    assert (found.cells, found.summary) == ((), ())
