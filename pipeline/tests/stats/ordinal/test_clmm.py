"""The mixed model gives R's estimates on the wine data, and a brute-force integral's where random effects cross."""

from itertools import product

import numpy as np
import pytest
from scipy import optimize, special

from eyelevel_stats.ordinal.clmm import clmm
from eyelevel_stats.ordinal.laplace import Laplace
from eyelevel_stats.ordinal.links import Floats, Link, log_probability
from eyelevel_stats.ordinal.problem import Problem, intercepts, intercepts_and_slopes, problem
from eyelevel_stats.ordinal.quadrature import quadrature

from .wine import expected, needs_oracles, wine


@needs_oracles
@pytest.mark.parametrize("nodes", [11, 25])
def test_quadrature_gives_the_estimates_of_r_ordinal_on_the_wine_data(nodes: int) -> None:
    data, theirs = wine(), expected()["clmm"]
    found = clmm(data.rating, data.predictors, [intercepts("judge", data.judge)], nodes=nodes)
    assert found.coefficients == pytest.approx((theirs["temp"], theirs["contact"]), abs=1e-5)
    assert found.variations[0].covariance[0][0] == pytest.approx(theirs["judge_variance"], abs=1e-5)
    assert found.thresholds == pytest.approx(theirs["thresholds"], abs=1e-5)
    assert found.log_likelihood == pytest.approx(theirs["loglik"], abs=1e-6)
    assert found.converged


@needs_oracles
def test_quadrature_gives_the_probit_estimates_too() -> None:
    data, theirs = wine(), expected()["clmm"]["probit"]
    found = clmm(data.rating, data.predictors, [intercepts("judge", data.judge)], nodes=25, link=Link.PROBIT)
    assert found.coefficients == pytest.approx((theirs["temp"], theirs["contact"]), abs=1e-5)
    assert found.variations[0].covariance[0][0] == pytest.approx(theirs["judge_variance"], abs=1e-5)
    assert found.log_likelihood == pytest.approx(theirs["loglik"], abs=1e-6)


@needs_oracles
def test_the_laplace_approximation_gives_what_r_ordinal_prints() -> None:
    data = wine()
    found = clmm(data.rating, data.predictors, [intercepts("judge", data.judge)])
    # summary of clmm(rating ~ temp + contact + (1 | judge)), the tutorial of R's package ordinal
    assert found.coefficients == pytest.approx((3.0630, 1.8349), abs=5e-5)
    assert found.standard_errors == pytest.approx((0.5954, 0.5125), abs=1e-4)
    assert found.variations[0].covariance[0][0] == pytest.approx(1.279, abs=6e-4)
    assert found.thresholds == pytest.approx((-1.6237, 1.5134, 4.2285, 6.0888), abs=5e-5)
    assert found.log_likelihood == pytest.approx(-81.57, abs=5e-3)


@needs_oracles
def test_a_variance_of_0_is_a_note_and_no_error() -> None:
    data = wine()
    one = clmm(data.rating, data.predictors, [intercepts("judge", data.judge)])
    # bottles differ in nothing but temperature and contact
    two = clmm(data.rating, data.predictors, [intercepts("judge", data.judge), intercepts("bottle", data.bottle)])
    assert two.converged
    assert two.notes == ("singular fit: the variance of the intercept of bottle is 0",)
    assert two.coefficients == pytest.approx(one.coefficients, abs=1e-6)
    assert two.log_likelihood == pytest.approx(one.log_likelihood, abs=1e-8)


def crossed(seed: int, *, people: int, sites: int, repeats: int, link: Link) -> Problem:
    """Everyone rates both arms of each site; people have slopes."""
    rng = np.random.default_rng(seed)
    who, site, arm, _ = np.array(list(product(range(people), range(sites), (-0.5, 0.5), range(repeats)))).T
    of_person, place = rng.normal(0, [1.0, 0.6], (people, 2)), rng.normal(0, 0.8, sites)
    latent = 0.7 * arm + of_person[who.astype(int), 0] + of_person[who.astype(int), 1] * arm + place[site.astype(int)]
    scores = np.digitize(latent + rng.logistic(size=len(who)), [-1.0, 0.5])
    terms = [intercepts("site", site.tolist()), intercepts_and_slopes("participant", who.tolist(), arm)]
    return problem(scores.tolist(), arm[:, None], terms, link)[0]


VECTOR = np.array([-1.1, 0.6, 0.8, 0.7, 0.9, 0.3, 0.5])


def integrated(whole: Problem, vector: Floats, *, nodes: int = 15) -> float:
    """The log likelihood by a product of Gauss-Hermite rules about 0: over all sites, and over each person within."""
    site, person = whole.terms
    (site_sd,), factor = whole.factors(vector)[0][0], whole.factors(vector)[1]
    at, weights = special.roots_hermitenorm(nodes)
    logs = np.log(weights / np.sqrt(2 * np.pi))
    grid = np.array(list(product(at, repeat=site.count)))
    grid_logs = np.array(list(product(logs, repeat=site.count))).sum(axis=1)
    pairs = np.array(list(product(at, repeat=2))) @ factor.T
    pair_logs = np.add.outer(logs, logs).ravel()
    thresholds, fixed = np.split(vector[: whole.fixed], [whole.thresholds])
    ends = np.concatenate([[-np.inf], thresholds, [np.inf]])
    total = grid_logs
    for number in range(person.count):
        inner = np.zeros((len(grid), len(pairs)))
        for vote in np.flatnonzero(person.of == number):
            latent = whole.predictors[vote] @ fixed + pairs @ person.columns[vote]
            latent = latent + site_sd * grid[:, site.of[vote], None]
            category = whole.category[vote]
            inner += log_probability(whole.link, ends[category] - latent, ends[category + 1] - latent)
        total = total + special.logsumexp(inner + pair_logs, axis=1)
    return float(special.logsumexp(total))


