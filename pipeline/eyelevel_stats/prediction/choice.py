"""Choice of a mapping by cross-validation over sites (definition E11)."""

from collections.abc import Callable, Sequence
from collections.abc import Mapping as Named
from typing import NamedTuple

import numpy as np

from eyelevel_stats.ordinal.links import Floats
from eyelevel_stats.prediction.mapping import Mapping, Model
from eyelevel_stats.prediction.mappings import SCALE, fit_mapping
from eyelevel_stats.rows.metrics import ModelRow
from eyelevel_stats.samples import MIN_CLIPS, MIN_SITES

# beyond these, choosing mappings takes many minutes
MOST_FITS = 60_000


class Point(NamedTuple):
    """A clip with its site, the value of the metric, its MOS and how many votes that is the mean of."""

    site: str
    metric: float
    mos: float
    votes: int


def fits_of_choice(sites: int, metrics: int) -> int:
    """About how many fits the nested choice of a mapping for each metric takes."""
    return sites * (sites - 1) * metrics * len(Model)


def model_rows(
    network: str, metric: str, points: Sequence[Point], *, scale: tuple[float, float] = SCALE
) -> list[ModelRow]:
    """All mappings of one metric on one network; nothing under 10 clips or 5 sites.

    The choice is nested: for each site left out, mappings are compared by leaving out each of the other sites. See
    S. Varma, R. Simon, Bias in error estimation when using cross-validation for model selection, BMC Bioinformatics 7,
    2006.
    """
    sites = _sites(points)
    if len(points) < MIN_CLIPS or len(sites) < MIN_SITES:
        return []
    errors = {model: loso_error(model, points, scale=scale) for model in Model}
    best, nested = _least(errors), nested_error(points, scale=scale)
    rows = []
    for model in Model:
        mapping = _fit(model, points, scale)
        rows.append(
            ModelRow(
                network=network,
                metric=metric,
                model=model.value,
                a=None if mapping is None else mapping.a,
                b=None if mapping is None else mapping.b,
                c=None if mapping is None else mapping.c,
                clips=len(points),
                sites=len(sites),
                rmse=None if mapping is None else _root(points, _squares(mapping, points)),
                rmse_loso=errors[model],
                chosen=model is best,
                rmse_nested=nested,
            )
        )
    return rows


def loso_error(model: Model, points: Sequence[Point], *, scale: tuple[float, float] = SCALE) -> float | None:
    """Root mean square error of clips whose site is left out, weighted by votes; None where a fit is not defined."""
    if _fit(model, points, scale) is None:
        return None
    return _left_out(points, lambda rest: _fit(model, rest, scale))


def nested_error(points: Sequence[Point], *, scale: tuple[float, float] = SCALE) -> float | None:
    """The same error of the mapping that is chosen without the left-out site, of those defined for all points."""
    models = [model for model in Model if _fit(model, points, scale) is not None]
    return _left_out(points, lambda rest: chosen(rest, models=models, scale=scale))


def chosen(
    points: Sequence[Point], *, models: Sequence[Model] = tuple(Model), scale: tuple[float, float] = SCALE
) -> Mapping | None:
    """The mapping with the least error for left-out sites, fitted to all points; None where none is defined."""
    best = _least({model: loso_error(model, points, scale=scale) for model in models})
    return None if best is None else _fit(best, points, scale)


def _left_out(points: Sequence[Point], fit: Callable[[Sequence[Point]], Mapping | None]) -> float | None:
    """The error of each site's clips by a fit to the clips of all other sites."""
    held: list[Point] = []
    squares: list[Floats] = []
    for site in _sites(points):
        site_points = [point for point in points if point.site == site]
        mapping = fit([point for point in points if point.site != site])
        if mapping is None:
            return None
        squares.append(_squares(mapping, site_points))
        held += site_points
    return _root(held, np.concatenate(squares)) if squares else None


def _sites(points: Sequence[Point]) -> list[str]:
    return sorted({point.site for point in points})


def _least(errors: Named[Model, float | None]) -> Model | None:
    """The first, simplest one where errors are equal."""
    known = [(error, at, model) for at, (model, error) in enumerate(errors.items()) if error is not None]
    return min(known)[2] if known else None


def _fit(model: Model, points: Sequence[Point], scale: tuple[float, float]) -> Mapping | None:
    metric, mos, votes = (
        np.array([getattr(point, name) for point in points], float) for name in ("metric", "mos", "votes")
    )
    return fit_mapping(model, metric, mos, votes, scale=scale)


def _squares(mapping: Mapping, points: Sequence[Point]) -> Floats:
    errors: Floats = mapping.mos(np.array([point.metric for point in points])) - [point.mos for point in points]
    return errors**2


def _root(points: Sequence[Point], squares: Floats) -> float:
    return float(np.sqrt(np.average(squares, weights=[point.votes for point in points])))
