"""A prediction is the distribution of the MOS that the model's own people, sites and clips would give."""

from math import exp, pi, sqrt

import numpy as np
import pytest
from scipy import integrate

from eyelevel_stats.ordinal.estimates import Fit
from eyelevel_stats.prediction.interval import (
    MetricVote,
    Predictor,
    mos_draws,
    predict,
    predictor,
)

CUTS = np.array([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5])


def votes(seed: int, *, sites: int = 8, clips: int = 3, participants: int = 20) -> list[MetricVote]:
    """Everyone rates every clip; quality falls by 1.5 per factor e of the metric."""
    rng = np.random.default_rng(seed)
    metric = np.exp(rng.normal(8, 0.7, (sites, clips)))
    level = -1.5 * (np.log(metric) - 8) + rng.normal(0, 0.5, (sites, 1)) + rng.normal(0, 0.3, (sites, clips))
    found = []
    for person, opinion in enumerate(rng.normal(0, 0.8, participants)):
        for site in range(sites):
            for clip in range(clips):
                score = 1 + int(np.searchsorted(CUTS, level[site, clip] + opinion + rng.logistic()))
                found.append(MetricVote(f"p{person}", f"s{site}", f"s{site}-{clip}", metric[site, clip], score))
    return found


def fitted(vector: list[float], covariance: float = 0.0) -> Fit:
    """A fit with scores 1, 4 and 7, whose parameters all have that variance."""
    return Fit(
        scores=(1, 4, 7),
        thresholds=tuple(vector[:2]),
        coefficients=(vector[2],),
        standard_errors=(None,),
        variations=(),
        log_likelihood=0.0,
        vector=np.array(vector),
        covariance=covariance * np.eye(len(vector)),
        converged=True,
        notes=(),
        iterations=1,
    )


def probabilities(place: float, sd: float) -> list[float]:
    """Of the scores 1, 4 and 7 at thresholds -1 and 1, by numerical integration over normal effects."""
    below = [
        integrate.quad(lambda u, cut=cut: 1 / (1 + exp(place + sd * u - cut)) * exp(-u * u / 2) / sqrt(2 * pi), -9, 9)[
            0
        ]
        for cut in (-1.0, 1.0)
    ]
    return [below[0], below[1] - below[0], 1 - below[1]]


def test_draws_have_the_mean_and_spread_of_the_integral() -> None:
    # slope 0.5 at ln(metric) 2; deviations of participant 0.9, site 0.6, clip 0.4
    fit = fitted([-1.0, 1.0, 0.5, 0.9, 0.6, 0.4])
    drawn = mos_draws(fit, float(np.exp(2)), 1, rng=np.random.default_rng(1), draws=400_000)
    expected = probabilities(1.0, sqrt(0.9**2 + 0.6**2 + 0.4**2))
    assert [float(np.mean(drawn == score)) for score in (1, 4, 7)] == pytest.approx(expected, abs=0.003)
    # of very many votes, only site and clip remain
    many = mos_draws(fit, float(np.exp(2)), 2000, rng=np.random.default_rng(2), draws=3000)
    place = np.random.default_rng(3).normal(1, np.hypot(0.6, 0.4), 400)
    levels = [float(np.dot(probabilities(at, 0.9), (1, 4, 7))) for at in place]
    assert float(many.mean()) == pytest.approx(np.mean(levels), abs=0.1)
    assert float(many.std()) == pytest.approx(np.std(levels), abs=0.08)


def test_uncertain_parameters_make_the_distribution_wider() -> None:
    sharp, vague = (
        mos_draws(fitted([-1.0, 1.0, 0.5, 0.9, 0.1, 0.1], sd), 3.0, 200, rng=np.random.default_rng(1)).std()
        for sd in (0.0, 0.2)
    )
    assert vague > 1.5 * sharp


