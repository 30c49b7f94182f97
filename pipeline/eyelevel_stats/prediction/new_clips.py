"""Predictions for clips that nobody has rated, by the metric that predicts the rated ones best (definition E11)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from eyelevel_stats.prediction.coverage import ClipVote, Metrics, best_metric, fitted
from eyelevel_stats.prediction.interval import PredictionRow, predict
from eyelevel_stats.prediction.mappings import SCALE


@dataclass(frozen=True)
class NewClips:
    """One row per new clip, in their order; None where its value of the metric is unknown.

    `metric` is the one that predicts. Where there is no model, there are no rows, and `why` says so.
    """

    metric: str | None
    rows: tuple[PredictionRow | None, ...]
    why: str | None


def new_clips(
    votes: Sequence[ClipVote],
    metrics: Metrics,
    values: Mapping[str, Sequence[float | None]],
    *,
    n: int,
    network: str,
    rng: np.random.Generator,
    scale: tuple[float, float] = SCALE,
) -> NewClips:
    """Predicts the MOS of `n` new participants for each new clip; `values` has its metrics, by name.

    Of the metrics that rated and new clips have, the one with the least error for left-out sites is taken (see
    `coverage.best_metric`). Each clip has its own random numbers, so that it does not depend on later clips.
    """
    both = {name: clip_values for name, clip_values in metrics.items() if name in values}
    metric = best_metric(votes, both, scale=scale)
    if metric is None:
        return NewClips(None, (), "no metric of the new clips has a mapping to the scores")
    model = fitted(votes, both[metric])
    if isinstance(model, str):
        return NewClips(metric, (), model)
    asked = values[metric]
    rows = [
        None if value is None else predict(model, value, n, network=network, metric=metric, rng=generator)
        for value, generator in zip(asked, rng.spawn(len(asked)), strict=True)
    ]
    return NewClips(metric, tuple(rows), None)
