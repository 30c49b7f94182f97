"""All figures of the report, by section."""

from collections.abc import Sequence
from dataclasses import dataclass

from eyelevel.compare.comparison import Comparison
from eyelevel.compare.report.forest import forest
from eyelevel.compare.report.runs import run_marks
from eyelevel.report.site_bars import site_bars
from eyelevel_figures.canvas import Drawing


@dataclass(frozen=True)
class Figures:
    """The figures of a report: gains and runs by network, and the sizes of sites."""

    forests: Sequence[Drawing]
    runs: Sequence[Drawing]
    sites: Drawing

    def all(self) -> list[Drawing]:
        return [*self.forests, *self.runs, self.sites]


def draw(comparison: Comparison) -> Figures:
    """Draws all figures of the report."""
    networks = comparison.networks
    return Figures(
        forests=[
            forest(network, [row for row in comparison.overall if row.network == network], f"gain-{network}")
            for network in networks
        ],
        runs=[
            run_marks(network, "si", [load for load in comparison.loads if load.network == network], f"runs-{network}")
            for network in networks
        ],
        sites=site_bars(comparison.sites, "sites"),
    )