def test_a_prediction_is_the_mean_and_the_central_90_percent_of_the_draws() -> None:
    fit = fitted([-1.0, 1.0, 0.5, 0.9, 0.6, 0.4])
    row = predict(Predictor(fit, 1, 9), 3.0, 10, network="DSL", metric="si_ms", rng=np.random.default_rng(5))
    drawn = mos_draws(fit, 3.0, 10, rng=np.random.default_rng(5))
    assert row.mos == pytest.approx(drawn.mean())
    assert row.low is not None
    assert row.high is not None
    # both ends are values that occur, with at most 5 % beyond and at least 5 % with them
    for tail, beyond in ((drawn <= row.low, drawn < row.low), (drawn >= row.high, drawn > row.high)):
        assert beyond.mean() <= 0.05 <= tail.mean() + 1 / len(drawn)
    assert (row.network, row.metric, row.value, row.votes, row.refused) == ("DSL", "si_ms", 3.0, 10, "")


def test_more_votes_make_the_interval_narrower_but_never_a_point() -> None:
    found = predictor(votes(1))
    rows = [
        predict(found, 3000, n, network="DSL", metric="si_ms", rng=np.random.default_rng(1)) for n in (1, 10, 100, 1000)
    ]
    widths = [row.high - row.low for row in rows if row.low is not None and row.high is not None]
    assert widths == sorted(widths, reverse=True)
    assert widths[3] > 0.5


def test_the_same_seed_gives_the_same_prediction() -> None:
    found = predictor(votes(2))
    one, two = (predict(found, 3000, 20, network="DSL", metric="si_ms", rng=np.random.default_rng(9)) for _ in range(2))
    assert one == two


def test_the_slope_and_deviations_that_were_planted_are_found() -> None:
    fit = predictor(votes(3, sites=30, participants=40)).fit
    assert fit.standard_errors[0] is not None
    assert abs(fit.coefficients[0] + 1.5) < 2 * fit.standard_errors[0]
    sds = {variation.name: variation.sd() for variation in fit.variations}
    assert sds == pytest.approx({"participant": 0.8, "site": 0.5, "clip": 0.3}, abs=0.15)


def test_nothing_is_predicted_outside_the_fitted_1_to_99_percent() -> None:
    data = votes(4)
    values = sorted({vote.metric for vote in data})
    found = predictor(data)
    assert (found.low, found.high) == pytest.approx(np.quantile(values, [0.01, 0.99]))
    for value in (values[0], values[-1]):
        row = predict(found, value, 20, network="DSL", metric="si_ms", rng=np.random.default_rng(1))
        assert (row.mos, row.low, row.high) == (None, None, None)
        assert f"si_ms {value:g} is outside" in row.refused
    inside = predict(found, values[len(values) // 2], 20, network="DSL", metric="si_ms", rng=np.random.default_rng(1))
    assert inside.mos is not None


def test_where_each_site_has_one_clip_sites_include_clips() -> None:
    fit = predictor(votes(5, sites=12, clips=1)).fit
    assert [variation.name for variation in fit.variations] == ["participant", "site"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (votes(6, sites=4), "needs 10 clips of 5 sites; there are 12 of 4"),
        (votes(6, sites=9, clips=1), "needs 10 clips of 5 sites; there are 9 of 9"),
        ([vote._replace(metric=vote.metric - 1500) for vote in votes(6)], "is not positive"),
        ([vote._replace(metric=5.0) for vote in votes(6)], "same value for all scores"),
        ([vote._replace(score=4) for vote in votes(6)], "two different scores"),
    ],
)
def test_votes_without_a_model_are_refused(data: list[MetricVote], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        predictor(data)


def test_a_mos_of_no_votes_is_refused() -> None:
    with pytest.raises(ValueError, match="votes is 0"):
        predict(
            Predictor(fitted([-1.0, 1.0, 0.5, 0.9, 0.6, 0.4]), 1, 9),
            3.0,
            0,
            network="DSL",
            metric="si_ms",
            rng=np.random.default_rng(1),
        )
