"""Reads a table of metrics: one row per stimulus, one column per metric."""

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

    `not_numeric` are columns that are no metrics, as they contain text.
    """

    metrics: dict[str, dict[str, float | None]]
    labels: dict[str, dict[str, str]]
    stimuli: tuple[str, ...]
    not_numeric: tuple[str, ...]
    infinite: int


@dataclass
class _Column:
    """A column that is a metric as long as all of its cells are figures; infinite ones count as unknown."""

    values: dict[str, float | None] = field(default_factory=dict)
    numeric: bool = True
    infinite: int = 0

    def add(self, stimulus: str, cell: str, *, comma: bool) -> None:
        value = None if is_missing(cell) else number(cell.strip(), comma=comma)
        self.numeric &= value is not None or is_missing(cell)
        if value is not None and not math.isfinite(value):
            self.infinite += 1
            value = None
        self.values[stimulus] = value


def read_metrics(path: Path, roles: Mapping[str, str]) -> MetricTable:
    """The metrics of stimuli; the stimulus is in the column of the same name as in the votes, or in `stimulus`.

    Columns that have the role of site or condition are labels. Raise BadInputError where the stimulus's column is
    missing, a stimulus has two rows, or no column is a metric.
    """
    with open_delimited(path, expected=[*roles.values(), "stimulus"]) as table:
        key = roles["stimulus"] if roles["stimulus"] in table.names else "stimulus"
        if key not in table.names:
            table.places([roles["stimulus"]])
        return _read(table, key, {roles[role]: role for role in OPTIONAL if role in roles})


def _read(table: Delimited, key: str, label_of: Mapping[str, str]) -> MetricTable:
    place = table.names.index(key)
    columns = {name: _Column() for name in table.names if name and name != key and name not in label_of}
    labels: dict[str, dict[str, str]] = {label_of[name]: {} for name in table.names if name in label_of}
    lines: dict[str, int] = {}
    for cells in table.rows():
        stimulus = cells[place].strip()
        if not stimulus:
            raise table.error(f"stimulus (column {key!r}) is empty.")
        if stimulus in lines:
            raise table.error(
                f"the stimulus {stimulus!r} has a row already, in line {lines[stimulus]}; keep one row per stimulus."
            )
        lines[stimulus] = table.line
        for name, cell in zip(table.names, cells, strict=False):
            if name in columns:
                columns[name].add(stimulus, cell, comma=table.decimal_comma)
            elif name in label_of and not is_missing(cell):
                labels[label_of[name]][stimulus] = cell.strip()
    known = {name: own for name, own in columns.items() if any(value is not None for value in own.values.values())}
    metrics = {name: own.values for name, own in known.items() if own.numeric}
    if not metrics:
        listed = ", ".join(table.names)
        raise BadInputError(f"{table.source} has no metric: no column but {key!r} has figures only ({listed}).")
    return MetricTable(
        metrics=metrics,
        labels=labels,
        stimuli=tuple(lines),
        not_numeric=tuple(name for name in columns if name not in metrics),
        infinite=sum(own.infinite for name, own in known.items() if name in metrics),
    )


def header_of(path: Path, roles: Mapping[str, str]) -> tuple[str, ...]:
    """The names of the columns of a table."""
    with open_delimited(path, expected=[*roles.values(), "stimulus"]) as table:
        return table.names
