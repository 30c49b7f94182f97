"""Reports and page sections that other installed packages add by entry points."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from xml.etree.ElementTree import Element

from eyelevel.compare.comparison import Comparison
from eyelevel.report.table import Filled
from eyelevel_figures.canvas import Drawing


@dataclass(frozen=True)
class Report:
    """A report in place of the comparison: files by path in its folder, and the lines that the command prints."""

    files: Mapping[str, str]
    said: Sequence[str]
    remarks: Sequence[str]


@dataclass(frozen=True)
class Section:
    """A section of the comparison's page, with the tables and figures that become files. `key` is its address."""

    key: str
    head: str
    tables: Sequence[Filled]
    figures: Sequence[Drawing]
    content: Sequence[Element]


def reports() -> Mapping[str, EntryPoint]:
    """Returns the reports by the name that `--as` takes; each loads as a function of a batch and the chosen pairs."""
    return {entry.name: entry for entry in sorted(entry_points(group="eyelevel.reports"), key=lambda entry: entry.name)}


def sections(comparison: Comparison) -> list[Section]:
    """Returns the sections of all installed packages, sorted by entry point."""
    added = sorted(entry_points(group="eyelevel.sections"), key=lambda entry: entry.name)
    makers: list[Callable[[Comparison], Section]] = [entry.load() for entry in added]
    return [make(comparison) for make in makers]
