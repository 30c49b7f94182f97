"""Estimates and covariances agree with statsmodels' log-linear model and with derivatives by differences."""

from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from eyelevel_stats.pairs.likelihood import Fit, NoFit, fit
from eyelevel_stats.pairs.observations import Choice

from .people import LEFT, RIGHT

CHOICES: tuple[Choice, ...] = ("left", "none", "right")


def drawn(seed: int, people: int, each: int) -> tuple[NDArray[np.float64], list[Choice], list[str]]:
    """Answers with a design of three columns, the last one constant; the answers of one person are alike."""
    rng = np.random.default_rng(seed)
    design = np.column_stack([rng.integers(-1, 2, (people * each, 2)), np.ones(people * each)]).astype(float)
    of_person = np.repeat(rng.normal(0, 2, people), each)
    eta = design @ [0.9, -0.6, 0.3] + of_person
    weights = np.column_stack([np.exp(eta / 2), np.full(len(eta), 0.8), np.exp(-eta / 2)])
    shares = weights / weights.sum(axis=1)[:, None]
    choices = [CHOICES[rng.choice(3, p=share)] for share in shares]
    return design, choices, [f"p{person}" for person in np.repeat(np.arange(people), each)]


def log_likelihoods(values: NDArray[np.float64], design: NDArray[np.float64], choices: list[Choice]) -> Any:
    """Of each answer, as definition E12 writes the model."""
    eta, nu = design @ values[:-1], np.exp(values[-1])
    weight = {"left": np.exp(eta / 2), "none": np.full(len(eta), nu), "right": np.exp(-eta / 2)}
    chosen_weight = np.array([weight[choice][row] for row, choice in enumerate(choices)])
    return np.log(chosen_weight / (weight["left"] + weight["none"] + weight["right"]))


@pytest.mark.parametrize("seed", [1, 2])
def test_estimates_and_information_are_those_of_the_log_linear_model(seed: int) -> None:
    # the counts of all three answers to each kind of pair as Poisson counts: S. E. Fienberg, Log linear representation
    # for paired comparison models with ties and within-pair order effects, Biometrics 35 (1979)
    design, choices, people = drawn(seed, 60, 5)
    found = fit(design, choices, people)
    assert isinstance(found, Fit)
    kinds, kind = np.unique(design, axis=0, return_inverse=True)
    counts, columns = [], []
    for number, row in enumerate(kinds):
        for choice, sign in (("left", 1), ("none", 0), ("right", -1)):
            counts.append(sum(chosen == choice for chosen, at in zip(choices, kind, strict=True) if at == number))
            columns.append([*(sign * row / 2), float(sign == 0), *np.eye(len(kinds))[number]])
    other = sm.GLM(counts, np.array(columns), family=sm.families.Poisson()).fit(tol=1e-12)
    assert found.values == pytest.approx(other.params[:4], abs=1e-8)
    assert np.sqrt(np.diag(found.covariance)) == pytest.approx(other.bse[:4], rel=1e-6)


def test_clustered_covariance_is_the_sandwich_of_derivatives_by_differences() -> None:
    design, choices, people = drawn(3, 40, 6)
    found = fit(design, choices, people)
    assert isinstance(found, Fit)
    assert found.log_likelihood == pytest.approx(log_likelihoods(found.values, design, choices).sum(), abs=1e-9)
    small = 1e-4 * np.eye(4)
    slopes = np.array([
        (log_likelihoods(found.values + step, design, choices) - log_likelihoods(found.values - step, design, choices))
        / 2e-4
        for step in small
    ])  # fmt: skip
    sums = np.array([slopes[:, np.array(people) == person].sum(axis=1) for person in sorted(set(people))])
    bends = [
        [
            sum(
                a * b * log_likelihoods(found.values + a * one + b * two, design, choices).sum()
                for a in (1, -1)
                for b in (1, -1)
            )
            / 4e-8
            for two in small
        ]
        for one in small
    ]
    inverse = np.linalg.inv(-np.array(bends))
    assert found.covariance == pytest.approx(inverse, rel=1e-3, abs=1e-6)
    assert found.clustered == pytest.approx(inverse @ sums.T @ sums @ inverse * 40 / 39, rel=1e-3, abs=1e-6)
    # answers of one person are alike, so that one person's say less
    assert found.clustered is not None
    assert found.clustered[2, 2] > 1.5 * found.covariance[2, 2]


def test_without_ties_nu_is_0_and_a_single_pair_has_the_log_odds() -> None:
    found = fit(np.ones((8, 1)), LEFT * 6 + RIGHT * 2, [f"p{number}" for number in range(8)])
    assert isinstance(found, Fit)
    assert (found.ties, found.nu) == (False, 0)
    assert found.values == pytest.approx([np.log(3)])
    assert found.covariance[0, 0] == pytest.approx(1 / 6 + 1 / 2)


def test_there_is_no_sandwich_unless_participants_outnumber_parameters() -> None:
    choices: list[Choice] = ["left", "left", "right", "none"]
    few = fit(np.ones((4, 1)), choices, ["a", "a", "b", "b"])
    enough = fit(np.ones((4, 1)), choices, ["a", "b", "c", "c"])
    assert isinstance(few, Fit)
    assert isinstance(enough, Fit)
    assert few.clustered is None
    assert enough.clustered is not None


@pytest.mark.parametrize(
    ("rows", "choices", "separated"),
    [
        # a before b always; and a before b or tied, never behind
        ([[1.0], [1.0]], ["left", "left"], True),
        ([[1.0], [-1.0]], ["left", "right"], True),
        ([[1.0], [1.0], [1.0]], ["left", "none", "none"], True),
        ([[1.0], [1.0], [1.0]], ["left", "none", "right"], False),
        # a circle of three, and the same without the answer that closes it
        ([[1.0, 0.0], [-1.0, 1.0], [0.0, -1.0]], ["left", "left", "left"], False),
        ([[1.0, 0.0], [-1.0, 1.0]], ["left", "left"], True),
        # left always, whatever is there
        ([[1.0, 1.0], [-1.0, 1.0]], ["left", "left"], True),
    ],
)
def test_a_likelihood_without_maximum_has_no_estimate(
    rows: list[list[float]], choices: list[Choice], separated: bool
) -> None:
    found = fit(np.array(rows), choices, ["p"] * len(rows))
    assert isinstance(found, NoFit) is separated


def test_without_ties_there_is_an_estimate_where_wins_connect_all_strongly() -> None:
    # L. R. Ford, Solution of a ranking problem from binary comparisons, American Mathematical Monthly 64 (1957)
    rng = np.random.default_rng(7)
    found, strong = [], []
    for _ in range(60):
        wins = [(winner, loser) for winner, loser in rng.integers(0, 4, (8, 2)) if winner != loser]
        graph = np.zeros((4, 4))
        design = np.zeros((len(wins), 4))
        for row, (winner, loser) in enumerate(wins):
            graph[winner, loser] = 1
            design[row, winner], design[row, loser] = 1, -1
        found.append(isinstance(fit(design[:, 1:], LEFT * len(wins), ["p"] * len(wins)), Fit))
        strong.append(bool(connected_components(graph, connection="strong")[0] == 1))
    assert found == strong
    assert {True, False} == set(strong)


def test_answers_that_identify_nothing_have_no_direction() -> None:
    assert fit(np.ones((2, 1)), ["none", "none"], ["a", "b"]) == NoFit(None)
    assert fit(np.ones((2, 2)), ["left", "right"], ["a", "b"]) == NoFit(None)
    assert fit(np.empty((0, 1)), [], []) == NoFit(None)
