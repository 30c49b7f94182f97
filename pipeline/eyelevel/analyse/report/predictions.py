"""The section about predictions for clips of sites that were left out."""

from xml.etree.ElementTree import Element

from eyelevel.analyse.prediction.left_out import Predictions, prediction_sentence
from eyelevel.analyse.report.parts import captioned, how_to_read
from eyelevel.analyse.report.prediction_figure import prediction_figure
from eyelevel.analyse.tables import Sheets
from eyelevel_figures.elements import tag
from eyelevel_figures.words import Words


def prediction_parts(predictions: Predictions, ends: tuple[float, float], source: str, make: Sheets) -> list[Element]:
    """Returns the sentence, and the figure with its table if there are predictions."""
    parts = [tag("p", prediction_sentence(predictions))]
    if any(row.predicted is not None for row in predictions.rows):
        table = make.sheet("predictions", predictions.rows)
        parts.append(captioned(prediction_figure(predictions.rows, ends, "predictions"), source, table))
        parts.append(how_to_read(Words()("predictions.how")))
    return parts
