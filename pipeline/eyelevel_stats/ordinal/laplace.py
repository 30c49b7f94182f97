"""Log likelihood of a cumulative link mixed model by the Laplace approximation, with its gradient.

The random effects are integrated out by a normal density about their joint mode (L. Tierney, J. B. Kadane, Accurate
approximations for posterior moments and marginal densities, JASA 81, 1986; as in R's packages ordinal and lme4). They
are written as Cholesky factor times standard normal values, for which the mode is found by Newton's method.

The gradient is exact: it includes how the mode and its curvature follow the parameters.
"""

from dataclasses import dataclass

import numpy as np
from scipy import linalg

from eyelevel_stats.ordinal.links import Floats, Slopes, log_probability, slopes
from eyelevel_stats.ordinal.problem import Numbers, Problem, Term

NEWTON_STEPS = 100
HALVINGS = 30
# expected gain of log likelihood below which the mode is found; one step follows, which squares the error
MODE_TOLERANCE = 1e-9


@dataclass(frozen=True)
class Curvature:
    """Minus the second derivative of the log density of standardised random effects, factored.

    The term with most effects is block diagonal, with a block for each group, and is eliminated; what remains is dense.
    `inverse` (groups x width x width) inverts the blocks, `shared` (groups x width x rest) is `inverse` times the part
    between blocks and rest, `rest_inverse` inverts the Schur complement.
    """

    inverse: Floats
    shared: Floats
    rest_inverse: Floats
    log_determinant: float

    def solve(self, blocks: Floats, rest: Floats) -> tuple[Floats, Floats]:
        """The solution for a right-hand side of blocks (groups x width) and rest."""
        below = self.rest_inverse @ (rest - np.einsum("gkr,gk->r", self.shared, blocks))
        return np.einsum("gkl,gl->gk", self.inverse, blocks) - self.shared @ below, below


@dataclass(frozen=True)
class Mode:
    """Most probable standardised random effects: of the eliminated term (groups x width), and of the rest.

    `scaled` (scores x effects) has what each of a score's effects is multiplied by.
    """

    blocks: Floats
    rest: Floats
    scaled: Floats
    effects: Floats
    slopes: Slopes
    curvature: Curvature
    log_density: float


