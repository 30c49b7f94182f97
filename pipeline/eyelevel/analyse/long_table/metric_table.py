"""Reads a table of metrics: the values of each stimulus, one column per metric."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from eyelevel.analyse.long_table.delimited import Delimited, number, open_delimited
from eyelevel.analyse.long_table.roles import OPTIONAL
from eyelevel.analyse.long_table.wording import is_missing
from eyelevel.errors import BadInputError


@dataclass(frozen=True)
class MetricTable:
    """Metric to stimulus to value (None where unknown), and labels of stimuli by role (site, condition).

    `not_numeric` are columns that are no metrics, as they contain text or nothing; `varying` those of which a stimulus
    has several values, with the first such stimulus and its line.
    """

    metrics: dict[str, dict[str, float | None]]
    labels: dict[str, dict[str, str]]
    stimuli: tuple[str, ...]
    not_numeric: tuple[str, ...]
    varying: tuple[str, ...]
    infinite: int


@dataclass
class _Column:
    """A column that is a metric if all of its cells are figures, and the same in all rows of a stimulus.

    Infinite figures count as unknown.
    """

    values: dict[str, float | None] = field(default_factory=dict)
    numeric: bool = True
    infinite: int = 0
    conflict: str | None = None

    def add(self, stimulus: str, cell: str, *, comma: bool, line: int) -> None:
        value = None if is_missing(cell) else number(cell.strip(), comma=comma)
        self.numeric &= value is not None or is_missing(cell)
        if value is not None and not math.isfinite(value):
            self.infinite += 1
            value = None
        known = self.values.setdefault(stimulus, value)
        if known is None:
            self.values[stimulus] = value
        elif value not in (known, None) and self.conflict is None:
            self.conflict = f"stimulus {stimulus!r}, line {line}"


def read_metrics(path: Path, roles: Mapping[str, str]) -> MetricTable:
    """The metrics of stimuli; the stimulus is in the column of the same name as in the votes, or in `stimulus`.

    Columns that have the role of site or condition are labels; those with another role are no metrics. A stimulus may
    have several rows, so that the table of votes may be the table of metrics. Raise BadInputError where the stimulus's
    column is missing, a stimulus has two sites, or no column is a metric.
    """
    with open_delimited(path, expected=[*roles.values(), "stimulus"]) as table:
        key = roles["stimulus"] if roles["stimulus"] in table.names else "stimulus"
        if key not in table.names:
            table.places([roles["stimulus"]])
        return _read(table, key, roles)


def _read(table: Delimited, key: str, roles: Mapping[str, str]) -> MetricTable:
    place = table.names.index(key)
    label_of = {roles[role]: role for role in OPTIONAL if role in roles}
    columns = {name: _Column() for name in table.names if name and name not in {key, *roles.values()}}
    labels: dict[str, dict[str, str]] = {label_of[name]: {} for name in table.names if name in label_of}
    stimuli: dict[str, None] = {}
    for cells in table.rows():
        stimulus = cells[place].strip()
        if not stimulus:
            raise table.error(f"stimulus (column {key!r}) is empty.")
        stimuli[stimulus] = None
        for name, cell in zip(table.names, cells, strict=False):
            if name in columns:
                columns[name].add(stimulus, cell, comma=table.decimal_comma, line=table.line)
            elif name in label_of and not is_missing(cell):
                label = labels[label_of[name]].setdefault(stimulus, cell.strip())
                if label != cell.strip() and label_of[name] == "site":
                    raise table.error(f"the stimulus {stimulus!r} has the site {cell.strip()!r}, but {label!r} above.")
    known = {name: own for name, own in columns.items() if any(value is not None for value in own.values.values())}
    varying = tuple(f"{name} ({own.conflict})" for name, own in known.items() if own.numeric and own.conflict)
    metrics = {name: own.values for name, own in known.items() if own.numeric and not own.conflict}
    if not metrics:
        several = f"; of some, a stimulus has several values: {', '.join(varying)}" if varying else ""
        raise BadInputError(
            f"{table.source} has no metric: no column has one figure per stimulus ({', '.join(columns)}){several}."
        )
    return MetricTable(
        metrics=metrics,
        labels=labels,
        stimuli=tuple(stimuli),
        not_numeric=tuple(name for name in columns if name not in known or not known[name].numeric),
        varying=varying,
        infinite=sum(own.infinite for name, own in known.items() if name in metrics),
    )


def header_of(path: Path, roles: Mapping[str, str]) -> tuple[str, ...]:
    """The names of the columns of a table."""
    with open_delimited(path, expected=[*roles.values(), "stimulus"]) as table:
        return table.names
