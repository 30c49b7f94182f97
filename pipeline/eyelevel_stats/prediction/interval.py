"""Interval of the mean opinion score (MOS) that a new clip will get, from its metric (definition E11).

The model is score ~ ln(metric) + (1 | participant) + (1 | site) + (1 | clip), a cumulative logit mixed model by the
Laplace approximation. A prediction draws its parameters (normal about the estimates), a new site, a new clip, and new
participants with one vote each.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from eyelevel_core.tables import column
from eyelevel_stats.ordinal.clmm import clmm
from eyelevel_stats.ordinal.estimates import Fit
from eyelevel_stats.ordinal.fit import Progress
from eyelevel_stats.ordinal.links import Floats
from eyelevel_stats.ordinal.problem import intercepts
from eyelevel_stats.rows import shared
from eyelevel_stats.samples import MIN_CLIPS, MIN_SITES

DRAWS = 4000
# share of the MOS of new clips that an interval is to hold
LEVEL = 0.9
# of the metric's values of the clips that were fitted; no prediction beyond
RANGE = (0.01, 0.99)


class MetricVote(NamedTuple):
    """One rating of a clip, with the metric of the clip's take."""

    participant: str
    site: str
    clip: str
    metric: float
    score: int


@dataclass(frozen=True)
class Predictor:
    """A fitted model, and the range of the metric within which it predicts."""

    fit: Fit
    low: float
    high: float


@dataclass(frozen=True)
class PredictionRow:
    """The MOS that a new clip will get from `votes` new participants; None, with a sentence, where it is refused."""

    network: str = column("network of the clips used to fit the model")
    metric: str = column("metric used for the prediction", shown="metric")
    value: float = column("value of the metric for the new clip, in the metric's unit")
    votes: int = column("number of future participants, each rating the clip once")
    mos: float | None = column(
        "expected MOS of these votes for a new clip of a new site, from a cumulative logit mixed model on ln(metric)"
    )
    low: float | None = column("lower end of the 90 % prediction interval of mos", until="high")
    high: float | None = column(*shared.SAME_INTERVAL)
    refused: str = column("reason why there is no prediction; empty if there is one")


def predictor(votes: Sequence[MetricVote], *, progress: Progress | None = None) -> Predictor:
    """Fits the model; where each site has one clip, clips are no term, since sites include them.

    Raise ValueError under 10 clips or 5 sites, where a metric is not positive or the same for all clips, where all
    scores are the same, and where the fit does not converge.
    """
    clips = {vote.clip: vote for vote in votes}
    sites = {vote.site for vote in votes}
    if len(clips) < MIN_CLIPS or len(sites) < MIN_SITES:
        raise ValueError(
            f"A prediction needs {MIN_CLIPS} clips of {MIN_SITES} sites; there are {len(clips)} of {len(sites)}."
        )
    values = np.array([vote.metric for vote in clips.values()])
    if np.min(values) <= 0:
        raise ValueError(f"The model takes the logarithm of the metric; {np.min(values):g} is not positive.")
    terms = [intercepts("participant", [vote.participant for vote in votes])]
    terms.append(intercepts("site", [vote.site for vote in votes]))
    if len(clips) > len(sites):
        terms.append(intercepts("clip", [vote.clip for vote in votes]))
    predictors = np.log([[vote.metric] for vote in votes])
    fit = clmm([vote.score for vote in votes], predictors, terms, progress=progress)
    if not fit.converged:
        raise ValueError(f"The prediction's model did not converge: {'; '.join(fit.notes)}.")
    low, high = np.quantile(values, RANGE)
    return Predictor(fit, float(low), float(high))


def predict(
    predictor: Predictor, value: float, votes: int, *, network: str, metric: str, rng: np.random.Generator
) -> PredictionRow:
    """The expected MOS and its 90 % interval for a new clip; refused outside the fitted 1 to 99 % of the metric.

    `network` and `metric` name what the predictor was fitted to. Raise ValueError where `votes` is below 1.
    """
    if votes < 1:
        raise ValueError(f"A MOS needs a vote; votes is {votes}.")
    if not predictor.low <= value <= predictor.high:
        sentence = (
            f"{metric} {value:g} is outside {predictor.low:g} to {predictor.high:g}, "
            "the range of 98 % of the clips that the model was fitted to; nothing is known there."
        )
        return PredictionRow(network, metric, value, votes, None, None, None, sentence)
    drawn = mos_draws(predictor.fit, value, votes, rng=rng)
    # an end is a MOS that occurs, so that the interval has at least its level
    low = float(np.quantile(drawn, (1 - LEVEL) / 2, method="lower"))
    high = float(np.quantile(drawn, (1 + LEVEL) / 2, method="higher"))
    return PredictionRow(network, metric, value, votes, float(drawn.mean()), low, high, "")


def mos_draws(fit: Fit, value: float, votes: int, *, rng: np.random.Generator, draws: int = DRAWS) -> Floats:
    """MOS of `votes` new participants for a new clip of a new site, drawn `draws` times."""
    eigenvalues, vectors = np.linalg.eigh(fit.covariance)
    spread = vectors * np.sqrt(np.maximum(eigenvalues, 0))
    parameters = fit.vector + rng.standard_normal((draws, len(fit.vector))) @ spread.T
    count = len(fit.thresholds)
    # thresholds that are drawn in the wrong order leave no room for the score between them
    thresholds = np.maximum.accumulate(parameters[:, :count], axis=1)
    slope, sds = parameters[:, count], np.abs(parameters[:, count + 1 :])
    # the first term is participants; the others are new for the clip
    place = slope * np.log(value) + np.sum(sds[:, 1:] * rng.standard_normal((draws, sds.shape[1] - 1)), axis=1)
    people = sds[:, [0]] * rng.standard_normal((draws, votes))
    latent = place[:, None] + people + rng.logistic(size=(draws, votes))
    above = np.sum([latent > cut[:, None] for cut in thresholds.T], axis=0)
    mos: Floats = np.array(fit.scores, float)[above].mean(axis=1)
    return mos
