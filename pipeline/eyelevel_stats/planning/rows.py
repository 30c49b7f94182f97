"""The tables of simulated studies: verdicts, outcomes, and the smallest difference that is found."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

import numpy as np
from scipy import special

from eyelevel_core.tables import column
from eyelevel_stats.hypotheses.answer import Outcome
from eyelevel_stats.hypotheses.verdict import Judged, Verdict
from eyelevel_stats.rows import shared


@dataclass(frozen=True)
class PowerRow:
    """How often simulated studies come to each verdict on one claim, for one true difference."""

    hypothesis: str = column(*shared.HYPOTHESIS)
    kind: str = column(
        "unit of differences: points of the seven-point scale for rate; share of answers for the second stack "
        "minus share for the first for compare",
    )
    network: str = column("network of the claim; pooled: all networks of the hypothesis together")
    scope: str = column(
        "sites like these: sites are a random sample (5 sites or more, definition E6); otherwise these very sites"
    )
    margin: float | None = column(
        "smallest difference that matters, from the plan; unit as in kind; empty if the plan has none"
    )
    true_difference: float = column("true difference between the stacks in the simulation; unit as in kind")
    studies: int = column("number of simulated studies")
    different: float = column(
        "share of simulated studies with the verdict different (difference not shown to be below the margin)"
    )
    smaller: float = column("share of simulated studies with the verdict different, but smaller than the margin")
    equivalent: float = column("share of simulated studies with the verdict equivalent")
    undecided: float = column(
        "share of simulated studies without a verdict (verdicts) or with an undecided hypothesis (outcomes)"
    )
    median_width: float | None = column(
        "median width of the interval at level 1 - alpha; unit as in kind; empty if no study has an interval"
    )


@dataclass(frozen=True)
class OutcomeRow:
    """How often simulated studies support or contradict a hypothesis, for one true difference on all its networks."""

    hypothesis: str = column(*shared.HYPOTHESIS)
    true_difference: float = column("true difference between the stacks in the simulation; unit as in kind")
    studies: int = column("number of simulated studies")
    supported: float = column("share of simulated studies that support the hypothesis")
    contradicted: float = column("share of simulated studies that contradict the hypothesis")
    undecided: float = column(
        "share of simulated studies without a verdict (verdicts) or with an undecided hypothesis (outcomes)"
    )


@dataclass(frozen=True)
class SmallestRow:
    """The smallest true difference that a claim's interval excludes 0 for, with the power of the plan.

    None where the largest simulated difference is not found so often; `largest` is that one.
    """

    hypothesis: str = column(*shared.HYPOTHESIS)
    network: str = column("network of the claim; pooled: all networks of the hypothesis together")
    power: float = column("power of the plan: share of studies that find the smallest difference", shown="share")
    smallest: float | None = column(
        "smallest true difference found with this power, interpolated between simulated differences; empty if it "
        "exceeds the largest simulated difference",
    )
    largest: float = column("largest simulated true difference")


def verdict_shares(judged: Sequence[Judged], studies: int) -> dict[str, float]:
    """Share of each verdict; a study whose votes have no effect is undecided."""
    shares = {
        name: sum(judgement.verdict is verdict for judgement in judged) / studies
        for name, verdict in (
            ("different", Verdict.DIFFERENT),
            ("smaller", Verdict.SMALLER),
            ("equivalent", Verdict.EQUIVALENT),
        )
    }
    return shares | {"undecided": _rest(shares, studies)}


def outcome_shares(outcomes: Sequence[Outcome], studies: int) -> dict[str, float]:
    """Share of each outcome; a study without any effect leaves the hypothesis undecided."""
    shares = {
        name: outcomes.count(outcome) / studies
        for name, outcome in (("supported", Outcome.SUPPORTED), ("contradicted", Outcome.CONTRADICTED))
    }
    return shares | {"undecided": _rest(shares, studies)}


def _rest(shares: dict[str, float], studies: int) -> float:
    """What is left of 1, in whole studies."""
    return (studies - round(sum(shares.values()) * studies)) / studies


def median_width(judged: Sequence[Judged]) -> float | None:
    widths = [
        judgement.interval.high - judgement.interval.low for judgement in judged if judgement.interval is not None
    ]
    return median(widths) if widths else None


def smallest_row(rows: Sequence[PowerRow], power: float) -> SmallestRow:
    """From the rows of one claim, in the order of their true differences.

    Power is interpolated as its normal quantile, linearly in the difference: the power of a test with a normal estimate
    and a known variance is Phi(|D| / se - z), whose quantile is linear in |D| but for findings in the wrong direction.
    Shares of 0 and 1 have no quantile and count as half a study away from it.
    """
    quantiles = [_quantile(row.different + row.smaller, row.studies) for row in rows]
    sizes = [abs(row.true_difference) for row in rows]
    wanted = float(special.ndtri(power))
    smallest = None
    for (low, below), (high, above) in pairwise(zip(sizes, quantiles, strict=True)):
        if below < wanted <= above:
            smallest = float(np.interp(wanted, [below, above], [low, high]))
            break
    return SmallestRow(rows[0].hypothesis, rows[0].network, power, smallest, sizes[-1])


def _quantile(share: float, studies: int) -> float:
    half = 0.5 / studies
    return float(special.ndtri(min(max(share, half), 1 - half)))