class Laplace:
    """The approximation as a function of the parameter vector; begins to look for a mode where the last one was."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self._terms = sorted(range(len(problem.terms)), key=lambda at: -problem.terms[at].count * _width(problem, at))
        nothing = Term("", np.zeros(len(problem.category), np.intp), 1, np.ones((len(problem.category), 0)))
        ordered = [problem.terms[at] for at in self._terms] or [nothing]
        first, further = ordered[0], ordered[1:]
        begins = np.cumsum([0, *(term.count * term.width for term in further)])
        places = [
            begin + term.of[:, None] * term.width + np.arange(term.width)
            for begin, term in zip(begins, further, strict=False)
        ]
        self._of, self._groups, self._width, self._size = first.of, first.count, first.width, int(begins[-1])
        self._places = np.concatenate([np.zeros((len(first.of), 0), np.intp), *places], axis=1)
        in_blocks = first.of[:, None] * first.width + np.arange(first.width)
        self._in_blocks = (in_blocks[:, :, None] * first.width + np.arange(first.width)).ravel()
        self._in_shared = (in_blocks[:, :, None] * self._size + self._places[:, None, :]).ravel()
        self._in_rest = (self._places[:, :, None] * self._size + self._places[:, None, :]).ravel()
        self._blocks, self._rest = np.zeros((self._groups, self._width)), np.zeros(self._size)

    def __call__(self, vector: Floats) -> tuple[float, Floats]:
        """Log likelihood and its gradient by the parameter vector."""
        mode = self.mode(vector)
        return mode.log_density - mode.curvature.log_determinant / 2, self._gradient(vector, mode)

    def mode(self, vector: Floats) -> Mode:
        """Raise ArithmeticError where Newton's method finds none, which no finite parameters of moderate size do."""
        problem = self.problem
        thresholds, fixed = np.split(vector[: problem.fixed], [problem.thresholds])
        predictor = problem.predictors @ fixed
        scaled = self._scaled(vector)
        blocks, rest = self._blocks, self._rest
        density = self._density(thresholds, predictor, scaled, blocks, rest)
        converged = False
        for _ in range(NEWTON_STEPS):
            effects = self._effects(blocks, rest)
            lower, upper = problem.bounds(thresholds, predictor + np.sum(scaled * effects, axis=1))
            at = slopes(problem.link, lower, upper)
            curvature = self._curvature(at.weight, scaled)
            if converged:
                self._blocks, self._rest = blocks, rest
                return Mode(blocks, rest, scaled, effects, at, curvature, density)
            up_blocks, up_rest = self._sums(at.score[:, None] * scaled)
            up_blocks, up_rest = up_blocks - blocks, up_rest - rest
            by_blocks, by_rest = curvature.solve(up_blocks, up_rest)
            gain = float(np.sum(up_blocks * by_blocks) + up_rest @ by_rest)
            converged = gain < MODE_TOLERANCE
            for _ in range(HALVINGS):
                new_blocks, new_rest = blocks + by_blocks, rest + by_rest
                new = self._density(thresholds, predictor, scaled, new_blocks, new_rest)
                if new >= density or converged:
                    break
                by_blocks, by_rest = by_blocks / 2, by_rest / 2
            blocks, rest, density = new_blocks, new_rest, new
        raise ArithmeticError(f"Newton's method found no mode of the random effects in {NEWTON_STEPS} steps.")

    def _scaled(self, vector: Floats) -> Floats:
        factors, terms = self.problem.factors(vector), self.problem.terms
        columns = [terms[at].columns @ factors[at] for at in self._terms]
        return np.concatenate([np.zeros((len(self._of), 0)), *columns], axis=1)

    def _effects(self, blocks: Floats, rest: Floats) -> Floats:
        """The effects that belong to each score."""
        return np.concatenate([blocks[self._of], rest[self._places]], axis=1)

    def _sums(self, values: Floats) -> tuple[Floats, Floats]:
        """Sums of values (scores x effects) by effect."""
        blocks = [np.bincount(self._of, values[:, at], self._groups) for at in range(self._width)]
        rest = np.bincount(self._places.ravel(), values[:, self._width :].ravel(), self._size)
        by_group = np.asarray(blocks, np.float64).T.reshape(self._groups, self._width)
        return by_group, rest.astype(np.float64, copy=False)

    def _density(self, thresholds: Floats, predictor: Floats, scaled: Floats, blocks: Floats, rest: Floats) -> float:
        shift = np.sum(scaled * self._effects(blocks, rest), axis=1)
        log_p = log_probability(self.problem.link, *self.problem.bounds(thresholds, predictor + shift))
        return float(log_p.sum() - np.sum(blocks**2) / 2 - rest @ rest / 2)

    def _curvature(self, weight: Floats, scaled: Floats) -> Curvature:
        groups, width, size = self._groups, self._width, self._size
        first, further = scaled[:, :width], scaled[:, width:]
        weighted = weight[:, None] * first

        def summed(places: Numbers, left: Floats, right: Floats, count: int) -> Floats:
            products = (left[:, :, None] * right[:, None, :]).ravel()
            return np.bincount(places, products, count).astype(np.float64, copy=False)

        blocks = summed(self._in_blocks, weighted, first, groups * width * width).reshape(groups, width, width)
        blocks = blocks + np.eye(width)
        between = summed(self._in_shared, weighted, further, groups * width * size).reshape(groups, width, size)
        rest = summed(self._in_rest, weight[:, None] * further, further, size * size).reshape(size, size)
        inverse: Floats = np.linalg.inv(blocks).astype(np.float64, copy=False)
        shared = inverse @ between
        flat = (groups * width, size)
        schur = rest + np.eye(size) - between.reshape(flat).T @ shared.reshape(flat)
        factor = linalg.cholesky(schur, lower=True) if size else schur
        # one thread inverts a small triangle; solving for all columns would wait for several on a busy machine
        triangle = linalg.lapack.dtrtri(factor, lower=1)[0] if size else schur
        determinant = np.linalg.slogdet(blocks)[1].sum() + 2 * np.log(np.diag(factor)).sum()
        return Curvature(inverse, shared, triangle.T @ triangle, float(determinant))

    def _covariances(self, curvature: Curvature) -> Floats:
        """Of the effects of each score: scores x effects x effects."""
        width = self._width
        total = width + self._places.shape[1]
        whole = np.empty((len(self._of), total, total))
        projected = curvature.shared @ curvature.rest_inverse
        of_blocks = curvature.inverse + projected @ curvature.shared.transpose(0, 2, 1)
        whole[:, :width, :width] = of_blocks[self._of]
        mixed = -projected[self._of[:, None, None], np.arange(width)[None, :, None], self._places[:, None, :]]
        whole[:, :width, width:] = mixed
        whole[:, width:, :width] = mixed.transpose(0, 2, 1)
        whole[:, width:, width:] = curvature.rest_inverse[self._places[:, :, None], self._places[:, None, :]]
        return whole

    def _gradient(self, vector: Floats, mode: Mode) -> Floats:
        problem, scaled, effects = self.problem, mode.scaled, mode.effects
        (u1, u2, u3), (l1, l2, l3) = mode.slopes.upper, mode.slopes.lower
        score, weight = mode.slopes.score, mode.slopes.weight
        uu, ul, ll = u2 - u1**2, -u1 * l1, l2 - l1**2
        uuu, uul = u3 - 3 * u2 * u1 + 2 * u1**3, -u2 * l1 + 2 * u1**2 * l1
        ull, lll = -u1 * l2 + 2 * u1 * l1**2, l3 - 3 * l2 * l1 + 2 * l1**3
        towards = np.einsum("nij,nj->ni", self._covariances(mode.curvature), scaled)
        spread = np.sum(towards * scaled, axis=1)
        # how log |curvature| changes with each score's predictor, and through the mode
        bend = (uuu + 3 * uul + 3 * ull + lll) * spread
        moved = self._effects(*mode.curvature.solve(*self._sums(bend[:, None] * scaled)))
        shift = np.sum(moved * scaled, axis=1)
        total = score - bend / 2 + weight * shift / 2
        thresholds = problem.by_threshold(
            u1 + (spread * (uuu + 2 * uul + ull) + shift * (uu + ul)) / 2,
            l1 + (spread * (uul + 2 * ull + lll) + shift * (ul + ll)) / 2,
        )
        by_column = weight[:, None] * towards + score[:, None] * moved / 2
        parts: dict[int, Floats] = {}
        begin = 0
        for at in self._terms:
            columns, width = problem.terms[at].columns, _width(problem, at)
            span = slice(begin, begin + width)
            begin += width
            change = columns.T @ (total[:, None] * effects[:, span] - by_column[:, span])
            parts[at] = change[np.tril_indices(width)]
        return np.concatenate([thresholds, problem.predictors.T @ total, *(parts[at] for at in sorted(parts))])


def _width(problem: Problem, at: int) -> int:
    return problem.terms[at].width
