"""Differences between metrics in their rank correlation with MOS, and the set of the best metrics (definition E10).

theta of a metric is Spearman's coefficient with MOS, with the sign by which 1 is full agreement. Values are centred
within site and network, or within network where nothing can be centred within sites. Intervals are percentiles of the
two-way bootstrap over participants and sites (E8), over participants and clips where sites are unknown.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations

import numpy as np

from eyelevel_stats.agreement.clip_scores import ClipVote, Floats, Metrics, clip_scores, own_scores
from eyelevel_stats.agreement.compared import Agreement, Field, field_of
from eyelevel_stats.agreement.dependent import meng, zou
from eyelevel_stats.agreement.scope import by_network, site_count, sites_known
from eyelevel_stats.agreement.shares import ends
from eyelevel_stats.bootstrap import DRAWS, percentile_interval
from eyelevel_stats.correlation import ROUNDING
from eyelevel_stats.intervals import CONFIDENCE
from eyelevel_stats.reasons import Reason, worded
from eyelevel_stats.rows.metrics import NO, YES, BestRow, DifferenceRow


class Support(StrEnum):
    """The verdict of a best set on the claim that one metric agrees best with people."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class BestSet:
    """The metrics that may agree best with people on one network; `names` is None, with a reason, without a set.

    The set contains the metric that agrees best in truth in at least 95 % of studies. `rows` has every metric,
    `differences` every pair of compared ones, in the order in which the metrics were given; `reasons` has those of the
    metrics that are not compared. Where participants are too few to be drawn, as in a table of means, there is no set,
    but metrics are compared by Meng's test.
    """

    network: str
    names: tuple[str, ...] | None
    why: Reason | None
    rows: tuple[BestRow, ...]
    reasons: Mapping[str, Reason]
    differences: tuple[DifferenceRow, ...] = ()

    def support(self, metric: str) -> Support:
        """Returns the verdict on "this metric agrees best"; undecided also without a set, or without this metric."""
        compared = any(row.metric == metric and row.best is not None for row in self.rows)
        if self.names is None or not compared:
            return Support.UNDECIDED
        if metric not in self.names:
            return Support.CONTRADICTED
        return Support.SUPPORTED if self.names == (metric,) else Support.UNDECIDED


def best_sets(
    votes: Iterable[ClipVote],
    metrics: Metrics,
    *,
    higher_is_better: Collection[str] = (),
    seed: int = 0,
    draws: int = DRAWS,
) -> tuple[BestSet, ...]:
    """Computes a set for all networks together, then for each if there are several.

    Smaller values of metrics are better, except of those in `higher_is_better`. Needs 10 clips, 8 sites where they are
    known, and 2 metrics; sets and intervals need 2 participants. The same seed gives the same draws.
    """
    all_votes = tuple(votes)
    clips = clip_scores(all_votes)
    _, scores = own_scores(all_votes)
    signed = {
        name: {clip: value if value is None or name in higher_is_better else -value for clip, value in values.items()}
        for name, values in metrics.items()
    }
    known = sites_known(clips)
    sets = []
    for network, network_clips in by_network(clips):
        field = field_of(network_clips, scores, signed, known=known)
        sites = site_count(field.clips) if known else None
        if field.why is None:
            sets.append(_best_set(network, field, sites, Agreement(field, scores, known=known, seed=seed, draws=draws)))
        else:
            reasons = {name: field.excluded.get(name, field.why) for name in metrics}
            rows = tuple(_row(network, name, field, sites, why=why) for name, why in reasons.items())
            sets.append(BestSet(network, None, field.why, rows, reasons))
    return tuple(sets)


def critical_values(theta: Floats, drawn: Floats) -> tuple[Floats, Floats]:
    """Computes the distance of each metric from the best, in standard errors, and its critical value; shape (metrics,).

    Of metric m, the largest (theta_m' - theta_m) / se over all m', and the 95 % quantile of the same largest value over
    draws of shape (draws, metrics), in which each difference is taken from the observed one. J. C. Hsu, Multiple
    comparisons (1996), chapter 4 (comparison with the best), by bootstrap.
    """
    behind, critical = np.zeros(len(theta)), np.zeros(len(theta))
    for m in range(len(theta)):
        differences = drawn - drawn[:, [m]]
        se = differences.std(axis=0, ddof=1)
        varies = se > ROUNDING
        observed = theta - theta[m]
        # without a standard error there is no difference in any draw
        scaled = np.divide(observed, se, out=np.where(observed > ROUNDING, np.inf, 0.0), where=varies)
        moved = np.divide(differences - observed, se, out=np.zeros(drawn.shape), where=varies)
        behind[m], critical[m] = scaled.max(), np.quantile(moved.max(axis=1), CONFIDENCE)
    return behind, critical


def _best_set(network: str, field: Field, sites: int | None, agreement: Agreement) -> BestSet:
    compared = {
        name: replace(
            _row(network, name, field, sites, why=field.why_no_draws),
            within=field.within,
            theta=float(agreement.theta[m]),
            theta_network=float(agreement.network[m]),
        )
        for m, name in enumerate(field.values)
    }
    if agreement.drawn is not None:
        compared = dict(zip(compared, _with_draws(compared.values(), agreement.theta, agreement.drawn), strict=True))
    excluded = {name: _row(network, name, field, sites, why=why) for name, why in field.excluded.items()}
    rows = compared | excluded
    names = tuple(name for name, row in compared.items() if row.best == YES)
    return BestSet(
        network=network,
        names=None if agreement.drawn is None else names,
        why=field.why_no_draws,
        rows=tuple(rows[name] for name in field.metrics),
        reasons=field.excluded,
        differences=_differences(network, field, agreement),
    )


def _with_draws(rows: Iterable[BestRow], theta: Floats, drawn: Floats) -> Iterator[BestRow]:
    """Adds to the rows their intervals, and whether each metric may be the best."""
    behind, critical = critical_values(theta, drawn)
    for m, row in enumerate(rows):
        low, high = ends(percentile_interval(drawn[:, m]))
        yield replace(
            row,
            ci_low=low,
            ci_high=high,
            behind=float(behind[m]) if np.isfinite(behind[m]) else None,
            critical=float(critical[m]),
            best=YES if behind[m] <= critical[m] else NO,
        )


def _row(network: str, metric: str, field: Field, sites: int | None, *, why: Reason | None) -> BestRow:
    return BestRow(network, metric, len(field.clips), sites, field.participants, why=worded(why))


def _differences(network: str, field: Field, agreement: Agreement) -> tuple[DifferenceRow, ...]:
    theta, rows = agreement.theta.tolist(), []
    for (a, first), (b, second) in combinations(enumerate(field.values), 2):
        between, points = agreement.between[a][b], agreement.points
        drawn = agreement.drawn
        low, high = ends(None if drawn is None else percentile_interval(drawn[:, a] - drawn[:, b]))
        test = meng(theta[a], theta[b], between, points)
        zou_low, zou_high = ends(zou(theta[a], theta[b], between, points))
        rows.append(
            DifferenceRow(
                network=network,
                metric_a=first,
                metric_b=second,
                clips=len(field.clips),
                difference=theta[a] - theta[b],
                ci_low=low,
                ci_high=high,
                meng_z=None if test is None else test.z,
                meng_p=None if test is None else test.p_value,
                zou_low=zou_low,
                zou_high=zou_high,
            )
        )
    return tuple(rows)
