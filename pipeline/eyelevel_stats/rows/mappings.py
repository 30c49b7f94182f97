"""Table of mappings from metrics to MOS: row and columns."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ModelRow:
    """A mapping fitted to all clips of a network, with its errors. None where it is not defined for these values.

    `rmse_nested` is the error of the whole procedure, the choice included, and the same in all rows of a metric.
    """

    network: str
    metric: str
    model: str
    a: float | None
    b: float | None
    c: float | None
    clips: int
    sites: int
    rmse: float | None
    rmse_loso: float | None
    chosen: bool
    rmse_nested: float | None


COLUMNS = {
    "network": "network of the clips",
    "metric": "the metric that predicts",
    "model": "linear: a + b x; wql: a + b ln x; iqx: a + b exp(-c x); logistic: between the ends of the scale, with "
    "the exponent a + b x; x is the metric in its own unit",
    "a": "parameter of the model; fitted to the MOS of all clips by least squares, weighted by votes",
    "b": "parameter of the model",
    "c": "parameter of iqx, per unit of the metric; empty for other models",
    "clips": "clips with votes and a known metric",
    "sites": "sites of these clips",
    "rmse": "root mean square error of the fitted clips, in points of the scale, weighted by votes",
    "rmse_loso": "the same for clips of a site that was left out of the fit, each site in turn",
    "chosen": "whether rmse_loso is the smallest of the models of this metric",
    "rmse_nested": "the same error where the model is chosen again without the left-out site; it belongs to the metric",
}
