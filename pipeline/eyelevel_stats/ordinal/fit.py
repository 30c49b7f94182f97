"""Maximum likelihood estimates of cumulative link models, with their observed information."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

from eyelevel_stats.ordinal.estimates import Fit, singular, variations
from eyelevel_stats.ordinal.links import Floats, quantile
from eyelevel_stats.ordinal.problem import Problem

# log likelihood and its gradient at a parameter vector
LogLikelihood = Callable[[Floats], tuple[float, Floats]]
# called with the number of the iteration and the log likelihood
Progress = Callable[[int, float], None]

MAX_ITERATIONS = 300
POLISHING_STEPS = 8
CHORD_STEPS = 5
RESTARTS = 3
NUDGE = 0.2
# expected gain of log likelihood by another step of Newton's method, below which the maximum is found
TOLERANCE = 1e-6
# the same, where further steps change nothing but the last digits
ROUNDING = 1e-12
# for differences of the gradient; predictors are standardised
STEP = 1e-4
# relative to the largest, an eigenvalue of the information below which a direction is flat
FLAT = 1e-7
# no estimate of a standardised problem is as large, but where a predictor separates the scores
LARGEST = 30.0
# the least distance between two thresholds: below, rounding decides the probability of the score between them
CLOSEST = 1e-8


def maximise(
    problem: Problem,
    scores: tuple[int, ...],
    log_likelihood_of: Callable[[Problem], LogLikelihood],
    progress: Progress | None = None,
) -> Fit:
    """BFGS on thresholds, coefficients and Cholesky factors; then Newton's method with the observed information.

    Raise ValueError where a predictor is constant.
    """
    standard, back = _standardised(problem)
    log_likelihood = log_likelihood_of(standard)
    search = _Search(standard, log_likelihood, progress)
    top = search.climb(_start(standard))
    for _ in range(RESTARTS):
        if top.least >= -FLAT:
            break
        # a factor of 0 is a saddle where a variance belongs: the gradient is 0 there by symmetry
        top = search.climb(top.vector + NUDGE * top.lowest)
    failures = _failures(standard, top, search.iterations)
    vector, covariance = back @ top.vector, back @ top.covariance @ back.T
    errors = [float(np.sqrt(variance)) for variance in np.diag(covariance)]
    return Fit(
        scores=scores,
        thresholds=tuple(vector[: problem.thresholds].tolist()),
        coefficients=tuple(vector[problem.thresholds : problem.fixed].tolist()),
        standard_errors=tuple(
            errors[at] if top.determined[at] else None for at in range(problem.thresholds, problem.fixed)
        ),
        variations=variations(problem, vector),
        log_likelihood=top.value,
        vector=vector,
        covariance=covariance,
        converged=not failures,
        notes=tuple(failures + singular(problem, vector)),
        iterations=search.iterations,
    )


@dataclass(frozen=True)
class _Top:
    """The maximum: `gain` is what another step is expected to add, `least` the least relative eigenvalue.

    `lowest` is its direction. `determined` says of each parameter whether no flat direction moves it.
    """

    vector: Floats
    value: float
    covariance: Floats
    gain: float
    least: float
    lowest: Floats
    determined: NDArray[np.bool_]


class _Search:
    def __init__(self, problem: Problem, log_likelihood: LogLikelihood, progress: Progress | None) -> None:
        self._problem, self._log_likelihood, self._progress = problem, log_likelihood, progress
        self.iterations, self._value = 0, 0.0

    def climb(self, start: Floats) -> _Top:
        # the line search subtracts infinite losses from each other
        with np.errstate(invalid="ignore"):
            optimum = optimize.minimize(
                self.loss,
                _free(self._problem, start),
                jac=True,
                method="BFGS",
                callback=self.report,
                options={"maxiter": MAX_ITERATIONS, "gtol": 1e-4, "hess_inv0": np.diag(_variances(self._problem))},
            )
        top = self._problem.positive(_natural(self._problem, optimum.x))
        return _polished(self._problem, self._log_likelihood, top)

    def loss(self, free: Floats) -> tuple[float, Floats]:
        problem = self._problem
        vector = _natural(problem, free)
        gaps = np.diff(vector[: problem.thresholds])
        # a line search may try anything; what is out of reach is worse than all else
        if np.any(np.abs(vector) > LARGEST) or np.any(gaps < CLOSEST):
            return np.inf, np.zeros(len(free))
        self._value, gradient = self._log_likelihood(vector)
        sums = np.cumsum(gradient[: problem.thresholds][::-1])[::-1]
        inner = np.concatenate([sums[:1], sums[1:] * gaps, gradient[problem.thresholds :]])
        return -self._value, -inner

    def report(self, _: Floats) -> None:
        self.iterations += 1
        if self._progress is not None:
            self._progress(self.iterations, self._value)


def _standardised(problem: Problem) -> tuple[Problem, Floats]:
    """Predictors with mean 0 and standard deviation 1, and the matrix that takes parameters back."""
    means, sds = problem.predictors.mean(axis=0), problem.predictors.std(axis=0)
    if np.any(sds <= 1e-12 * np.abs(means)):
        raise ValueError("A predictor has the same value for all scores; the thresholds stand for the constant.")
    back = np.eye(problem.size)
    coefficients = slice(problem.thresholds, problem.fixed)
    back[: problem.thresholds, coefficients] = means / sds
    back[coefficients, coefficients] = np.diag(1 / sds)
    return replace(problem, predictors=(problem.predictors - means) / sds), back


def _start(problem: Problem) -> Floats:
    """Thresholds of the scores alone, no effects of predictors, and moderate random effects."""
    counts = np.bincount(problem.category, minlength=problem.categories)
    thresholds = quantile(problem.link, np.cumsum(counts)[:-1] / counts.sum())
    factors = []
    for term in problem.terms:
        factor = np.diag([0.8, *[0.4] * (term.width - 1)])
        factors.append(factor[np.tril_indices(term.width)])
    whole: Floats = np.concatenate([thresholds, np.zeros(problem.predictors.shape[1]), *factors])
    return whole


def _variances(problem: Problem) -> Floats:
    """The order of magnitude of the variance of each estimate, with which the search begins."""
    factors = [np.full(term.width * (term.width + 1) // 2, 0.5 / term.count) for term in problem.terms]
    whole: Floats = np.concatenate([np.full(problem.fixed, 5 / len(problem.category)), *factors])
    return whole


def _free(problem: Problem, vector: Floats) -> Floats:
    """The first threshold, the logarithms of the distances between thresholds, and all else as it is."""
    thresholds = vector[: problem.thresholds]
    free: Floats = np.concatenate([thresholds[:1], np.log(np.diff(thresholds)), vector[problem.thresholds :]])
    return free


def _natural(problem: Problem, free: Floats) -> Floats:
    steps = np.exp(np.minimum(free[1 : problem.thresholds], LARGEST))
    thresholds = np.cumsum(np.concatenate([free[:1], steps]))
    vector: Floats = np.concatenate([thresholds, free[problem.thresholds :]])
    return vector


def _polished(problem: Problem, log_likelihood: LogLikelihood, vector: Floats) -> _Top:
    value, gradient = log_likelihood(vector)
    for _ in range(POLISHING_STEPS):
        covariance, least, lowest, determined = _inverse(_information(log_likelihood, vector))
        gain = first = float(gradient @ covariance @ gradient)
        # steps with the same information, which is most of the work
        for _ in range(CHORD_STEPS):
            trial = vector + covariance @ gradient
            if gain < ROUNDING or np.any(np.diff(trial[: problem.thresholds]) < CLOSEST):
                break
            new, new_gradient = log_likelihood(trial)
            if new < value:
                break
            vector, value, gradient = trial, new, new_gradient
            gain = float(gradient @ covariance @ gradient)
        if first < TOLERANCE:
            break
    return _Top(problem.positive(vector), value, covariance, gain, least, lowest, determined)


def _information(log_likelihood: LogLikelihood, vector: Floats) -> Floats:
    """Minus the second derivative, by central differences of the gradient."""
    steps = np.eye(len(vector)) * STEP
    rows = [(log_likelihood(vector - step)[1] - log_likelihood(vector + step)[1]) / (2 * STEP) for step in steps]
    whole = np.array(rows)
    symmetric: Floats = (whole + whole.T) / 2
    return symmetric


def _inverse(information: Floats) -> tuple[Floats, float, Floats, NDArray[np.bool_]]:
    """The inverse without flat directions, the least relative eigenvalue, its direction, and what is determined."""
    values, vectors = np.linalg.eigh(information)
    relative = values / np.abs(values).max()
    curved = np.abs(relative) > FLAT
    inverse: Floats = (vectors[:, curved] / np.abs(values[curved])) @ vectors[:, curved].T
    return inverse, float(relative[0]), vectors[:, 0], np.sum(vectors[:, ~curved] ** 2, axis=1) < 1e-6


def _failures(problem: Problem, top: _Top, iterations: int) -> list[str]:
    notes = []
    if np.any(np.abs(top.vector[: problem.fixed]) > LARGEST / 2):
        notes.append("an estimate grows without bounds, as where a predictor separates the scores")
    if not np.all(top.determined[: problem.fixed]):
        notes.append("the scores do not determine the fixed effects: the likelihood is flat in a direction")
    if iterations >= MAX_ITERATIONS:
        notes.append(f"the search ended after {MAX_ITERATIONS} iterations")
    if top.gain >= TOLERANCE:
        notes.append(f"another step would raise the log likelihood by {top.gain:.2g}, expected below {TOLERANCE:.0g}")
    if top.least < -FLAT:
        notes.append("the search ended where the likelihood has no maximum: the information has a negative eigenvalue")
    return notes
