"""Each mapping finds the parameters that made the data, and those that numpy and scipy find where data are noisy."""

from collections.abc import Callable

import numpy as np
import pytest
from scipy import optimize, special

from eyelevel_stats.ordinal.links import Floats
from eyelevel_stats.prediction.mapping import Mapping, Model
from eyelevel_stats.prediction.mappings import fit_mapping

METRIC = np.geomspace(400, 9000, 25)
# parameters a, b, c with all MOS within the scale
PLANTED: dict[Model, tuple[float, float, float | None]] = {
    Model.LINEAR: (6.5, -0.0005, None),
    Model.WQL: (13.0, -1.2, None),
    Model.IQX: (1.4, 5.0, 0.0004),
    Model.LOGISTIC: (2.0, -0.0007, None),
}


def noisy(model: Model) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(4)
    mos = Mapping(model, *PLANTED[model], (1, 7)).mos(METRIC) + rng.normal(0, 0.2, len(METRIC))
    return mos, rng.integers(5, 40, len(METRIC)).astype(float)


@pytest.mark.parametrize("model", Model)
def test_finds_the_parameters_that_made_the_data(model: Model) -> None:
    a, b, c = PLANTED[model]
    found = fit_mapping(model, METRIC, Mapping(model, a, b, c, (1, 7)).mos(METRIC), np.ones(len(METRIC)))
    assert found is not None
    assert (found.a, found.b) == pytest.approx((a, b), rel=1e-5)
    assert found.c == (None if c is None else pytest.approx(c, rel=1e-5))


def test_lines_are_those_of_numpy_with_the_root_of_votes_as_its_weights() -> None:
    for model, x in ((Model.LINEAR, METRIC), (Model.WQL, np.log(METRIC))):
        mos, votes = noisy(model)
        found = fit_mapping(model, METRIC, mos, votes)
        assert found is not None
        b, a = np.polyfit(x, mos, 1, w=np.sqrt(votes))
        assert (found.a, found.b) == pytest.approx((a, b), rel=1e-9)


def test_curves_are_those_of_scipy() -> None:
    curves: dict[Model, tuple[Callable[..., Floats], list[float]]] = {
        Model.IQX: (lambda x, a, b, c: a + b * np.exp(-c * x), [2, 4, 0.0005]),
        Model.LOGISTIC: (lambda x, a, b: 1 + 6 * special.expit(a + b * x), [1, -0.001]),
    }
    for model, (curve, start) in curves.items():
        mos, votes = noisy(model)
        found = fit_mapping(model, METRIC, mos, votes)
        assert found is not None
        theirs, _ = optimize.curve_fit(curve, METRIC, mos, p0=start, sigma=1 / np.sqrt(votes), xtol=1e-12)
        assert [value for value in (found.a, found.b, found.c) if value is not None] == pytest.approx(theirs, rel=1e-3)
        loss = [
            votes @ (mos - curve(METRIC, *parameters)) ** 2
            for parameters in ([found.a, found.b, found.c][: len(start)], theirs)
        ]
        assert loss[0] <= loss[1] * (1 + 1e-6)


def test_scales_other_than_seven_points_have_their_own_ends() -> None:
    mos = 0 + 100 * special.expit(1.5 - 0.0008 * METRIC)
    found = fit_mapping(Model.LOGISTIC, METRIC, mos, np.ones(len(METRIC)), scale=(0, 100))
    assert found is not None
    assert (found.a, found.b) == pytest.approx((1.5, -0.0008), rel=1e-6)


def test_predictions_are_cut_at_the_ends_of_the_scale() -> None:
    line = Mapping(Model.LINEAR, 10.0, -0.002, None, (1, 7))
    assert line.mos(np.array([0.0, 2000.0, 9000.0])).tolist() == [7.0, 6.0, 1.0]


@pytest.mark.parametrize("model", Model)
def test_a_mos_at_the_end_of_the_scale_and_metrics_far_from_0_are_no_trouble(model: Model) -> None:
    metric = np.array([100_000.0, 100_010.0, 100_020.0, 100_030.0])
    found = fit_mapping(model, metric, np.array([7.0, 2.0, 1.5, 1.0]), np.ones(4))
    assert found is not None
    assert np.isfinite([found.a, found.b]).all()
    assert found.mos(metric)[0] > 5
    assert found.mos(metric)[3] < 3


def test_what_no_mapping_is_defined_for_has_none() -> None:
    close = 1e6 + np.arange(4.0)
    assert fit_mapping(Model.IQX, close, np.array([7.0, 2.0, 1.5, 1.0]), np.ones(4)) is None
    three = np.array([0.0, 1.0, 2.0])
    assert fit_mapping(Model.WQL, three, three + 1, np.ones(3)) is None
    assert fit_mapping(Model.LINEAR, three, three + 1, np.ones(3)) is not None
    for model in Model:
        assert fit_mapping(model, np.ones(5), np.arange(1.0, 6.0), np.ones(5)) is None
        assert fit_mapping(model, np.array([1.0, 2.0]), np.array([1.0, 2.0]), np.ones(2)) is None
