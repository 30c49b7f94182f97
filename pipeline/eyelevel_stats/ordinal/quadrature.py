"""Log likelihood of a cumulative link model with one random intercept, by adaptive Gauss-Hermite quadrature.

The nodes of each group are centred at its mode and scaled by its curvature (Q. Liu, D. A. Pierce, A note on
Gauss-Hermite quadrature, Biometrika 81, 1994). With one node this is the Laplace approximation.
"""

from collections.abc import Callable

import numpy as np
from scipy import special

from eyelevel_stats.ordinal.laplace import Laplace
from eyelevel_stats.ordinal.links import Floats, log_probability, slopes
from eyelevel_stats.ordinal.problem import Problem

# two more nodes change the log likelihood of the wine data by less than 1e-9
NODES = 25
LEAST_NODES = 7


def quadrature(problem: Problem, nodes: int = NODES) -> Callable[[Floats], tuple[float, Floats]]:
    """The log likelihood and its gradient as a function of the parameter vector.

    The gradient is that of the integral, which the nodes' weights approximate as well as the integral itself.

    Raise ValueError where the problem has other random effects than one intercept, or nodes are fewer than 7.
    """
    if len(problem.terms) != 1 or problem.terms[0].width != 1:
        raise ValueError("Quadrature takes one random intercept; use the Laplace approximation for other models.")
    if nodes < LEAST_NODES:
        raise ValueError(f"{nodes} nodes are too few for quadrature; take {LEAST_NODES} or more.")
    term, laplace = problem.terms[0], Laplace(problem)
    at, weights = special.roots_hermite(nodes)
    log_weights = np.log(weights) + at**2 - np.log(np.pi) / 2

    def log_likelihood(vector: Floats) -> tuple[float, Floats]:
        mode = laplace.mode(vector)
        thresholds, fixed = np.split(vector[: problem.fixed], [problem.thresholds])
        predictor, scaled = problem.predictors @ fixed, mode.scaled[:, 0]
        variance = mode.curvature.inverse[:, 0, 0]
        effects = mode.blocks + np.sqrt(2 * variance)[:, None] * at
        bounds = [problem.bounds(thresholds, predictor + scaled * of_node[term.of]) for of_node in effects.T]
        inner = [np.bincount(term.of, log_probability(problem.link, *both), term.count) for both in bounds]
        logs = np.array(inner).T - effects**2 / 2 + log_weights
        whole = special.logsumexp(logs, axis=1)
        gradient = np.zeros(problem.size)
        for of_node, both, share in zip(effects.T, bounds, np.exp(logs - whole[:, None]).T, strict=True):
            derivatives, weight = slopes(problem.link, *both), share[term.of]
            score = weight * derivatives.score
            by_factor = score @ (term.columns[:, 0] * of_node[term.of])
            by_threshold = problem.by_threshold(weight * derivatives.upper[0], weight * derivatives.lower[0])
            gradient += np.concatenate([by_threshold, problem.predictors.T @ score, [by_factor]])
        return float(np.sum(whole + np.log(variance) / 2)), gradient

    return log_likelihood
