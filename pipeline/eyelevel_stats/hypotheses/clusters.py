"""Clustered variances, corrected for the share that fixed effects absorb.

Effects of participants and cells are fitted. Unless they lie within clusters, they absorb a share of the variance
between clusters. Where participants rate clips of n sites, their effects absorb 1 / n of the noise of single votes, and
1 / n of the *size* of a site's contribution to the difference between the stacks. Of a clustered variance B + N, B
between clusters and N the noise, the remainder is

    B (1 - share)^2 + N (1 - share)

The share follows from the design alone (`absorbed`). N is known from single votes (groups of votes of one participant
on one site), where B is 0. The usual factors for small samples count parameters (A. C. Cameron, D. L. Miller, A
practitioner's guide to cluster-robust inference, Journal of Human Resources 50, 2015), and restore only N. The bench
coverage_verdicts prints the coverage of the intervals.
"""

import numpy as np

from eyelevel_stats.hypotheses.groups import Floats, Groups

# The share is a sum over both fixed effects, as if they were orthogonal; near 1 this is inaccurate.
MOST = 0.9


def clustered(shares: Floats, groups: Groups) -> Floats:
    """Computes variances of estimates whose votes are independent between groups, with the factor G / (G - 1).

    `shares` are votes x sets of answers: the influence of each vote on the estimate.
    """
    variances: Floats = np.sum(groups.sums(shares) ** 2, axis=0) * groups.count / (groups.count - 1)
    return variances


def absorbed(moves: Floats, weights: Floats, effects: Groups, clusters: Groups) -> float:
    """Computes the share of a clustered variance's noise that one kind of fixed effect absorbs; 0 if it lies within.

    `moves` is the influence of one point more in each vote on the estimate. With the residual r = y - mean over the
    effect's group (weighted), the expected sum over clusters of (sum of moves * r)^2, for independent noise of variance
    1, is the sum of moves^2 less this share of it.
    """
    both = effects.crossed(clusters)
    effect = np.zeros(both.count, np.intp)
    effect[both.of] = effects.of
    moved, crossed = both.sums(moves), both.sums(weights * moves)
    whole, squares = effects.sums(weights)[effect], effects.sums(weights**2)[effect]
    return float(np.sum(2 * moved * crossed / whole - moved**2 * squares / whole**2) / np.sum(moves**2))


def noise_of(variances: Floats, share: float) -> Floats:
    """Computes the variance due to single votes, of which the fixed effects have absorbed this share."""
    return variances / (1 - min(share, MOST))


def restored(variances: Floats, noise: Floats, share: float) -> Floats:
    """Computes B + N of a clustered variance of which fixed effects absorbed this share; at least `variances`."""
    left = 1 - min(share, MOST)
    restored_variances: Floats = np.maximum(variances, variances / left**2 - noise * (1 - left) / left)
    return restored_variances
