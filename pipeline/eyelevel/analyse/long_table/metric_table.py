"""Reads a table of metrics: the values of each stimulus, one column per metric."""

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from eyelevel.analyse.long_table.delimited import Delimited, open_delimited
from eyelevel.analyse.long_table.figures import cure_of, number
from eyelevel.analyse.long_table.names import Spellings, missing_name
from eyelevel.analyse.long_table.roles import OPTIONAL
from eyelevel.analyse.long_table.separators import Separators, ambiguous
from eyelevel.analyse.long_table.wording import is_missing, no_figure
from eyelevel.errors import BadInputError
from eyelevel_core.characters import tidy, visible

# the name that pandas gives to a first column without a name, which numbers the rows
_INDEX = re.compile(r"Unnamed: \d+")


@dataclass(frozen=True)
class MetricTable:
    """Values by metric and stimulus (None if unknown), and labels of stimuli by role (site, condition).

    `not_numeric` are columns that are not metrics, because they contain text or are empty, with the first text among
    numbers. `varying` are columns in which a stimulus has several values, with the first such stimulus and its line.
    `notices` are about ambiguous numbers and about names.
    """

    metrics: dict[str, dict[str, float | None]]
    labels: dict[str, dict[str, str]]
    stimuli: tuple[str, ...]
    not_numeric: tuple[str, ...]
    varying: tuple[str, ...]
    infinite: int
    notices: tuple[str, ...] = ()


@dataclass
class _Column:
    """A column, which is a metric if all of its cells are numbers, and equal in all rows of a stimulus.

    Infinite numbers count as unknown.
    """

    values: dict[str, float | None] = field(default_factory=dict)
    text: str | None = None
    infinite: int = 0
    conflict: str | None = None
    curable: bool = False
    separators: Separators = field(default_factory=Separators)

    @property
    def numeric(self) -> bool:
        return self.text is None

    @property
    def known(self) -> bool:
        return any(value is not None for value in self.values.values())

    def add(self, stimulus: str, cell: str, *, comma: bool, line: int) -> None:
        text = visible(cell)
        value = number(text, comma=comma)
        if value is not None and math.isfinite(value):
            self.separators.see(text, line)
        elif no_figure(text):
            value = None
        elif value is None:
            if self.text is None:
                cure = cure_of(text, comma=comma)
                self.curable = cure != ""
                self.text = f"line {line}: {text[:60]!r}" + (f". {cure}" if cure else "")
        else:
            self.infinite += 1
            value = None
        known = self.values.setdefault(stimulus, value)
        if known is None:
            self.values[stimulus] = value
        elif value not in (known, None) and self.conflict is None:
            self.conflict = f"stimulus {stimulus!r}, line {line}"


def read_metrics(
    path: Path, roles: Mapping[str, str], *, chosen: Sequence[str] = (), stimuli: Iterable[str] = ()
) -> MetricTable:
    """Reads the metrics of stimuli, which are named in the same column as in the votes, or in `stimulus`.

    Columns with the role of site or condition are labels. Columns with another role are not metrics; if some are
    `chosen`, all others are not metrics. A stimulus may have several rows, so that the table of votes may also be the
    table of metrics. A name that looks the same as one of `stimuli` (names in the votes) counts as this one. Raises
    BadInputError if the stimulus's column is missing, a stimulus has two sites, numbers are ambiguous, a chosen column
    is not a metric, or no column is.
    """
    with open_delimited(path, expected=[*roles.values(), "stimulus"]) as table:
        key = roles["stimulus"] if roles["stimulus"] in table.names else "stimulus"
        if key not in table.names:
            table.places([roles["stimulus"]])
        table.places(chosen)
        return _read(table, key, roles, chosen, Spellings("stimulus", lambda: table.line, stimuli))


def _read(
    table: Delimited, key: str, roles: Mapping[str, str], chosen: Sequence[str], spellings: Spellings
) -> MetricTable:
    place = table.names.index(key)
    label_of = {roles[role]: role for role in OPTIONAL if role in roles}
    columns = {name: _Column() for name in _candidates(table, {key, *roles.values()}, chosen)}
    labels: dict[str, dict[str, str]] = {label_of[name]: {} for name in table.names if name in label_of}
    stimuli: dict[str, None] = {}
    for cells in table.rows():
        stimulus = spellings[cells[place]]
        if is_missing(stimulus):
            raise table.error(missing_name(f"stimulus (column {key!r})", stimulus))
        stimuli[stimulus] = None
        for name, cell in zip(table.names, cells, strict=False):
            if name in columns:
                columns[name].add(stimulus, cell, comma=table.decimal_comma, line=table.line)
            elif name in label_of and not is_missing(cell):
                label = labels[label_of[name]].setdefault(stimulus, tidy(cell))
                if visible(label) != visible(cell) and label_of[name] == "site":
                    raise table.error(f"the stimulus {stimulus!r} has the site {cell.strip()!r}, but {label!r} above.")
    known = {name: column for name, column in columns.items() if column.known}
    varying = tuple(
        f"{name} ({column.conflict})" for name, column in known.items() if column.numeric and column.conflict
    )
    metrics = {name: column.values for name, column in known.items() if column.numeric and not column.conflict}
    not_numeric = tuple(
        _with_text(name, column) for name, column in columns.items() if not column.known or not column.numeric
    )
    several = f"; of some, a stimulus has several values: {', '.join(varying)}" if varying else ""
    odd = "".join(f" {notice}" for notice in spellings.notices())
    tried = ", ".join(_with_text(name, column) for name, column in columns.items())
    if not metrics:
        raise BadInputError(
            f"{table.source} has no metric: no column has one number per stimulus ({tried}){several}.{odd}"
        )
    if lost := [name for name in chosen if name not in metrics]:
        raise BadInputError(
            f"--metric {lost[0]}: this column of {table.source} has a role, or not one number per stimulus "
            f"({tried}){several}.{odd}"
        )
    return MetricTable(
        metrics=metrics,
        labels=labels,
        stimuli=tuple(stimuli),
        not_numeric=not_numeric,
        varying=varying,
        infinite=sum(column.infinite for name, column in known.items() if name in metrics),
        notices=(
            *table.notices,
            *spellings.notices(),
            *ambiguous(table.source, table.delimiter, {name: columns[name].separators for name in metrics}),
        ),
    )


def _candidates(table: Delimited, roles: Collection[str], chosen: Sequence[str]) -> list[str]:
    """The columns that may be metrics: without a role, not part of a joined column, and not row numbers."""
    taken = {*roles, *(table.names[place] for places in table.joined for place in places)}
    free = [name for name in table.names if name and name not in taken and not _INDEX.fullmatch(name)]
    return [name for name in free if name in chosen] if chosen else free


def _with_text(name: str, column: _Column) -> str:
    """The name, with the first text if the column also has numbers, or seems to have numbers in another spelling."""
    return f"{name} ({column.text})" if column.text and (column.known or column.curable) else name


def header_of(path: Path, roles: Mapping[str, str]) -> tuple[str, ...]:
    """Returns the names of the columns of a table."""
    with open_delimited(path, expected=[*roles.values(), "stimulus"]) as table:
        return table.names
