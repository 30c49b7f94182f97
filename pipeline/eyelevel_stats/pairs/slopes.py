"""Answers about pairs as a function of the ratio of both sides' Speed Indexes (definition E12).

P(left) : P(none) : P(right) = exp((b x + s) / 2) : nu : exp(-(b x + s) / 2) with x = ln(SI_right / SI_left), so that
b > 0 where the faster side is chosen. s is the side bias, nu the parameter of ties. Intervals are Student's t over
participants, with the sandwich covariance clustered by participant (see `likelihood.Fit`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, sqrt

import numpy as np
from scipy import special

from eyelevel_stats.intervals import CONFIDENCE, Interval
from eyelevel_stats.pairs.likelihood import Fit, NoFit, fit
from eyelevel_stats.pairs.observations import PairVote
from eyelevel_stats.reasons import Reason, worded
from eyelevel_stats.rows.comparisons import SlopeRow
from eyelevel_stats.rows.words import POOLED


@dataclass(frozen=True)
class Slope:
    """The fit of one network's votes, or of all together; its parameters are b, s if `sided`, and ln nu."""

    network: str
    n: int
    unknown: int
    participants: int
    ratios: Interval | None
    fit: Fit | NoFit
    sided: bool

    @property
    def why(self) -> Reason | None:
        """Why there is no estimate; None where there is one."""
        if isinstance(self.fit, Fit):
            return None
        if not self.n:
            return Reason("no_pair_with_si")
        if self.fit.direction is None:
            return Reason("all_none")
        return Reason("separated")

    def interval(self, parameter: int) -> Interval | None:
        """The 95 % interval of a parameter; None without an estimate, or with too few participants."""
        if isinstance(self.fit, NoFit) or self.fit.clustered is None:
            return None
        half = quantile(self.fit) * sqrt(self.fit.clustered[parameter, parameter])
        centre = float(self.fit.values[parameter])
        return Interval(centre - half, centre + half)


def slopes(votes: Sequence[PairVote], *, side_bias: bool = True) -> tuple[Slope, ...]:
    """One per network, sorted; then, of several networks, one of all votes. Without `side_bias`, it is taken as 0."""
    networks = sorted({vote.network for vote in votes})
    by_network = [(network, [vote for vote in votes if vote.network == network]) for network in networks]
    if len(networks) > 1:
        by_network.append((POOLED, list(votes)))
    return tuple(_slope(network, about, side_bias=side_bias) for network, about in by_network)


def slope_rows(slopes: Sequence[Slope]) -> tuple[SlopeRow, ...]:
    """A row per fit, in their order."""
    return tuple(_row(slope) for slope in slopes)


def quantile(fit: Fit) -> float:
    """The quantile of Student's t for 95 % intervals over participants."""
    return float(special.stdtrit(fit.participants - 1, (1 + CONFIDENCE) / 2))


def _slope(network: str, votes: Sequence[PairVote], *, side_bias: bool) -> Slope:
    pairs = [(vote, x) for vote in votes if (x := _log_ratio(vote)) is not None]
    people = [vote.participant for vote, _ in pairs]
    logs = np.array([value for _, value in pairs])
    different, of = np.unique(logs, return_inverse=True)
    sided = np.column_stack([different, np.ones(len(different))])
    both = side_bias and bool(pairs) and bool(np.linalg.matrix_rank(sided) == 2)
    fitted = fit(sided if both else different[:, None], [vote.choice for vote, _ in pairs], people, of=of)
    ratios = Interval(exp(np.abs(logs).min()), exp(np.abs(logs).max())) if pairs else None
    return Slope(network, len(pairs), len(votes) - len(pairs), len(set(people)), ratios, fitted, both)


def _log_ratio(vote: PairVote) -> float | None:
    left, right = vote.left_si_ms, vote.right_si_ms
    if left is None or right is None or min(left, right) <= 0:
        return None
    return log(right / left)


def _row(fitted: Slope) -> SlopeRow:
    slope, bias = fitted.interval(0), fitted.interval(1) if fitted.sided else None
    fit = fitted.fit if isinstance(fitted.fit, Fit) else None
    return SlopeRow(
        network=fitted.network,
        n=fitted.n,
        unknown=fitted.unknown,
        participants=fitted.participants,
        least_ratio=None if fitted.ratios is None else fitted.ratios.low,
        greatest_ratio=None if fitted.ratios is None else fitted.ratios.high,
        slope=None if fit is None else float(fit.values[0]),
        slope_ci_low=None if slope is None else slope.low,
        slope_ci_high=None if slope is None else slope.high,
        side_bias=float(fit.values[1]) if fit is not None and fitted.sided else None,
        side_bias_ci_low=None if bias is None else bias.low,
        side_bias_ci_high=None if bias is None else bias.high,
        nu=None if fit is None else fit.nu,
        log_likelihood=None if fit is None else fit.log_likelihood,
        why=worded(fitted.why),
    )