@pytest.mark.parametrize("link", Link)
def test_the_approximation_is_that_of_a_dense_mode_and_curvature(link: Link) -> None:
    whole = crossed(1, people=4, sites=3, repeats=1, link=link)
    design = np.zeros((len(whole.category), 3 + 8))
    factors = whole.factors(VECTOR)
    for row, (site, person) in enumerate(zip(whole.terms[0].of, whole.terms[1].of, strict=True)):
        design[row, site] = factors[0][0, 0]
        design[row, 3 + 2 * person : 5 + 2 * person] = whole.terms[1].columns[row] @ factors[1]
    thresholds, fixed = np.split(VECTOR[: whole.fixed], [whole.thresholds])

    def loss(effects: Floats) -> float:
        bounds = whole.bounds(thresholds, whole.predictors @ fixed + design @ effects)
        return float(effects @ effects / 2 - log_probability(link, *bounds).sum())

    mode = optimize.minimize(loss, np.zeros(11), method="BFGS", options={"gtol": 1e-7}).x
    step, eye = 1e-3, np.eye(11) * 1e-3
    hessian = [
        [
            (loss(mode + a + b) - loss(mode + a - b) - loss(mode - a + b) + loss(mode - a - b)) / (4 * step**2)
            for a in eye
        ]
        for b in eye
    ]
    theirs = -loss(mode) - np.linalg.slogdet(hessian)[1] / 2
    assert Laplace(whole)(VECTOR)[0] == pytest.approx(theirs, abs=1e-5)


@pytest.mark.parametrize("link", Link)
def test_the_gradients_are_those_of_the_log_likelihood(link: Link) -> None:
    many, one = crossed(2, people=4, sites=3, repeats=1, link=link), crossed(2, people=4, sites=3, repeats=1, link=link)
    one = problem(one.category.tolist(), one.predictors, one.terms[:1], link)[0]
    for function, vector in ((Laplace(many), VECTOR), (quadrature(one, 31), VECTOR[:4])):
        steps = np.eye(len(vector)) * 1e-5
        theirs = [(function(vector + step)[0] - function(vector - step)[0]) / 2e-5 for step in steps]
        assert function(vector)[1] == pytest.approx(theirs, abs=1e-6)


def test_quadrature_is_the_integral() -> None:
    whole = crossed(4, people=4, sites=2, repeats=1, link=Link.LOGIT)
    single = problem(whole.category.tolist(), whole.predictors, [intercepts("site", whole.terms[0].of)], Link.LOGIT)[0]
    nothing = problem(whole.category.tolist(), whole.predictors, whole.terms, Link.LOGIT)[0]
    # the integral with the participants' variances at 0
    assert quadrature(single, 25)(VECTOR[:4])[0] == pytest.approx(
        integrated(nothing, np.append(VECTOR[:4], [0, 0, 0]), nodes=41), abs=1e-5
    )


@pytest.mark.parametrize(("repeats", "error"), [(1, 0.07), (8, 0.05)])
def test_the_approximation_is_close_to_the_integral(repeats: int, error: float) -> None:
    whole = crossed(5, people=4, sites=2, repeats=repeats, link=Link.LOGIT)
    assert Laplace(whole)(VECTOR)[0] == pytest.approx(integrated(whole, VECTOR, nodes=21), abs=error)


def test_estimates_of_crossed_effects_are_those_that_maximise_the_integral() -> None:
    whole = crossed(7, people=5, sites=2, repeats=6, link=Link.LOGIT)
    found = clmm(whole.category.tolist(), whole.predictors, whole.terms)
    steps = np.eye(whole.size) * 1e-4
    slope = [integrated(whole, found.vector + step) - integrated(whole, found.vector - step) for step in steps]
    # how far a step of Newton's method on the integral would go, in standard errors
    further = (found.covariance @ slope / 2e-4) / np.sqrt(np.diag(found.covariance))
    assert abs(further[2]) < 0.02
    assert np.abs(further).max() < 0.1


def test_scores_that_do_not_determine_the_model_have_no_standard_errors() -> None:
    # one vote of each participant, which can be told from nothing else: a probit model for any variance
    arm = np.tile([-0.5, 0.5], 100)
    scores = np.digitize(arm + np.random.default_rng(8).normal(size=200), [0.0])
    found = clmm(scores.tolist(), arm[:, None], [intercepts("participant", np.arange(200))], nodes=25, link=Link.PROBIT)
    assert not found.converged
    assert found.standard_errors == (None,)
    assert "do not determine the fixed effects" in found.notes[0]


def test_refuses_nodes_that_do_not_fit_the_random_effects() -> None:
    groups = ["a", "b", "a", "b"]
    two = [intercepts("participant", groups), intercepts("site", groups)]
    predictors = np.array([[0.0], [0.0], [1.0], [1.0]])
    with pytest.raises(ValueError, match="one random intercept"):
        clmm([1, 2, 2, 1], predictors, two, nodes=9)
    with pytest.raises(ValueError, match="5 nodes are too few"):
        clmm([1, 2, 2, 1], predictors, two[:1], nodes=5)


def test_progress_reports_each_iteration() -> None:
    whole = crossed(9, people=4, sites=3, repeats=2, link=Link.LOGIT)
    seen: list[tuple[int, float]] = []
    found = clmm(whole.category.tolist(), whole.predictors, whole.terms, progress=lambda *step: seen.append(step))
    assert [number for number, _ in seen] == list(range(1, found.iterations + 1))
    assert seen[-1][1] == pytest.approx(found.log_likelihood, abs=1e-3)
