"""Predicts the MOS of new clips from a table of their metrics (`--predict`)."""

import csv
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median_low

import numpy as np

from eyelevel.analyse.announced import announced
from eyelevel.analyse.long_table.delimited import open_delimited
from eyelevel.analyse.long_table.figures import number
from eyelevel.analyse.long_table.separators import Separators, ambiguous
from eyelevel.analyse.long_table.wording import no_figure
from eyelevel.analyse.prediction.left_out import Input
from eyelevel.errors import BadInputError
from eyelevel.report.words import plural
from eyelevel_core.model.metrics import METRICS
from eyelevel_stats.prediction.coverage import ClipVote
from eyelevel_stats.prediction.new_clips import NewClips, new_clips
from eyelevel_stats.rows.words import ALL

FILE = "predicted.csv"
COLUMNS = {
    "metric": "metric used for the prediction, chosen by its error for excluded sites",
    "votes": "number of participants whose MOS is predicted, with one vote each",
    "mos": "expected MOS of these votes for a clip of a new site, from a cumulative logit mixed model on ln(metric)",
    "low": "lower end of the 90 % prediction interval of mos",
    "high": "upper end of the same interval",
    "refused": "reason why there is no prediction, such as a value outside the range of the rated clips; else empty",
}
WORDS = "Predicting the scores of new clips ..."
# in one MOS; 4,000 draws of so many votes take up to 200 MB
MOST_VOTES = 1000
# names of metrics in tables of the platform: si_ms is SI
LABEL_OF = {metric.field: metric.label for metric in METRICS}


@dataclass(frozen=True)
class Predict:
    """The options about predictions: a table of new clips, and the number of votes in the predicted MOS.

    If `votes` is None, it is the median of the rated clips. `long_too`: predict left-out sites even if that takes many
    minutes.
    """

    path: Path | None = None
    votes: int | None = None
    long_too: bool = False

    @property
    def option(self) -> str | None:
        """The option that requests predictions; None if there is none."""
        return "--predict" if self.path is not None else "--predictions" if self.long_too else None


@dataclass(frozen=True)
class NewTable:
    """The cells as they were read, and the values of the columns that are known metrics, by the metric's name.

    `delimiter` separates the cells; numbers that are added have a decimal comma if `decimal_comma`.
    """

    names: tuple[str, ...]
    delimiter: str
    decimal_comma: bool
    rows: tuple[tuple[str, ...], ...]
    values: Mapping[str, Sequence[float | None]]
    notices: Sequence[str] = ()


def read_new_clips(path: Path, known: Sequence[str]) -> NewTable:
    """Reads the table; `known` are the metrics of the rated clips.

    Raises BadInputError, with file, line, column, value and remedy, if no column is a known metric, two columns are the
    same metric, a value is not a number, or a column has the name of an added one.
    """
    with open_delimited(path, expected=known) as table:
        if taken := [name for name in table.names if name in COLUMNS]:
            raise BadInputError(f"{path} already has a column {taken[0]!r}, which --predict adds; rename it.")
        places: dict[str, int] = {}
        for place, column in enumerate(table.names):
            name = column if column in known else LABEL_OF.get(column, column)
            if name not in known:
                continue
            if name in places:
                raise BadInputError(
                    f"{path} has two columns of the metric {name}: {table.names[places[name]]!r} and {column!r}; "
                    "remove one of them."
                )
            places[name] = place
        if not places:
            raise BadInputError(
                f"{path} has no column of a metric that the rated clips have ({', '.join(known) or 'they have none'}); "
                f"its columns are {', '.join(table.names)}. Give the column the name of its metric."
            )
        rows: list[tuple[str, ...]] = []
        values: dict[str, list[float | None]] = {name: [] for name in places}
        separators = {table.names[place]: Separators() for place in places.values()}
        for cells in table.rows():
            row = tuple(cells[: len(table.names)])
            for name, place in places.items():
                cell = row[place].strip()
                value = None if no_figure(cell) else number(cell, comma=table.decimal_comma)
                if not no_figure(cell) and (value is None or not math.isfinite(value)):
                    raise table.error(f"{table.names[place]} is {cell[:60]!r}, which is not a number; correct it.")
                if value is not None:
                    separators[table.names[place]].see(cell, table.line)
                values[name].append(value)
            rows.append(row)
        if not rows:
            raise BadInputError(f"{path} has no clip: there is no row below the header.")
        notices = ambiguous(table.source, table.delimiter, separators)
        signs = {sign for each in separators.values() for sign in each.first}
        comma = "," in signs or (table.delimiter == ";" and "." not in signs)
        return NewTable(table.names, table.delimiter, comma, tuple(rows), values, tuple(notices))


def usual_votes(votes: Sequence[ClipVote]) -> int:
    """Returns the median number of participants of a rated clip; 1 without votes."""
    people: dict[str, set[str]] = {}
    for vote in votes:
        people.setdefault(vote.clip, set()).add(vote.participant)
    return median_low(len(raters) for raters in people.values()) if people else 1


@dataclass(frozen=True)
class PredictedTable:
    """The CSV text of the table with its predictions, and a sentence about them."""

    text: str
    sentence: str


def predicted(given: Input, table: NewTable, *, n: int | None, seed: int) -> PredictedTable:
    """Fits the model and predicts the MOS of `n` votes for each row; if None, `n` is the median of the rated clips."""
    votes = usual_votes(given.votes) if n is None else n
    if given.why is not None:
        predictions = NewClips(None, (), given.why)
    else:
        with announced(WORDS):
            predictions = new_clips(
                given.votes, given.metrics, table.values, n=votes, network=ALL, rng=np.random.default_rng(seed),
                scale=given.scale,
            )  # fmt: skip
    added = [_added(predictions, place, votes) for place in range(len(table.rows))]
    return PredictedTable(_csv(table, added), _sentence(predictions, added))


def _csv(table: NewTable, added: Sequence[Sequence[str | float | int | None]]) -> str:
    """The table as it was given, with its delimiter, and COLUMNS after it."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=table.delimiter)
    writer.writerow([*table.names, *COLUMNS])
    for cells, values in zip(table.rows, added, strict=True):
        writer.writerow([*cells, *(_cell(value, comma=table.decimal_comma) for value in values)])
    return text.getvalue()


def _cell(value: str | float | None, *, comma: bool) -> str:
    if value is None:
        return ""
    return str(value).replace(".", ",") if comma and isinstance(value, float) else str(value)


def _added(predictions: NewClips, place: int, votes: int) -> list[str | float | int | None]:
    """The cells of COLUMNS."""
    if predictions.why is not None:
        return [predictions.metric, votes, None, None, None, predictions.why]
    row = predictions.rows[place]
    if row is None:
        return [predictions.metric, votes, None, None, None, f"{predictions.metric} of the clip is unknown"]
    return [row.metric, votes, row.mos, row.low, row.high, row.refused or None]


def _sentence(predictions: NewClips, added: Sequence[Sequence[object]]) -> str:
    if predictions.why is not None:
        return f"No predictions for new clips: {predictions.why}."
    refused = sum(row[2] is None for row in added)
    words = f"Predicted the MOS of {len(added) - refused} of {plural(len(added), 'new clip')} by {predictions.metric}"
    return f"{words}; for the others, the column refused of {FILE} has the reason." if refused else f"{words}."
