"""Maximum likelihood of answers left, none or right, with ties after Davidson.

The model of definition E12: P(left) : P(none) : P(right) = exp(eta / 2) : nu : exp(-eta / 2), where eta is linear in
the design. R. R. Davidson, On extending the Bradley-Terry model to accommodate ties in paired comparison experiments,
JASA 65 (1970); the side bias as a term of eta: R. R. Davidson and R. J. Beaver, On extending the Bradley-Terry model to
incorporate within-pair order effects, Biometrics 33 (1977). In these parameters, with ln nu, the likelihood is concave.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, sparse

from eyelevel_stats.hypotheses.groups import Groups
from eyelevel_stats.pairs.observations import Choice

Floats = NDArray[np.float64]
# left, none and right as multiples of eta / 2
SIGN: dict[Choice, float] = {"left": 1.0, "none": 0.0, "right": -1.0}
STEPS = 200
# of the gain that another Newton step promises in log likelihood, per vote
CONVERGED = 1e-20
# a smaller loss of log likelihood, as a share of it, is rounding
ROUNDING = 1e-12
# a direction that gains less for all answers together is rounding of the linear program
SEPARATED = 1e-6


@dataclass(frozen=True)
class Fit:
    """Estimates of the design's columns, then of ln nu; without any answer none, nu is 0 and has no column.

    `covariance` is the inverse of the observed information, which takes votes as independent. `clustered` is the
    sandwich estimate, where only participants are independent, with the factor G / (G - 1) for G participants (K.-Y.
    Liang and S. L. Zeger, Biometrika 73, 1986); None unless there are more participants than parameters.
    """

    values: Floats
    covariance: Floats
    clustered: Floats | None
    log_likelihood: float
    participants: int
    ties: bool

    @property
    def nu(self) -> float:
        return float(np.exp(self.values[-1])) if self.ties else 0.0


@dataclass(frozen=True)
class NoFit:
    """There is no finite or no single estimate.

    `direction` is one in which the likelihood grows without bound (design's columns, then ln nu); None where the
    answers do not identify the parameters.
    """

    direction: Floats | None


def fit(
    design: Floats, choices: Sequence[Choice], participants: Sequence[str], *, of: NDArray[np.intp] | None = None
) -> Fit | NoFit:
    """A row of the design is what eta is made of, with the sign that favours the left side.

    `of` has the row of each vote; without it, there is one row per vote.
    """
    row = np.arange(len(choices)) if of is None else of
    sign = np.fromiter((SIGN[choice] for choice in choices), np.float64, len(choices))
    ties = bool((sign == 0).any())
    if not len(sign) or not sign.any() or np.linalg.matrix_rank(design) < design.shape[1]:
        return NoFit(None)
    # votes with one row and one answer are alike, and there are few kinds of them
    kinds, kind, count = np.unique(row * 3 + sign.astype(np.intp) + 1, return_inverse=True, return_counts=True)
    asked = _Kinds(design[kinds // 3], (kinds % 3 - 1).astype(np.float64), count.astype(np.float64))
    direction = _separation(asked.design, asked.sign, ties=ties)
    if direction is not None:
        return NoFit(direction)
    values = _maximum(asked, ties=ties)
    at = _Point(asked, values, ties=ties)
    covariance = np.asarray(np.linalg.inv(at.information()), dtype=np.float64)
    people = Groups.by(participants)
    clustered = None
    if people.count > len(values):
        given = sparse.csr_array((np.ones(len(kind)), (people.of, kind)), (people.count, len(kinds)))
        # how far each participant moves the estimates
        moved = given @ at.scores() @ covariance
        clustered = moved.T @ moved * (people.count / (people.count - 1))
    return Fit(values, covariance, clustered, at.log_likelihood, people.count, ties)


@dataclass(frozen=True)
class _Kinds:
    """Votes by row of the design and answer (left 1, none 0, right -1), and how many there are of each kind."""

    design: Floats
    sign: Floats
    count: Floats


class _Point:
    """Probabilities, score and information of all votes at one set of parameters."""

    def __init__(self, asked: _Kinds, values: Floats, *, ties: bool) -> None:
        design, sign = asked.design, asked.sign
        self._design, self._sign, self._count, self._ties = design, sign, asked.count, ties
        half = design @ values[: design.shape[1]] / 2
        columns = [half, np.full_like(half, values[-1] if ties else -np.inf), -half]
        logs = np.column_stack(columns)
        logs -= np.logaddexp.reduce(logs, axis=1)[:, None]
        self._left, self._none, self._right = np.exp(logs).T
        self.log_likelihood = float(asked.count @ logs[np.arange(len(sign)), (1 - sign).astype(int)])

    def gradient(self) -> Floats:
        """Of the log likelihood of all votes."""
        gradient: Floats = self._count @ self.scores()
        return gradient

    def scores(self) -> Floats:
        """The gradient of the log likelihood of one vote of each kind."""
        scores: Floats = self._design * ((self._sign - (self._left - self._right)) / 2)[:, None]
        return np.column_stack([scores, (self._sign == 0) - self._none]) if self._ties else scores

    def information(self) -> Floats:
        """Minus the second derivatives, summed over votes; the observed and the expected one are equal here."""
        mean = (self._left - self._right) / 2
        spread = self._count * ((self._left + self._right) / 4 - mean**2)
        of_design: Floats = self._design.T @ (self._design * spread[:, None])
        if not self._ties:
            return of_design
        shared = self._design.T @ (-mean * self._none * self._count)
        corner = float(self._count @ (self._none * (1 - self._none)))
        return np.block([[of_design, shared[:, None]], [shared[None, :], np.array([[corner]])]])


def _maximum(asked: _Kinds, *, ties: bool) -> Floats:
    """Newton's method; a step that loses is halved."""
    values = np.zeros(asked.design.shape[1] + ties)
    at = _Point(asked, values, ties=ties)
    for _ in range(STEPS):
        gradient = at.gradient()
        step = np.linalg.solve(at.information(), gradient)
        if float(gradient @ step) < CONVERGED * asked.count.sum():
            break
        for _ in range(STEPS):
            ahead = _Point(asked, values + step, ties=ties)
            if ahead.log_likelihood >= at.log_likelihood * (1 + ROUNDING):
                break
            step = step / 2
        values, at = values + step, ahead
    return values


def _separation(design: Floats, sign: Floats, *, ties: bool) -> Floats | None:
    """A direction in which no vote becomes less likely and one becomes more likely, found by a linear program.

    Where there is one, the likelihood has no maximum: A. Albert and J. A. Anderson, On the existence of maximum
    likelihood estimates in logistic regression models, Biometrika 71 (1984).
    """
    scale = np.abs(design).max(axis=0)
    rows = np.unique(np.column_stack([design / scale, sign]), axis=0)
    half, answer = rows[:, :-1] / 2, rows[:, -1]
    features = {1.0: half, 0.0: np.zeros_like(half), -1.0: -half}
    gains = []
    for other, feature in features.items():
        if other == 0 and not ties:
            continue
        differs = answer != other
        gain = np.where((answer == 0)[:, None], 0.0, half * answer[:, None]) - feature
        if ties:
            gain = np.column_stack([gain, (answer == 0).astype(float) - (other == 0)])
        gains.append(gain[differs])
    gain = np.concatenate(gains)
    # of many votes and few parameters, the dual is the quick one: the least |sum + gain.T @ weights| of weights >= 0
    total, count = gain.sum(axis=0), gain.shape[1]
    solution = optimize.linprog(
        np.concatenate([np.zeros(len(gain)), np.ones(2 * count)]),
        A_eq=np.hstack([-gain.T, np.eye(count), -np.eye(count)]),
        b_eq=total,
    )
    if solution.status != 0 or solution.fun < SEPARATED:
        return None
    direction: Floats = np.asarray(solution.eqlin.marginals, dtype=np.float64)
    direction[: design.shape[1]] /= scale
    return direction
