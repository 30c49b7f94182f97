"""Power of a plan by simulated studies, which are analysed like real ones (definition E13).

For each hypothesis about stacks and each true difference of none, half the margin, the margin and twice the margin:
the share of each verdict, and the median width of the interval. The analysis is that of `eyelevel_stats.hypotheses`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from eyelevel_core.study.design import Hypothesis, Plan
from eyelevel_stats.hypotheses.answer import Outcome, outcome_of
from eyelevel_stats.hypotheses.claims import comparisons_about, ratings_about
from eyelevel_stats.hypotheses.estimand import Effect
from eyelevel_stats.hypotheses.verdict import Judged, judge
from eyelevel_stats.observations import Comparison, Rating
from eyelevel_stats.planning.asked import Asked, Claim, asked_about
from eyelevel_stats.planning.generator import Drawn, draw, shift_for_sites_like_these, shift_for_these_sites
from eyelevel_stats.planning.latent import Floats, Latent
from eyelevel_stats.planning.rows import (
    OutcomeRow,
    PowerRow,
    SmallestRow,
    median_width,
    outcome_shares,
    smallest_row,
    verdict_shares,
)

STUDIES = 2000
# simulated studies with the same people missing; they share what depends on the design alone
PER_DESIGN = 50
# of the margin
MULTIPLES = (0.0, 0.5, 1.0, 2.0)
# where the plan states no margin: half a step of the scale, and 15 of 100 comparisons
ASSUMED_MARGIN = {"rate": 0.5, "compare": 0.15}
# the largest difference to simulate: 0.9 of the largest that answers can have
LARGEST = {"rate": 0.9 * 6, "compare": 0.9 * 1}


@dataclass(frozen=True)
class Power:
    """One row per claim and true difference, one per hypothesis and true difference, and one per claim."""

    verdicts: tuple[PowerRow, ...]
    outcomes: tuple[OutcomeRow, ...]
    smallest: tuple[SmallestRow, ...]


@dataclass(frozen=True)
class Assumptions:
    """Models of simulated votes; `unfilled` is the share of participants whose votes are missing at the end.

    They dropped out or were excluded, and nobody took their assignment.
    """

    ratings: Latent
    comparisons: Latent
    unfilled: float


def power(
    plan: Plan,
    ratings: Sequence[Rating],
    comparisons: Sequence[Comparison],
    *,
    assumptions: Assumptions,
    studies: int = STUDIES,
    seed: int,
    advance: Callable[[int], None] = lambda _: None,
) -> Power:
    """Simulates studies for each hypothesis of the plan about two stacks.

    `ratings` and `comparisons` are the planned votes; their answers are ignored.

    Hypotheses that nobody is asked about are left out. `advance` is called with the number of further simulated
    studies. Raise ValueError where `studies` is below 1, or `unfilled` is not a share below 1.
    """
    if studies < 1 or not 0 <= assumptions.unfilled < 1:
        raise ValueError(f"Got {studies} studies with {assumptions.unfilled} of their participants missing.")
    rows: list[PowerRow] = []
    outcomes: list[OutcomeRow] = []
    smallest: list[SmallestRow] = []
    for number, hypothesis in enumerate(plan.hypotheses):
        own_ratings = ratings_about(hypothesis, ratings)
        own_comparisons = comparisons_about(hypothesis, comparisons)
        people = sorted({vote.participant for vote in own_ratings} | {vote.participant for vote in own_comparisons})
        if not people:
            continue
        simulated = _Simulated(hypothesis, plan.alpha, assumptions)
        rng = np.random.default_rng([seed, number])
        for start in range(0, studies, PER_DESIGN):
            few = min(PER_DESIGN, studies - start)
            missing = set(rng.choice(people, round(assumptions.unfilled * len(people)), replace=False))
            asked = asked_about(
                hypothesis,
                [vote for vote in own_ratings if vote.participant not in missing],
                [vote for vote in own_comparisons if vote.participant not in missing],
            )
            simulated.add(asked, few, rng)
            advance(few)
        for power_rows in simulated.rows():
            rows += power_rows
            smallest.append(smallest_row(power_rows, plan.power))
        outcomes += simulated.outcomes()
    return Power(tuple(rows), tuple(outcomes), tuple(smallest))


def differences(hypothesis: Hypothesis) -> list[float]:
    """The true differences to simulate, in the hypothesis's own direction, as far as the answers can differ so much."""
    kind = str(hypothesis.kind)
    margin = ASSUMED_MARGIN[kind] if hypothesis.margin is None else hypothesis.margin
    sign = -1 if hypothesis.expects == "lower" else 1
    # plus 0, so that none is -0
    return [sign * multiple * margin + 0.0 for multiple in MULTIPLES if multiple * margin <= LARGEST[kind]]


class _Simulated:
    """Verdicts and outcomes of one hypothesis, over many simulated studies."""

    def __init__(self, hypothesis: Hypothesis, alpha: float, assumptions: Assumptions) -> None:
        self._hypothesis, self._alpha = hypothesis, alpha
        self._model = assumptions.ratings if hypothesis.kind == "rate" else assumptions.comparisons
        self._differences = differences(hypothesis)
        self._studies = 0
        self._like_these: dict[str, bool] = {}
        self._judged: dict[tuple[str, float], list[Judged]] = {}
        self._outcomes: dict[float, list[Outcome]] = {difference: [] for difference in self._differences}

    def add(self, asked: Asked | None, studies: int, rng: np.random.Generator) -> None:
        """Simulate further studies of one design; None where nobody is left in it."""
        self._studies += studies
        if asked is None:
            return
        drawn = draw(asked, self._model, studies=studies, rng=rng)
        for difference in self._differences:
            effects: list[list[Effect | None]] = [[None] * asked.unknown for _ in range(studies)]
            for claim in asked.claims:
                shift = self._shift(difference, asked, drawn, claim)
                answers = self._model.answers(drawn.latent[claim.rows] + asked.arm[claim.rows, None] * shift)
                self._like_these.setdefault(claim.network, claim.contrast.like_these)
                for study, effect in enumerate(claim.contrast.effects(answers)):
                    judged = judge(effect, margin=self._hypothesis.margin, alpha=self._alpha)
                    self._judged.setdefault((claim.network, difference), []).append(judged)
                    effects[study].append(effect)
            self._outcomes[difference] += [
                outcome_of(self._hypothesis, of_study, alpha=self._alpha) for of_study in effects
            ]

    def _shift(self, difference: float, asked: Asked, drawn: Drawn, claim: Claim) -> float | Floats:
        if claim.contrast.like_these:
            return shift_for_sites_like_these(difference, self._model, float(asked.arm.max()))
        return shift_for_these_sites(difference, self._model, asked, drawn, claim)

    def rows(self) -> Iterator[list[PowerRow]]:
        """One list per claim, in the order of the differences."""
        for network, like_these in self._like_these.items():
            yield [
                PowerRow(
                    hypothesis=self._hypothesis.key,
                    kind=str(self._hypothesis.kind),
                    network=network,
                    scope="sites like these" if like_these else "these very sites",
                    margin=self._hypothesis.margin,
                    true_difference=difference,
                    studies=self._studies,
                    **verdict_shares(self._judged[network, difference], self._studies),
                    median_width=median_width(self._judged[network, difference]),
                )
                for difference in self._differences
            ]

    def outcomes(self) -> Iterator[OutcomeRow]:
        """One row per difference."""
        for difference, outcomes in self._outcomes.items():
            shares = outcome_shares(outcomes, self._studies)
            yield OutcomeRow(self._hypothesis.key, difference, self._studies, **shares)
