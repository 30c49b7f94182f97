"""Without random effects, the model gives the estimates of R's packages ordinal and MASS, and of statsmodels."""

import csv
from collections.abc import Sequence
from importlib.resources import files

import numpy as np
import pytest
from statsmodels.miscmodels.ordinal_model import OrderedModel

from eyelevel_stats.ordinal.clmm import clmm
from eyelevel_stats.ordinal.estimates import Fit
from eyelevel_stats.ordinal.links import Floats, Link

from .wine import expected, needs_oracles, wine


def clm(scores: Sequence[int], predictors: Floats, *, link: Link = Link.LOGIT) -> Fit:
    return clmm(scores, predictors, (), link=link)


@needs_oracles
def test_the_wine_data_give_what_r_ordinal_prints() -> None:
    data, theirs = wine(), expected()["clm"]
    found = clm(data.rating, data.predictors)
    assert found.coefficients == pytest.approx((theirs["temp"], theirs["contact"]), abs=1e-6)
    assert found.thresholds == pytest.approx(theirs["thresholds"], abs=1e-6)
    assert found.log_likelihood == pytest.approx(theirs["loglik"], abs=1e-5)
    assert found.scores == (1, 2, 3, 4, 5)
    assert (found.converged, found.notes) == (True, ())


def test_the_ucla_data_give_what_stata_and_r_polr_print() -> None:
    text = (files("statsmodels.miscmodels.tests.results") / "ologit_ucla.csv").read_text()
    rows = list(csv.DictReader(text.splitlines()))
    levels = ["unlikely", "somewhat likely", "very likely"]
    predictors = np.array([[float(row[name]) for name in ("pared", "public", "gpa")] for row in rows])
    found = clm([levels.index(row["apply"]) for row in rows], predictors)
    # Stata's ologit, as UCLA's annotated output of these data prints it
    assert found.coefficients == pytest.approx([1.047664, -0.0586828, 0.6157458], abs=5e-7)
    assert found.thresholds == pytest.approx([2.203323, 4.298767], abs=1e-6)
    assert found.log_likelihood == pytest.approx(-358.51244, abs=5e-6)
    # R's MASS::polr (statsmodels/miscmodels/tests/results), which stops 3e-7 below the maximum
    assert found.coefficients == pytest.approx([1.04769011, -0.05878572, 0.61594057], abs=2e-4)
    assert found.standard_errors == pytest.approx([0.2658, 0.2979, 0.2606], abs=1e-4)


@pytest.mark.parametrize(("link", "name"), [(Link.LOGIT, "logit"), (Link.PROBIT, "probit")])
def test_it_agrees_with_statsmodels(link: Link, name: str) -> None:
    rng = np.random.default_rng(3)
    # predictors of very different scale
    predictors = np.column_stack([rng.normal(size=300), rng.normal(5000, 800, size=300)])
    latent = predictors @ [0.8, 0.001] + rng.logistic(size=300)
    scores = np.digitize(latent, [3.5, 4.8, 5.5, 7.0])
    model = OrderedModel(scores, predictors / [1, 1000], distr=name)
    theirs = model.fit(
        method="newton", start_params=model.fit(method="nm", disp=False, maxiter=2000).params, disp=False
    )
    found = clm(scores.tolist(), predictors, link=link)
    assert found.coefficients == pytest.approx(theirs.params[:2] / [1, 1000], rel=1e-5)
    assert found.standard_errors == pytest.approx(theirs.bse[:2] / [1, 1000], rel=1e-4)
    assert found.log_likelihood == pytest.approx(theirs.llf, abs=1e-7)
    assert found.thresholds == pytest.approx(theirs.model.transform_threshold_params(theirs.params)[1:-1], rel=1e-5)


def test_a_score_that_nobody_gave_changes_nothing_but_the_names_of_scores() -> None:
    predictors = np.array([[0.0], [1.0], [0.0], [1.0], [1.0], [0.0], [0.0], [1.0]])
    close, apart = clm([1, 2, 2, 3, 1, 3, 1, 3], predictors), clm([1, 2, 2, 7, 1, 7, 1, 7], predictors)
    assert apart.coefficients == pytest.approx(close.coefficients, abs=1e-9)
    assert (close.scores, apart.scores) == ((1, 2, 3), (1, 2, 7))


def test_a_predictor_that_separates_the_scores_does_not_converge_and_says_why() -> None:
    found = clm([1] * 10 + [2] * 10, np.repeat([[0.0], [1.0]], 10, axis=0))
    assert not found.converged
    assert "grows without bounds" in found.notes[0]


@pytest.mark.parametrize(
    ("scores", "predictors", "message"),
    [
        ([4, 4], [[0.0], [1.0]], "two different scores; there are 1 in 2"),
        ([], np.zeros((0, 1)), "two different scores; there are 0 in 0"),
        ([1, 2], [[0.0]], "one row for each of the 2 scores"),
        ([1, 2, 3], [[5.0], [5.0], [5.0]], "same value for all scores"),
    ],
)
def test_input_without_an_answer_is_refused(scores: list[int], predictors: list[list[float]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        clm(scores, np.array(predictors))
